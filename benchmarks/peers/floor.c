// SPDX-License-Identifier: MIT
// The floor: Set and one small Changed per call, in plain C on libdbus. Counts are kept in memory, or,
// built with -DDURABLE, in an SQLite database, which is the same work as badged does: one prepared
// upsert, committed before the reply, in WAL mode with synchronous=NORMAL.
//
//   floor NAME              durable NAME DATABASE
#include "peer.h"

#include <dbus/dbus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef DURABLE
#include <sqlite3.h>

static sqlite3_stmt *upsert;

static void open_database(const char *path) {
  sqlite3 *database;
  if (sqlite3_open(path, &database) != SQLITE_OK ||
      sqlite3_exec(database,
                   "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                   "CREATE TABLE IF NOT EXISTS badge (id TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID",
                   NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(database,
                         "INSERT INTO badge VALUES (?1, ?2)"
                         " ON CONFLICT (id) DO UPDATE SET count = excluded.count",
                         -1, &upsert, NULL) != SQLITE_OK) {
    fprintf(stderr, "durable: %s\n", sqlite3_errmsg(database));
    exit(1);
  }
}

// Outside a transaction each statement commits by itself.
static void store(const char *id, int64_t count) {
  sqlite3_bind_text(upsert, 1, id, -1, SQLITE_STATIC);
  sqlite3_bind_int64(upsert, 2, count);
  if (sqlite3_step(upsert) != SQLITE_DONE) abort();
  sqlite3_reset(upsert);
}
#else
#define store peer_store
#endif

static void entry(DBusMessageIter *dictionary, const char *key, int type, const char *signature,
                  const void *value) {
  DBusMessageIter pair, variant;
  dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &pair);
  dbus_message_iter_append_basic(&pair, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&pair, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&pair, &variant);
  dbus_message_iter_close_container(dictionary, &pair);
}

static void publish(DBusConnection *connection, const char *id, dbus_int64_t count,
                    dbus_uint64_t revision) {
  DBusMessage *signal = dbus_message_new_signal(PEER_PATH, PEER_INTERFACE, "Changed");
  DBusMessageIter body, badge, animation;
  dbus_message_iter_init_append(signal, &body);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_STRING, &id);
  dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &badge);
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)count);
  const char *kind = "number", *label = digits, *name = "bounce";
  dbus_bool_t visible = count > 0, urgent = FALSE;
  entry(&badge, "kind", DBUS_TYPE_STRING, "s", &kind);
  entry(&badge, "count", DBUS_TYPE_INT64, "x", &count);
  entry(&badge, "label", DBUS_TYPE_STRING, "s", &label);
  entry(&badge, "visible", DBUS_TYPE_BOOLEAN, "b", &visible);
  entry(&badge, "urgent", DBUS_TYPE_BOOLEAN, "b", &urgent);
  dbus_message_iter_close_container(&body, &badge);
  dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &animation);
  entry(&animation, "name", DBUS_TYPE_STRING, "s", &name);
  dbus_message_iter_close_container(&body, &animation);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_UINT64, &revision);
  dbus_connection_send(connection, signal, NULL);
  dbus_message_unref(signal);
}

static DBusHandlerResult handle(DBusConnection *connection, DBusMessage *message, void *data) {
  (void)data;
  static dbus_uint64_t revision;
  if (!dbus_message_is_method_call(message, PEER_INTERFACE, "Set"))
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  const char *id;
  dbus_int64_t count;
  DBusMessage *reply;
  if (dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &id, DBUS_TYPE_INT64, &count,
                            DBUS_TYPE_INVALID)) {
    store(id, count);
    reply = dbus_message_new_method_return(message);
    dbus_connection_send(connection, reply, NULL);
    publish(connection, id, count, ++revision);
  } else {
    reply = dbus_message_new_error(message, DBUS_ERROR_INVALID_ARGS, "Set takes (sx)");
    dbus_connection_send(connection, reply, NULL);
  }
  dbus_message_unref(reply);
  return DBUS_HANDLER_RESULT_HANDLED;
}

static void terminated(int signal) {
  (void)signal;
  exit(0);
}

int main(int argc, char **argv) {
#ifdef DURABLE
  if (argc != 3) return 2;
  open_database(argv[2]);
#else
  if (argc != 2) return 2;
#endif
  signal(SIGTERM, terminated);
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!connection) {
    fprintf(stderr, "floor: %s\n", error.message);
    return 1;
  }
  DBusObjectPathVTable table = {.message_function = handle};
  dbus_connection_register_object_path(connection, PEER_PATH, &table, NULL);
  dbus_bus_request_name(connection, argv[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL);
  while (dbus_connection_read_write_dispatch(connection, -1)) {
  }
  return 0;
}
