// SPDX-License-Identifier: MIT
// libdbus-1.a names these two for bus servers that are started by socket activation; a client of
// the bus never calls them, so a static program needs no libsystemd.
int sd_listen_fds(int unset_environment) { (void)unset_environment; return 0; }
int sd_is_socket(int fd, int family, int type, int listening) {
  (void)fd; (void)family; (void)type; (void)listening; return 0;
}
