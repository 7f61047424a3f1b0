// SPDX-License-Identifier: MIT
// The same service on sd-bus.
#include "peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

static int set(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  static uint64_t revision;
  const char *id;
  int64_t count;
  int status = sd_bus_message_read(message, "sx", &id, &count);
  if (status < 0) return status;
  peer_store(id, count);
  status = sd_bus_reply_method_return(message, "");
  if (status < 0) return status;
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)count);
  return sd_bus_emit_signal(sd_bus_message_get_bus(message), PEER_PATH, PEER_INTERFACE, "Changed",
                            "sa{sv}a{sv}t", id, 5, "kind", "s", "number", "count", "x", count,
                            "label", "s", digits, "visible", "b", count > 0, "urgent", "b", 0, 1,
                            "name", "s", "bounce", ++revision);
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("Set", "sx", "", set, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("Changed", "sa{sv}a{sv}t", 0), SD_BUS_VTABLE_END};

static void terminated(int signal) {
  (void)signal;
  exit(0);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  signal(SIGTERM, terminated);
  sd_bus *bus = NULL;
  int status = sd_bus_open_user(&bus);
  if (status >= 0) status = sd_bus_add_object_vtable(bus, NULL, PEER_PATH, PEER_INTERFACE, table, NULL);
  if (status >= 0) status = sd_bus_request_name(bus, argv[1], 0);
  while (status >= 0) {
    status = sd_bus_process(bus, NULL);
    if (status == 0) status = sd_bus_wait(bus, UINT64_MAX);
  }
  fprintf(stderr, "sdbus: %s\n", strerror(-status));
  return 1;
}
