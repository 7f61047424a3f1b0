// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// Elsewhere than in badged's own folder, `path` is where that is.
let package = Package(
  name: "badge-bell",
  dependencies: [.package(name: "badged", path: "../..")],
  targets: [
    .executableTarget(
      name: "badge-bell",
      dependencies: [.product(name: "BadgeClient", package: "badged")]
    )
  ]
)
