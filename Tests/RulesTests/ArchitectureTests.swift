import Foundation
import RulesStyle
import Testing

@testable import RulesTesting

/// The rules of the house that can be read off the sources.
@Suite struct ArchitectureTests {
  /// A source file: its path from the package's folder, and its lines.
  struct Source {
    var path: String
    var lines: [String]
  }

  /// Every file below `Sources`, sorted.
  static let sources = files(below: "Sources")

  /// Every file below `Tests`, sorted.
  static let tests = files(below: "Tests")

  /// Declarations of each file below `Sources`, by its path.
  private static let declarations = Dictionary(
    uniqueKeysWithValues: sources.map { ($0.path, SwiftDeclaration.all(in: $0.lines)) })

  private static func files(below folder: String) -> [Source] {
    let package = CommandLineCase.package
    let walker = FileManager.default.enumerator(
      at: package.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    var sources: [Source] = []
    while let file = walker?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      let path = file.path.replacingOccurrences(of: package.path + "/", with: "")
      sources.append(Source(path: path, lines: text.components(separatedBy: "\n")))
    }
    return sources.sorted { $0.path < $1.path }
  }

  /// What each module may import.
  private static let imports: [String: Set<String>] = [
    "RulesLang": [],
    "RulesStyle": ["RulesLang"],
    "RulesEval": ["RulesLang"],
    "RulesSolver": ["RulesLang", "RulesEval"],
    "RulesEncoding": ["RulesLang", "RulesEval", "RulesSolver"],
    "RulesVerify": ["RulesLang", "RulesEval"],
    "RulesProof": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
    ],
    "RulesReport": ["RulesLang", "RulesStyle", "RulesEval"],
    "RulesProofReport": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      "RulesProof", "RulesReport",
    ],
    "RulesPage": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      "RulesProof", "RulesReport", "RulesProofReport", "RulesService",
    ],
    "RulesCheck": [
      "RulesLang", "RulesEval", "RulesSolver", "RulesProof", "RulesReport", "RulesProofReport",
      "Glibc", "Musl", "Android", "Darwin", "Foundation", "FoundationEssentials",
    ],
    "RulesCheckTesting": ["RulesCheck", "Testing", "XCTest", "Foundation", "FoundationEssentials"],
    "RulesService": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      "RulesProof", "RulesReport", "RulesProofReport",
    ],
    "FirestoreTransport": [],
    "FirestoreWire": ["RulesLang", "RulesEval"],
    "FirestoreStore": ["RulesLang", "RulesEval"],
    "FirestoreServer": [
      "RulesLang", "RulesEval", "FirestoreTransport", "FirestoreWire", "FirestoreStore",
    ],
    "RulesHost": [
      "RulesLang", "RulesEval", "CEpoll", "Glibc", "Musl", "Darwin", "Foundation",
      "Synchronization",
    ],
    "rules-check": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      "RulesProof", "RulesReport", "RulesProofReport", "RulesService", "RulesHost",
      "FirestoreTransport", "FirestoreWire", "FirestoreStore", "FirestoreServer", "Glibc", "Musl",
      "Darwin", "Synchronization",
    ],
    "rules-check-dev": [
      "RulesLang", "RulesStyle", "RulesEval", "RulesSolver", "RulesEncoding", "RulesVerify",
      "RulesProof", "RulesReport", "RulesProofReport", "RulesHost", "FirestoreTransport",
      "FirestoreWire", "FirestoreStore", "FirestoreServer", "Glibc", "Musl", "Darwin",
    ],
  ]

  @Test func dependenciesPointOneWayAndTheCoreImportsNothingElse() {
    #expect(Self.sources.count > 50)
    for source in Self.sources {
      let module = source.path.components(separatedBy: "/")[1]
      for line in source.lines {
        guard let name = Self.imported(line) else { continue }
        #expect(Self.imports[module]?.contains(name) == true, "\(source.path) imports \(name)")
      }
    }
  }

  /// What the solver works on are terms and propositions, not rules: no name of a statement, a kind of
  /// request or a checked tree stands in it.
  @Test func theSolverKnowsNothingOfRules() {
    let names: Set<Substring> = [
      "Checked", "Ruleset", "Allow", "AllowID", "MatchID", "FunctionID", "Expression", "ExprID",
      "Request", "Engine", "Decision", "Claim",
    ]
    for source in Self.sources where source.path.hasPrefix("Sources/RulesSolver/") {
      for (index, line) in source.lines.enumerated() {
        let code = line.components(separatedBy: "//")[0]
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        #expect(names.isDisjoint(with: words), "\(source.path):\(index + 1) \(line)")
      }
    }
  }

  private static func imported(_ line: String) -> String? {
    let words = line.split(separator: " ").map(String.init)
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
      words[..<place].allSatisfy({ ["public", "internal", "private", "package"].contains($0) })
    else { return nil }
    return words[place + 1]
  }

  /// What has to be believed of a certificate is as long as Docs/Proofs.md says, give or take a twentieth.
  @Test func theCheckerIsAsLongAsTheDocumentSays() throws {
    let page = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Docs/Proofs.md"), encoding: .utf8)
    let words = page.replacingOccurrences(of: "\n", with: " ")
    let readers = ["Certificate", "CertificateReader", "StepReader", "TermText"]
    let rules = ["ValueRule", "ValueRule+Words", "ClauseBase", "GroundTexts"]
    let parts: [(said: String, files: [String])] = [
      ("`Sources/RulesVerify`, of about ", [""]),
      ("for constants. ", readers.map { "Check/\($0).swift" }),
      ("the rules about values above (", rules.map { "Check/\($0).swift" }),
      ("(`Sources/RulesVerify/Question`, ", ["Question/"]),
      ("(`Sources/RulesVerify/Encode`, ", ["Encode/"]),
    ]
    for (said, files) in parts {
      let start = try #require(words.range(of: said)?.upperBound, "\(said)")
      let number = words[start...].prefix { $0.isNumber || $0 == "," }
      let claimed = try #require(Int(number.filter { $0 != "," }), "\(said)")
      let counted = Self.sources.filter { source in
        files.contains { source.path.hasPrefix("Sources/RulesVerify/\($0)") }
      }.reduce(0) { $0 + $1.lines.count - 1 }
      #expect(abs(counted - claimed) * 20 <= claimed, "\(said)\(claimed): it is \(counted)")
    }
  }

  @Test func noFileIsLongerThan500Lines() {
    for source in Self.sources {
      #expect(source.lines.count <= 501, "\(source.path) has \(source.lines.count) lines")
    }
  }

  @Test func noFunctionIsLongerThan60Lines() {
    for source in Self.sources {
      for (index, line) in source.lines.enumerated() where Self.beginsFunction(line) {
        let indent = line.prefix { $0 == " " }
        // A requirement ends with its parameters, and so does a function whose body is `{}`.
        let end =
          source.lines[index...].firstIndex {
            $0 == indent + "}" || $0.hasPrefix(indent + ")") && !$0.hasSuffix("{")
          } ?? index
        #expect(end - index < 60, "\(source.path):\(index + 1) has \(end - index + 1) lines")
      }
    }
  }

  /// Whether a function begins on a line: its body, or parameters that take more lines than one.
  private static func beginsFunction(_ line: String) -> Bool {
    (line.utf8.last == UInt8(ascii: "{") || line.utf8.last == UInt8(ascii: "("))
      && line.range(of: #"^\s*([a-z@()]+ )*(func |init[?(<])"#, options: .regularExpression) != nil
  }

  /// Two bare arguments side by side do not say which is which. Only where their order does not
  /// matter, or the name of the function says it all, are there no labels.
  @Test func fewFunctionsHaveTwoParametersWithoutLabels() {
    var count = 0
    var bare: [String] = []
    for source in Self.sources {
      let signatures = SwiftSignature.all(in: source.lines.joined(separator: "\n"))
      count += signatures.count
      for signature in signatures where signature.labels.count(where: { $0 == nil }) > 1 {
        bare.append("\(source.path):\(signature.line) \(signature.name)")
      }
    }
    #expect(count > 4000)
    #expect(
      bare.count * 100 < count * 8,
      "\(bare.count) of \(count):\n\(bare.joined(separator: "\n"))")
  }

  @Test func signaturesAreReadAsTheCompilerReadsThem() {
    let source = ##"""
      // func no(_ a: Int, _ b: Int) {}
      /* func nor(_ a: Int, /* func deep(_ a: Int) */ _ b: Int) {} */
      struct Pair<A, B> {
        init?(_ a: A, _ b: B = .init(1, 2)) { self.init("func lost(_ a: Int) \("(\(a)")", b) }
        init(from old: A, _ new: (_ a: A, _ b: B) -> Void) { text = #"\(" func f(_ a: Int)"# }
        subscript(row: Int, at column: Int) -> Int { 0 }
        static func == (_ one: Pair, _ other: Pair) -> Bool { true }
        func `in`<C: Sequence<A>>(
          @Body(1, 2) _ many: [A: (Int, Int)],
          // The second one.
          _ few: (Int, Int) -> Set<Int>, for: Int
        ) {
          func inner() {}
        }
      }
      """##
    let lines = SwiftSignature.all(in: source).map { signature in
      let labels = signature.labels.map { ($0 ?? "_") + ":" }.joined()
      return "\(signature.line) \(signature.name)(\(labels))"
    }
    let expected = [
      "4 init(_:_:)", "5 init(from:_:)", "6 subscript(_:at:)", "8 `in`(_:_:for:)", "13 inner()",
    ]
    #expect(lines == expected)
  }

  @Test func whatOtherModulesSeeAndEveryTypeHasADocComment() {
    var count = 0
    for source in Self.sources {
      for declaration in Self.declarations[source.path] ?? [] {
        count += 1
        let isType = ["struct", "enum", "class", "protocol", "actor"].contains(declaration.keyword)
        guard declaration.isExported || isType else { continue }
        let line = source.lines[declaration.line - 1]
        #expect(declaration.hasComment, "\(source.path):\(declaration.line) \(line)")
      }
    }
    #expect(count > 4000)
  }

  /// So many declarations that only their own module sees have no doc comment, most of them properties
  /// whose names say it all. There must not be more.
  private static let uncommented = 742

  @Test func noMoreDeclarationsInsideOfModulesLackADocComment() {
    let bare = Self.sources.flatMap { source in
      (Self.declarations[source.path] ?? []).filter { !$0.hasComment }.map {
        "\(source.path):\($0.line) \(source.lines[$0.line - 1])"
      }
    }
    #expect(
      bare.count <= Self.uncommented, "\(bare.count):\n\(bare.joined(separator: "\n"))")
  }

  @Test func declarationsAreFoundWhereverTheyStand() {
    let source = """
      /// A type.
      @frozen
      public struct One<A>:
        Sendable
      {
        private(set) var two = 2
        /// A function.
        @inlinable package static func three(
          _ four: Int,
          five: (Int) -> Void
        ) -> Int {
          let six = 6
          func seven() {}
          return six
        }
        private var eight: Int { 8 }
        #if canImport(Glibc)
          let nine = \"""
            var ten = 10
            \"""
        #endif
      }

      private struct Hidden {
        var eleven = 11
      }

      extension Hidden {
        func twelve() {}
      }

      extension One where A: Equatable {
        public init?(thirteen: Int) { return nil }
        subscript(fourteen: Int) -> Int { 0 }
        static prefix func ! (fifteen: One) -> One { fifteen }
      }
      """
    let found = SwiftDeclaration.all(in: source.components(separatedBy: "\n")).map {
      "\($0.line) \($0.keyword)\($0.isExported ? " exported" : "")\($0.hasComment ? " ///" : "")"
    }
    let expected = [
      "3 struct exported ///", "6 var", "8 func exported ///", "18 let", "33 init exported",
      "34 subscript", "35 func",
    ]
    #expect(found == expected)
  }

  /// Comments are read in one glance; the formatter breaks code, but no comment.
  @Test func noCommentIsWiderThan110Columns() {
    for source in Self.sources + Self.tests {
      for (index, line) in source.lines.enumerated() where line.count > 110 {
        let isComment = line.drop { $0 == " " }.hasPrefix("//") || line.contains(" // ")
        #expect(!isComment, "\(source.path):\(index + 1) has \(line.count) columns")
      }
    }
  }

  /// What the compiler does not check about threads, and why it holds all the same.
  private static let unchecked = [
    "Sources/RulesEval/Compile/Table.swift": "owns its memory alone, as an array does",
    "Sources/rules-check/Replay/ReplayWorker.swift": "is used by one thread at a time",
  ]

  @Test func everythingUncheckedIsInTheListWithItsReason() {
    var found: [String] = []
    for source in Self.sources {
      for (index, line) in source.lines.enumerated() {
        let code = line.components(separatedBy: "//")[0]
        guard code.contains("@unchecked") || code.contains("@preconcurrency") else { continue }
        found.append(source.path)
        let around = source.lines[max(0, index - 3)...min(index + 3, source.lines.count - 1)]
        #expect(around.contains { $0.contains("// Safe:") }, "\(source.path):\(index + 1)")
      }
    }
    #expect(found.sorted() == Self.unchecked.keys.sorted())
  }

  /// The tests of a module have the folders of its rooms.
  @Test func theTreeOfTestsMirrorsTheSources() {
    let rooms = Set(Self.sources.map { $0.path.components(separatedBy: "/")[1...2] })
    let free: Set<String> = ["RulesTests", "RulesTesting", "RulesProofTesting"]
    for test in Self.tests {
      let parts = test.path.components(separatedBy: "/")
      guard !free.contains(parts[1]) else { continue }
      let module = String(parts[1].dropLast("Tests".count))
      #expect(parts.count == 4 && rooms.contains([module, parts[2]]), "\(test.path)")
    }
  }

  /// No module that users have knows one of tests.
  @Test func onlyTestsUseWhatTestsShare() throws {
    let manifest = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let targets = manifest.components(separatedBy: ".target(").flatMap {
      $0.components(separatedBy: ".executableTarget(")
    }
    for target in targets.dropFirst() {
      let own = target.components(separatedBy: ".testTarget(")[0]
      let dependencies = own.components(separatedBy: "dependencies: [").dropFirst().first ?? ""
      #expect(!(dependencies.components(separatedBy: "]")[0]).contains("Testing"), "\(own)")
    }
  }

  /// Flags for the linker would keep other packages from using a target by its version.
  @Test func onlyProgramsHaveUnsafeFlags() throws {
    let manifest = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let targets = try #require(manifest.components(separatedBy: "  targets: [").last)
    let flagged = ["alone", "linkerSettings", "unsafeFlags"]
    var programs = 0
    for target in targets.components(separatedBy: "\n    .").dropFirst() {
      guard flagged.contains(where: { target.contains($0) }) else { continue }
      #expect(target.hasPrefix("executableTarget("), "\(target)")
      programs += 1
    }
    #expect(programs == 2)
    let settings = try #require(manifest.components(separatedBy: "let settings").last)
    let own = settings.components(separatedBy: "\n///")[0]
    #expect(!own.contains("unsafeFlags"))
  }

  /// The library's interface has its own types and Foundation's dates and addresses, and none of the modules
  /// below.
  @Test func theLibraryShowsNoTypeOfTheModulesBelow() {
    let library = Self.sources.filter { $0.path.hasPrefix("Sources/RulesCheck/") }
    #expect(library.count > 5)
    let shown: Set<String> = ["Foundation", "FoundationEssentials"]
    for source in library {
      for line in source.lines {
        guard let name = Self.imported(line), !shown.contains(name) else { continue }
        #expect(line.hasPrefix("import ") || line.hasPrefix("  import "), "\(source.path): \(line)")
      }
    }
  }

  @Test func theCoreHasNothingThatEmbeddedSwiftLacks() {
    let banned = [#"\bany [A-Z]"#, #"\bas\? "#, #"\bAny\b"#, #"\bMirror\("#, #"\bweak var\b"#]
    let outside = [
      "Sources/RulesCheck/", "Sources/RulesHost/", "Sources/rules-check/",
      "Sources/rules-check-dev/",
    ]
    for source in Self.sources where !outside.contains(where: { source.path.hasPrefix($0) }) {
      for (index, code) in Self.code(of: source, matching: banned) {
        Issue.record("\(source.path):\(index + 1) \(code)")
      }
    }
  }

  /// The lines in whose code one of the patterns is found, each with its index: a file is searched as a whole
  /// before its lines are.
  private static func code(
    of source: Source, matching patterns: [String]
  ) -> [(index: Int, code: String)] {
    let pattern = patterns.joined(separator: "|")
    func isFound(in text: String) -> Bool {
      text.range(of: pattern, options: .regularExpression) != nil
    }
    guard isFound(in: source.lines.joined(separator: "\n")) else { return [] }
    return source.lines.enumerated().compactMap { index, line in
      guard isFound(in: line) else { return nil }
      let code = line.components(separatedBy: "//")[0]
      return isFound(in: code) ? (index, code) : nil
    }
  }

  @Test func patternsAreFoundInCodeAlone() {
    let lines = ["// any Value", "let a: any Value", "let b = 1 // as? b"]
    let source = Source(path: "", lines: lines)
    let found = Self.code(of: source, matching: [#"\bany [A-Z]"#, #"\bas\? "#])
    #expect(found.map(\.index) == [1])
  }

  @Test func everyEscapeHatchHasItsReason() {
    let hatches = [#"\btry!"#, #"withUnsafe"#, #"unsafeBitCast"#, #"nonisolated\(unsafe\)"#]
    for source in Self.sources {
      for (index, _) in Self.code(of: source, matching: hatches) {
        let around = source.lines[max(0, index - 3)...min(index + 3, source.lines.count - 1)]
        #expect(around.contains { $0.contains("// Safe:") }, "\(source.path):\(index + 1)")
      }
    }
  }

  @Test func theArchitecturePageNamesEveryRoomAndNothingThatIsGone() throws {
    let page = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Docs/Architecture.md"),
      encoding: .utf8)
    let rooms = Set(
      Self.sources.map { $0.path.components(separatedBy: "/").dropLast().joined(separator: "/") })
    for room in rooms { #expect(page.contains("`\(room)"), "\(room) is not on the page") }
    let pattern = try NSRegularExpression(pattern: "`((Sources|Tests|Docs|rules)/[^`]*)`")
    let range = NSRange(page.startIndex..., in: page)
    for match in pattern.matches(in: page, range: range) {
      guard let place = Range(match.range(at: 1), in: page) else { continue }
      let path = CommandLineCase.package.appendingPathComponent(String(page[place])).path
      #expect(FileManager.default.fileExists(atPath: path), "\(page[place]) does not exist")
    }
  }
}
