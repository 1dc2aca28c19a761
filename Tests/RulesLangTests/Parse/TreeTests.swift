import Foundation
import Testing

@testable import RulesLang
@testable import RulesTesting

/// What the parser makes of a text: `Golden/tree/NAME.rules` and, beside it, `NAME.tree`.
@Suite struct TreeTests {
  /// The names of the cases.
  static let names = Golden.cases("tree").filter { $0.hasSuffix(".rules") }

  @Test(arguments: names)
  func theTreeIsAsRecorded(_ name: String) throws {
    let file = Golden.folder("tree").appendingPathComponent(name)
    let source = SourceText(name: name, bytes: Array(try Data(contentsOf: file)))
    let outcome = Parser.parse(source)
    var text = TreeDump.dump(outcome.ruleset)
    for diagnostic in outcome.diagnostics {
      let place = source.position(of: (diagnostic.range ?? .none).start)
      text += "\(place.line):\(place.column) \(diagnostic.code.name): \(diagnostic.message)\n"
    }
    Golden.expect(text, in: file.deletingPathExtension().appendingPathExtension("tree"))
  }

  @Test func everyExpectedTreeHasItsText() {
    let trees = Golden.cases("tree").filter { $0.hasSuffix(".tree") }
    let expected = Self.names.map { $0.replacingOccurrences(of: ".rules", with: ".tree") }
    #expect(trees == expected)
    #expect(trees.count >= 10)
  }

  @Test(arguments: ["rules/psst.rules", "rules/messageai.rules", "rules/sorted.rules"])
  func everyPrefixOfAFileIsParsedWithoutHarm(_ path: String) throws {
    let file = CommandLineCase.package.appendingPathComponent(path)
    let bytes = Array(try Data(contentsOf: file))
    var refused = 0
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let source = SourceText(name: "prefix", bytes: Array(bytes[..<length]))
      let outcome = Checker.check(source)
      #expect((outcome.checked == nil) == outcome.diagnostics.hasErrors)
      refused += outcome.checked == nil ? 1 : 0
    }
    // Only what lacks nothing but the end of its last line is whole.
    #expect(refused >= bytes.count / 7 - 1)
  }
}
