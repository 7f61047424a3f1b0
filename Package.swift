// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// A fully static release build (see scripts/build) links libdbus-1.a, which refers to two functions of
/// libsystemd that a client never calls. CStaticStubs defines them.
let isStatic = Context.environment["BADGED_STATIC"] == "1"

let staticStubs: [Target.Dependency] = isStatic ? ["CStaticStubs"] : []

/// The programs carry the Swift runtime, so that they run where Swift is not installed. Fully static ones
/// are linked by lld, whose layout takes a megabyte less of resident memory than gold's.
let programLinking: [LinkerSetting] = [
  .unsafeFlags([isStatic ? "-use-ld=lld" : "-static-stdlib"], .when(configuration: .release))
]

let package = Package(
  name: "badged",
  products: [
    .library(name: "BadgeClient", targets: ["BadgeClient", "BadgeCore"]),
    .executable(name: "badged", targets: ["badged"]),
    .executable(name: "badgectl", targets: ["badgectl"]),
  ],
  targets: [
    // System libraries: a module map and a shim header each.
    .systemLibrary(
      name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Adapters and the domain.
    .target(name: "EventLoop", dependencies: ["CLinux"]),
    .target(name: "DBus", dependencies: ["CDBus", "CLinux", "EventLoop"]),
    .target(name: "BadgeCore"),
    .target(name: "BadgeBus", dependencies: ["BadgeCore", "DBus"]),
    .target(name: "BadgeStore", dependencies: ["CSQLite", "CLinux", "BadgeCore"]),
    .target(name: "LauncherEntry", dependencies: ["BadgeCore", "CLinux", "DBus", "EventLoop"]),
    .target(
      name: "BadgeService",
      dependencies: [
        "BadgeBus", "BadgeCore", "BadgeStore", "CLinux", "DBus", "EventLoop", "LauncherEntry",
      ]),
    .target(
      name: "BadgeClient", dependencies: ["BadgeBus", "BadgeCore", "CLinux", "DBus", "EventLoop"]),
    .target(
      name: "BadgeCommand",
      dependencies: ["BadgeClient", "BadgeCore", "CLinux", "DBus", "EventLoop"]),

    // Programs.
    .executableTarget(
      name: "badged",
      dependencies: [
        "BadgeBus", "BadgeCore", "BadgeService", "BadgeStore", "DBus", "EventLoop", "LauncherEntry",
      ] + staticStubs,
      linkerSettings: programLinking),
    .executableTarget(
      name: "badgectl", dependencies: ["BadgeCommand"] + staticStubs,
      linkerSettings: programLinking),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["CLinux", "DBus", "EventLoop"],
      path: "Tests/TestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["EventLoop", "TestSupport"]),
    .testTarget(name: "EventLoopTests", dependencies: ["CLinux", "EventLoop", "TestSupport"]),
    .testTarget(
      name: "DBusTests", dependencies: ["CDBus", "CLinux", "DBus", "EventLoop", "TestSupport"]),
    .testTarget(name: "BadgeCoreTests", dependencies: ["BadgeCore", "TestSupport"]),
    .testTarget(name: "BadgeBusTests", dependencies: ["BadgeBus", "BadgeCore", "DBus"]),
    .testTarget(
      name: "BadgeStoreTests",
      dependencies: ["BadgeCore", "BadgeStore", "CLinux", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "LauncherEntryTests",
      dependencies: ["BadgeCore", "CLinux", "DBus", "EventLoop", "LauncherEntry", "TestSupport"]),
    .testTarget(
      name: "BadgeServiceTests",
      dependencies: ["CLinux", 
        "BadgeBus", "BadgeCore", "BadgeService", "BadgeStore", "DBus", "EventLoop", "LauncherEntry",
        "TestSupport",
      ]),
    .testTarget(
      name: "BadgeClientTests",
      dependencies: ["BadgeClient", "BadgeCore", "DBus", "EventLoop", "TestSupport"]),
    .testTarget(
      name: "BadgeCommandTests",
      dependencies: ["CLinux", "BadgeClient", "BadgeCommand", "BadgeCore", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "BadgeClient", "BadgeCore", "DBus", "EventLoop", "TestSupport", "badged", "badgectl",
      ]),
  ] + (isStatic ? [.target(name: "CStaticStubs")] : []),
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.name != "CStaticStubs" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .strictMemorySafety(),
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
