// swift-tools-version: 6.2

import PackageDescription

// The tests of an app beside its firestore.rules. In your own package the dependency has an address and
// a version instead of a path.
let package = Package(
  name: "AppTests",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "rules-check", path: "../..")],
  targets: [
    .testTarget(
      name: "AppTests",
      dependencies: [
        .product(name: "RulesCheck", package: "rules-check"),
        .product(name: "RulesCheckTesting", package: "rules-check"),
      ])
  ]
)
