// SPDX-License-Identifier: MIT
// What Glibc's Swift module leaves out.
#pragma once
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

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
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
int dup3(int descriptor, int number, int flags);
int mkostemp(char *pattern, int flags);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/// Asks a terminal for its size, or returns -1 with errno; ioctl(2) is variadic.
static inline int linux_window_size(int descriptor, struct winsize *size) {
  return ioctl(descriptor, TIOCGWINSZ, size);
}

/// Has memory beyond this many bytes at once come from the system and go back to it (mallopt(3)):
/// else the first large piece that is freed makes glibc keep the later ones.
static inline void linux_return_large_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 4 * bytes);
}
