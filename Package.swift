// swift-tools-version: 6.2

import PackageDescription

#if canImport(Glibc)
  import Glibc

  /// Whether the C library is there in the form that becomes part of a program.
  let hasStaticC = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
    .contains { access($0 + "/libc.a", R_OK) == 0 }
#else
  let hasStaticC = false
#endif

/// Set by `.ci/run`: a warning then fails the build. Off elsewhere, so that a newer compiler's new
/// warning never keeps a user from building.
let strict = Context.environment["RULES_CHECK_STRICT"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// A release is one file that needs nothing where it runs, and that starts at once because no library
/// has to be found and tied to it. Where the C library cannot be had as part of a program, at least
/// Swift's libraries are. RULES_CHECK_DYNAMIC is for tests in release mode, whose own libraries come
/// only as dynamic ones.
let alone =
  Context.environment["RULES_CHECK_DYNAMIC"] == nil
  ? [
    LinkerSetting.unsafeFlags(
      hasStaticC ? ["-static-executable", "-use-ld=lld"] : ["-static-stdlib"],
      .when(platforms: [.linux], configuration: .release))
  ] : []

/// The module that `RULES_CHECK_ONLY` names: it, its tests and what they need are all that is built then.
let only = Context.environment["RULES_CHECK_ONLY"]

let package = Package(
  name: "rules-check",
  // The oldest of Apple's systems whose standard library has 128-bit integers and atomics. What is newer
  // `Release/platforms.py` finds, on any system.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "rules-check", targets: ["rules-check"]),
    .library(name: "RulesCheck", targets: ["RulesCheck"]),
    .library(name: "RulesCheckTesting", targets: ["RulesCheckTesting"]),
  ],
  targets: [
    .target(name: "RulesLang", swiftSettings: settings),
    .target(name: "RulesStyle", dependencies: ["RulesLang"], swiftSettings: settings),
    .target(name: "RulesEval", dependencies: ["RulesLang"], swiftSettings: settings),
    .target(
      name: "RulesVerify", dependencies: ["RulesLang", "RulesEval"], swiftSettings: settings),
    .target(
      name: "RulesSolver", dependencies: ["RulesLang", "RulesEval"], swiftSettings: settings),
    .target(
      name: "RulesEncoding", dependencies: ["RulesLang", "RulesEval", "RulesSolver"],
      swiftSettings: settings),
    .target(
      name: "RulesProof",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      ],
      swiftSettings: settings),
    .target(
      name: "RulesReport", dependencies: ["RulesLang", "RulesStyle", "RulesEval"],
      swiftSettings: settings),
    .target(
      name: "RulesProofReport",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport",
      ],
      swiftSettings: settings),
    .target(
      name: "RulesService",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport",
      ],
      swiftSettings: settings),
    .target(
      name: "RulesPage",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesService",
      ],
      swiftSettings: settings),
    // What other packages see: everything below is theirs only by way of it.
    .target(
      name: "RulesCheck",
      dependencies: [
        "RulesLang", "RulesEval", "RulesSolver", "RulesProof", "RulesReport", "RulesProofReport",
      ],
      swiftSettings: settings),
    // Expectations for tests of apps. Only this module uses the frameworks of tests, where there are some.
    .target(name: "RulesCheckTesting", dependencies: ["RulesCheck"], swiftSettings: settings),
    // The Firestore emulator: bytes, messages, documents, and the services over them.
    .target(name: "FirestoreTransport", swiftSettings: settings),
    .target(
      name: "FirestoreWire", dependencies: ["RulesLang", "RulesEval"], swiftSettings: settings),
    .target(
      name: "FirestoreStore", dependencies: ["RulesLang", "RulesEval"], swiftSettings: settings),
    .target(
      name: "FirestoreServer",
      dependencies: [
        "RulesLang", "RulesEval", "FirestoreTransport", "FirestoreWire", "FirestoreStore",
      ],
      swiftSettings: settings),
    // A header of the system's C library; nothing is compiled.
    .systemLibrary(name: "CEpoll"),
    .target(
      name: "RulesHost", dependencies: ["RulesLang", "RulesEval", "CEpoll"],
      swiftSettings: settings),
    .executableTarget(
      name: "rules-check",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesService", "RulesHost",
        "FirestoreTransport", "FirestoreWire", "FirestoreStore", "FirestoreServer",
      ],
      swiftSettings: settings, linkerSettings: alone),
    .executableTarget(
      name: "rules-check-dev",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesHost",
        "FirestoreTransport", "FirestoreWire", "FirestoreStore", "FirestoreServer",
      ],
      swiftSettings: settings, linkerSettings: alone),
    // What several targets of tests share; nothing else uses it.
    .target(
      name: "RulesTesting", dependencies: ["RulesLang", "RulesStyle", "RulesEval"],
      path: "Tests/RulesTesting", swiftSettings: settings),
    .target(
      name: "RulesProofTesting",
      dependencies: ["RulesLang", "RulesEval", "RulesVerify", "RulesProof"],
      path: "Tests/RulesProofTesting", swiftSettings: settings),
    .testTarget(
      name: "RulesLangTests", dependencies: ["RulesLang", "RulesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "RulesStyleTests", dependencies: ["RulesLang", "RulesStyle", "RulesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "RulesEvalTests", dependencies: ["RulesLang", "RulesEval", "RulesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "RulesSolverTests",
      dependencies: ["RulesLang", "RulesEval", "RulesSolver", "RulesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "RulesEncodingTests",
      dependencies: [
        "RulesLang", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify", "RulesProof",
        "RulesTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesVerifyTests",
      dependencies: [
        "RulesLang", "RulesEval", "RulesVerify", "RulesProof", "RulesTesting", "RulesProofTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesProofTests",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof",
        "RulesTesting", "RulesProofTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesReportTests",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesReport", "RulesTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesProofReportTests",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesServiceTests",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesService", "RulesTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesPageTests", dependencies: ["RulesLang", "RulesEval", "RulesPage"],
      swiftSettings: settings),
    .testTarget(
      name: "FirestoreTransportTests", dependencies: ["FirestoreTransport"],
      swiftSettings: settings),
    .testTarget(
      name: "FirestoreWireTests", dependencies: ["RulesLang", "RulesEval", "FirestoreWire"],
      swiftSettings: settings),
    .testTarget(
      name: "FirestoreStoreTests", dependencies: ["RulesLang", "RulesEval", "FirestoreStore"],
      swiftSettings: settings),
    .testTarget(
      name: "FirestoreServerTests",
      dependencies: [
        "RulesLang", "RulesEval", "FirestoreTransport", "FirestoreWire", "FirestoreStore",
        "FirestoreServer",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RulesHostTests",
      dependencies: ["RulesLang", "RulesEval", "RulesHost", "RulesTesting"],
      swiftSettings: settings),
    // The tests of an app that uses the library, which are also those of the package in Examples/AppTests.
    .testTarget(
      name: "AppTests", dependencies: ["RulesCheck", "RulesCheckTesting"],
      path: "Examples/AppTests/Tests/AppTests"),
    .testTarget(
      name: "RulesTests",
      dependencies: [
        "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
        "RulesProof", "RulesReport", "RulesProofReport", "RulesService", "RulesPage", "RulesHost",
        "RulesCheck", "RulesCheckTesting", "rules-check", "rules-check-dev", "RulesTesting",
        "RulesProofTesting",
        "FirestoreTransport", "FirestoreWire", "FirestoreStore", "FirestoreServer",
      ],
      exclude: ["Golden", "Regressions", "Conformance"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

if let only {
  var pending = [only, only + "Tests"]
  var kept: Set<String> = []
  while let name = pending.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }),
      kept.insert(name).inserted
    else { continue }
    for case .byNameItem(let needed, _) in target.dependencies { pending.append(needed) }
  }
  precondition(!kept.isEmpty, "RULES_CHECK_ONLY names no module: \(only)")
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    switch product {
    case let program as Product.Executable: !program.targets.allSatisfy(kept.contains)
    case let library as Product.Library: !library.targets.allSatisfy(kept.contains)
    default: true
    }
  }
}
