// swift-tools-version: 6.2

import PackageDescription

/// Set by `.ci/run`: a warning then fails the build. Off elsewhere, so that a newer compiler's new
/// warning never keeps a user from building.
let strict = Context.environment["RULES_CHECK_STRICT"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "rules-check",
  products: [.executable(name: "rules-check", targets: ["rules-check"])],
  targets: [
    .target(name: "RulesLang", swiftSettings: settings),
    .target(name: "RulesEval", dependencies: ["RulesLang"], swiftSettings: settings),
    .target(name: "RulesProof", dependencies: ["RulesLang", "RulesEval"], swiftSettings: settings),
    .executableTarget(
      name: "rules-check", dependencies: ["RulesLang", "RulesEval", "RulesProof"],
      swiftSettings: settings),
    .testTarget(
      name: "RulesTests",
      dependencies: ["RulesLang", "RulesEval", "RulesProof", "rules-check"],
      exclude: ["Golden", "Regressions", "Conformance"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
