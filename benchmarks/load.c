// SPDX-License-Identifier: MIT
// The load generator. It speaks D-Bus without a library, so that no library adds to the
// figures. Prints one JSON object.
//
//   load lone NAME IDS CALLS SERVICE-PID BUS-PID       one call after the other
//   load pipe NAME IDS CALLS CLIENTS WINDOW SUBSCRIBERS SERVICE-PID BUS-PID
//   load paced NAME IDS CALLS MILLISECONDS             isolated changes, for instruction counts
//   load start NAME COMMAND...                         time from exec until the name has an owner
//   load spawn COMMAND...                              wall time and peak memory of one process
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("load: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

// CPU time of all threads of a process in microseconds.
static double cpu_us(int pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) return 0;
  double total = 0;
  for (struct dirent *task; (task = readdir(tasks));) {
    if (task->d_name[0] == '.') continue;
    char file[400];
    snprintf(file, sizeof file, "%s/%s/schedstat", path, task->d_name);
    FILE *f = fopen(file, "r");
    unsigned long long ns;
    if (f && fscanf(f, "%llu", &ns) == 1) total += ns / 1e3;
    if (f) fclose(f);
  }
  closedir(tasks);
  return total;
}

// ---- a minimal message writer ------------------------------------------------------------------

struct buffer {
  uint8_t bytes[1024];
  size_t length;
};

static void pad(struct buffer *b, size_t to) {
  while (b->length % to) b->bytes[b->length++] = 0;
}
static void put32(struct buffer *b, uint32_t v) {
  pad(b, 4);
  memcpy(b->bytes + b->length, &v, 4);
  b->length += 4;
}
static void put64(struct buffer *b, int64_t v) {
  pad(b, 8);
  memcpy(b->bytes + b->length, &v, 8);
  b->length += 8;
}
static void put_string(struct buffer *b, const char *s) {
  size_t n = strlen(s);
  put32(b, n);
  memcpy(b->bytes + b->length, s, n + 1);
  b->length += n + 1;
}
static void field(struct buffer *b, uint8_t code, char type, const char *value) {
  pad(b, 8);
  b->bytes[b->length++] = code;
  b->bytes[b->length++] = 1;
  b->bytes[b->length++] = type;
  b->bytes[b->length++] = 0;
  if (type == 'g') {
    b->bytes[b->length++] = strlen(value);
    memcpy(b->bytes + b->length, value, strlen(value) + 1);
    b->length += strlen(value) + 1;
  } else {
    put_string(b, value);
  }
}

// A method call with a body of strings and at most one 64-bit integer after them.
static void call(struct buffer *b, uint32_t serial, const char *destination, const char *path,
                 const char *interface, const char *member, const char *signature,
                 const char *string, int64_t integer) {
  b->length = 0;
  memcpy(b->bytes, (uint8_t[]){'l', 1, 0, 1}, 4);
  b->length = 4;
  put32(b, 0);
  put32(b, serial);
  put32(b, 0);
  size_t fields = b->length;
  field(b, 1, 'o', path);
  field(b, 2, 's', interface);
  field(b, 3, 's', member);
  field(b, 6, 's', destination);
  if (signature) field(b, 8, 'g', signature);
  uint32_t fields_length = b->length - fields;
  memcpy(b->bytes + 12, &fields_length, 4);
  pad(b, 8);
  size_t body = b->length;
  if (string) put_string(b, string);
  if (signature && strchr(signature, 'x')) put64(b, integer);
  if (signature && strchr(signature, 'u')) put32(b, (uint32_t)integer);
  uint32_t body_length = b->length - body;
  memcpy(b->bytes + 4, &body_length, 4);
}

// ---- a connection -----------------------------------------------------------------------------

struct client {
  int fd;
  uint32_t serial;
  int outstanding;
  uint8_t input[1 << 16];
  size_t length;
  int sentinel;
};

static void send_all(int fd, const void *bytes, size_t length) {
  const uint8_t *at = bytes;
  while (length) {
    ssize_t n = send(fd, at, length, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      struct pollfd p = {fd, POLLOUT, 0};
      poll(&p, 1, -1);
      continue;
    }
    if (n < 0) die("send: %s", strerror(errno));
    at += n;
    length -= n;
  }
}

static const char *const sentinel = "bench.sentinel";

// Reads what has arrived and returns the number of replies. Errors end the run.
static int take(struct client *c) {
  int replies = 0;
  ssize_t n = recv(c->fd, c->input + c->length, sizeof c->input - c->length, 0);
  if (n == 0) die("the bus closed the connection");
  if (n < 0) return errno == EAGAIN || errno == EINTR ? 0 : (die("recv: %s", strerror(errno)), 0);
  c->length += n;
  size_t at = 0;
  while (c->length - at >= 16) {
    uint32_t body, fields;
    memcpy(&body, c->input + at + 4, 4);
    memcpy(&fields, c->input + at + 12, 4);
    size_t total = 16 + ((fields + 7) & ~7u) + body;
    if (total > sizeof c->input) die("a message of %zu bytes", total);
    if (c->length - at < total) break;
    uint8_t type = c->input[at + 1];
    if (type == 2) replies++;
    if (type == 3) die("the service answered with an error: %.200s", c->input + at + 16 + fields);
    if (type == 4 && memmem(c->input + at, total, sentinel, strlen(sentinel))) c->sentinel = 1;
    at += total;
  }
  memmove(c->input, c->input + at, c->length - at);
  c->length -= at;
  return replies;
}

static void wait_reply(struct client *c) {
  while (!take(c)) {
  }
}

static struct client *connect_bus(void) {
  const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
  if (!address || strncmp(address, "unix:path=", 10)) die("want a unix:path= session bus address");
  struct sockaddr_un where = {.sun_family = AF_UNIX};
  size_t n = strcspn(address + 10, ",");
  if (n >= sizeof where.sun_path) die("the bus address is too long");
  memcpy(where.sun_path, address + 10, n);
  struct client *c = calloc(1, sizeof *c);
  if (!c) die("no memory");
  c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(c->fd, (struct sockaddr *)&where, sizeof where)) die("connect: %s", strerror(errno));
  char uid[16], hello[128];
  snprintf(uid, sizeof uid, "%u", getuid());
  int length = sprintf(hello, "%cAUTH EXTERNAL ", 0);
  for (char *digit = uid; *digit; digit++) length += sprintf(hello + length, "%02x", *digit);
  length += sprintf(hello + length, "\r\n");
  send_all(c->fd, hello, length);
  char answer[256];
  if (recv(c->fd, answer, sizeof answer, 0) < 2 || strncmp(answer, "OK", 2)) die("authentication failed");
  send_all(c->fd, "BEGIN\r\n", 7);
  struct buffer b;
  call(&b, ++c->serial, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
       "Hello", NULL, NULL, 0);
  send_all(c->fd, b.bytes, b.length);
  wait_reply(c);
  return c;
}

static void add_match(struct client *c, const char *rule) {
  struct buffer b;
  call(&b, ++c->serial, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
       "AddMatch", "s", rule, 0);
  send_all(c->fd, b.bytes, b.length);
  wait_reply(c);
}

static int64_t value;  // rises, so that every call changes its badge

static void send_set(struct client *c, const char *name, const char *id) {
  struct buffer b;
  call(&b, ++c->serial, name, "/org/badged/Badges1", "org.badged.Badges1", "Set", "sx", id,
       1 + value++ % 100000000);
  send_all(c->fd, b.bytes, b.length);
}

static void send_set_to(struct client *c, const char *name, int index) {
  char id[64];
  snprintf(id, sizeof id, "org.example.application%04d", index);
  send_set(c, name, id);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int number(char **argv, int argc, int index) {
  if (index >= argc) die("too few arguments");
  return atoi(argv[index]);
}

static void lone(int argc, char **argv) {
  const char *name = argv[2];
  int ids = number(argv, argc, 3), calls = number(argv, argc, 4);
  int service = number(argv, argc, 5), bus = number(argv, argc, 6);
  struct client *c = connect_bus();
  double *took = calloc(calls, sizeof *took);
  double service_cpu = 0, bus_cpu = 0, start = 0;
  for (int i = -calls / 10; i < calls; i++) {
    if (i == 0) {
      service_cpu = cpu_us(service);
      bus_cpu = cpu_us(bus);
      start = now_us();
    }
    double before = now_us();
    send_set_to(c, name, (i + calls) % ids);
    wait_reply(c);
    if (i >= 0) took[i] = now_us() - before;
  }
  double wall = now_us() - start;
  service_cpu = cpu_us(service) - service_cpu;
  bus_cpu = cpu_us(bus) - bus_cpu;
  qsort(took, calls, sizeof *took, by_size);
  printf("{\"p50_us\": %.2f, \"p99_us\": %.2f, \"wall_us\": %.2f, \"service_us\": %.2f, "
         "\"bus_us\": %.2f}\n",
         took[calls / 2], took[calls * 99 / 100], wall / calls, service_cpu / calls,
         bus_cpu / calls);
}

static void pipelined(int argc, char **argv) {
  const char *name = argv[2];
  int ids = number(argv, argc, 3), calls = number(argv, argc, 4), clients = number(argv, argc, 5);
  int window = number(argv, argc, 6), subscribers = number(argv, argc, 7);
  int service = number(argv, argc, 8), bus = number(argv, argc, 9);
  int poller = epoll_create1(0);
  struct client **all = calloc(clients + subscribers, sizeof *all);
  for (int i = 0; i < clients + subscribers; i++) {
    all[i] = connect_bus();
    if (i >= clients) add_match(all[i], "type='signal',interface='org.badged.Badges1'");
    fcntl(all[i]->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(poller, EPOLL_CTL_ADD, all[i]->fd, &event);
  }
  double service_cpu = cpu_us(service), bus_cpu = cpu_us(bus), start = now_us();
  int sent = 0, done = 0, waiting = subscribers;
  for (int i = 0; i < clients; i++)
    while (all[i]->outstanding < window && sent < calls) {
      send_set_to(all[i], name, sent++ % ids);
      all[i]->outstanding++;
    }
  int closing = 0;
  while (done < calls || waiting) {
    struct epoll_event events[128];
    int ready = epoll_wait(poller, events, 128, 10000);
    if (ready == 0) die("nothing came for ten seconds: %d of %d calls done", done, calls);
    for (int e = 0; e < ready; e++) {
      struct client *c = all[events[e].data.u32];
      int had = c->sentinel, replies = take(c);
      if (!had && c->sentinel) waiting--;
      if (events[e].data.u32 >= (uint32_t)clients) continue;
      done += replies;
      c->outstanding -= replies;
      // Refill half a window at once, like a client that batches its writes.
      if (c->outstanding <= window / 2)
        while (c->outstanding < window && sent < calls) {
          send_set_to(c, name, sent++ % ids);
          c->outstanding++;
        }
    }
    if (done >= calls && subscribers && !closing) {
      closing = 1;
      calls++;
      sent++;
      send_set(all[0], name, sentinel);
    }
  }
  double wall = now_us() - start;
  service_cpu = cpu_us(service) - service_cpu;
  bus_cpu = cpu_us(bus) - bus_cpu;
  printf("{\"wall_us\": %.3f, \"service_us\": %.3f, \"bus_us\": %.3f}\n", wall / calls,
         service_cpu / calls, bus_cpu / calls);
}

static void paced(int argc, char **argv) {
  const char *name = argv[2];
  int ids = number(argv, argc, 3), calls = number(argv, argc, 4), pause = number(argv, argc, 5);
  struct client *c = connect_bus();
  for (int i = 0; i < calls; i++) {
    send_set_to(c, name, i % ids);
    wait_reply(c);
    struct timespec t = {pause / 1000, pause % 1000 * 1000000L};
    nanosleep(&t, NULL);
  }
  printf("{\"calls\": %d}\n", calls);
}

static void start(int argc, char **argv) {
  if (argc < 4) die("too few arguments");
  struct client *c = connect_bus();
  char rule[400];
  snprintf(rule, sizeof rule,
           "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'",
           argv[2]);
  add_match(c, rule);
  double before = now_us();
  pid_t child = vfork();
  if (child == 0) {
    execvp(argv[3], argv + 3);
    _exit(127);
  }
  for (int owned = 0; !owned;) {
    struct pollfd p = {c->fd, POLLIN, 0};
    if (poll(&p, 1, 10000) != 1) die("%s did not acquire its name", argv[3]);
    ssize_t n = recv(c->fd, c->input, sizeof c->input, 0);
    if (n <= 0) die("the bus closed the connection");
    owned = memmem(c->input, n, argv[2], strlen(argv[2])) != NULL;
  }
  double took = now_us() - before;
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  printf("{\"start_us\": %.1f}\n", took);
}

static void spawn(int argc, char **argv) {
  if (argc < 3) die("too few arguments");
  int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
  double before = now_us();
  pid_t child = vfork();
  if (child == 0) {
    dup2(quiet, 1);
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  double took = now_us() - before;
  if (status) die("%s failed", argv[2]);
  printf("{\"wall_us\": %.1f, \"peak_kb\": %ld}\n", took, usage.ru_maxrss);
}

int main(int argc, char **argv) {
  value = (int64_t)now_us() % 1000000;
  if (argc < 3) die("which mode?");
  if (!strcmp(argv[1], "lone")) lone(argc, argv);
  else if (!strcmp(argv[1], "pipe")) pipelined(argc, argv);
  else if (!strcmp(argv[1], "paced")) paced(argc, argv);
  else if (!strcmp(argv[1], "start")) start(argc, argv);
  else if (!strcmp(argv[1], "spawn")) spawn(argc, argv);
  else die("no mode '%s'", argv[1]);
  return 0;
}
