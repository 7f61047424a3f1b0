// SPDX-License-Identifier: MIT
// The same service on GDBus.
#include "peer.h"

#include <gio/gio.h>

static const char description[] =
    "<node><interface name='" PEER_INTERFACE "'>"
    "<method name='Set'><arg type='s' direction='in'/><arg type='x' direction='in'/></method>"
    "<signal name='Changed'><arg type='s'/><arg type='a{sv}'/><arg type='a{sv}'/>"
    "<arg type='t'/></signal></interface></node>";

static void called(GDBusConnection *connection, const char *sender, const char *path,
                   const char *interface, const char *method, GVariant *arguments,
                   GDBusMethodInvocation *invocation, gpointer data) {
  (void)sender, (void)path, (void)interface, (void)method, (void)data;
  static guint64 revision;
  const char *id;
  gint64 count;
  g_variant_get(arguments, "(&sx)", &id, &count);
  peer_store(id, count);
  g_dbus_method_invocation_return_value(invocation, NULL);
  char digits[24];
  g_snprintf(digits, sizeof digits, "%lld", (long long)count);
  GVariantBuilder badge, animation;
  g_variant_builder_init(&badge, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(&badge, "{sv}", "kind", g_variant_new_string("number"));
  g_variant_builder_add(&badge, "{sv}", "count", g_variant_new_int64(count));
  g_variant_builder_add(&badge, "{sv}", "label", g_variant_new_string(digits));
  g_variant_builder_add(&badge, "{sv}", "visible", g_variant_new_boolean(count > 0));
  g_variant_builder_add(&badge, "{sv}", "urgent", g_variant_new_boolean(FALSE));
  g_variant_builder_init(&animation, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(&animation, "{sv}", "name", g_variant_new_string("bounce"));
  g_dbus_connection_emit_signal(
      connection, NULL, PEER_PATH, PEER_INTERFACE, "Changed",
      g_variant_new("(sa{sv}a{sv}t)", id, &badge, &animation, ++revision), NULL);
}

static const GDBusInterfaceVTable table = {.method_call = called};

static void acquired(GDBusConnection *connection, const char *name, gpointer data) {
  (void)name;
  GDBusNodeInfo *node = data;
  g_dbus_connection_register_object(connection, PEER_PATH, node->interfaces[0], &table, NULL, NULL,
                                    NULL);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(description, NULL);
  g_bus_own_name(G_BUS_TYPE_SESSION, argv[1], G_BUS_NAME_OWNER_FLAGS_NONE, acquired, NULL, NULL,
                 node, NULL);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
