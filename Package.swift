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

/// The compiler lets every module use the runtime's libraries for concurrency and for regular
/// expressions. Nothing here does, and without them a process starts in two thirds of the time.
let lean = [
  SwiftSetting.unsafeFlags([
    "-Xfrontend", "-disable-implicit-concurrency-module-import",
    "-Xfrontend", "-disable-implicit-string-processing-module-import",
  ])
]

let package = Package(
  name: "rules-check",
  products: [.executable(name: "rules-check", targets: ["rules-check"])],
  targets: [
    .target(name: "RulesLang", swiftSettings: settings + lean),
    .target(name: "RulesEval", dependencies: ["RulesLang"], swiftSettings: settings + lean),
    .target(
      name: "RulesProof", dependencies: ["RulesLang", "RulesEval"],
      swiftSettings: settings + lean),
    .executableTarget(
      name: "rules-check", dependencies: ["RulesLang", "RulesEval", "RulesProof"],
      swiftSettings: settings + lean),
    .testTarget(
      name: "RulesTests",
      dependencies: ["RulesLang", "RulesEval", "RulesProof", "rules-check"],
      exclude: ["Golden", "Regressions", "Conformance"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
