// SPDX-License-Identifier: MIT
// What Glibc's Swift module leaves out.
#pragma once
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <elf.h>
#include <errno.h>
#include <malloc.h>
#include <spawn.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/// The memory taken by bytes that were sent to a socket and not yet read by its peer, or -1 with
/// errno (SIOCOUTQ of unix(7)).
static inline int linux_unread_bytes(int socket) {
  int count = 0;
  return ioctl(socket, TIOCOUTQ, &count) < 0 ? -1 : count;
}

// Declared by glibc for _GNU_SOURCE only.
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/// Asks a terminal for its size, or returns -1 with errno; ioctl(2) is variadic.
static inline int linux_window_size(int descriptor, struct winsize *size) {
  return ioctl(descriptor, TIOCGWINSZ, size);
}

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr linux_elf_header;
typedef Elf64_Phdr linux_elf_segment;
#else
typedef Elf32_Ehdr linux_elf_header;
typedef Elf32_Phdr linux_elf_segment;
#endif
// Where the linker put the program's own header.
extern const linux_elf_header __ehdr_start __attribute__((visibility("hidden")));

/// Gives back the pages of the program's file that are never written; those that are needed again
/// come back from the page cache (madvise(2), MADV_DONTNEED). Returns 0, or -1 with errno.
static inline int linux_release_program_pages(void) {
  const char *file = (const char *)&__ehdr_start;
  const linux_elf_segment *segments = (const void *)(file + __ehdr_start.e_phoff);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t first = 0;  // where the header would be, had the program not been moved
  for (int i = 0; i < __ehdr_start.e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0) first = segments[i].p_vaddr;
  int status = 0;
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    const linux_elf_segment *segment = &segments[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    size_t start = (size_t)file - first + segment->p_vaddr, end = start + segment->p_memsz;
    start = (start + page - 1) / page * page;
    end = end / page * page;
    if (start < end && madvise((void *)start, end - start, MADV_DONTNEED) != 0) status = -1;
  }
  return status;
}

/// Has memory beyond this many bytes at once come from the system and go back to it (mallopt(3)):
/// else the first large piece that is freed makes glibc keep the later ones.
static inline void linux_return_large_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 4 * bytes);
}
