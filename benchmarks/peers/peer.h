// SPDX-License-Identifier: MIT
// Shared by the peers: the D-Bus names and a small hash map of id to count.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PEER_PATH "/org/badged/Badges1"
#define PEER_INTERFACE "org.badged.Badges1"

struct peer_badge {
  struct peer_badge *next;
  int64_t count;
  char id[];
};

static inline void peer_store(const char *id, int64_t count) {
  static struct peer_badge *buckets[8192];
  uint32_t hash = 5381;
  for (const char *byte = id; *byte; byte++) hash = hash * 33 + (unsigned char)*byte;
  struct peer_badge **bucket = &buckets[hash % 8192];
  for (struct peer_badge *badge = *bucket; badge; badge = badge->next)
    if (strcmp(badge->id, id) == 0) {
      badge->count = count;
      return;
    }
  struct peer_badge *badge = malloc(sizeof *badge + strlen(id) + 1);
  if (!badge) abort();
  strcpy(badge->id, id);
  badge->count = count;
  badge->next = *bucket;
  *bucket = badge;
}
