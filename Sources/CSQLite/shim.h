// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>

// sqlite3_config and sqlite3_db_config are variadic, which Swift can't call.
static inline int csqlite_config(int option, int value) {
  return sqlite3_config(option, value);
}

static inline int csqlite_db_config(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// Binds a copy of the text; SQLITE_TRANSIENT is a cast, which Swift can't import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
