import Foundation
import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Programs as text: what is computed once, what is folded, what each region costs; and
/// in a marked program which expressions are shown when.
@Suite struct DisassemblyTests {
  static let cases = Golden.cases("program")

  @Test func thereAreCases() { #expect(Self.cases.count >= 6) }

  @Test(arguments: cases)
  func theProgramIsAsRecorded(_ name: String) throws {
    let folder = Golden.folder("program").appendingPathComponent(name)
    let text = try String(contentsOf: folder.appendingPathComponent("input.rules"), encoding: .utf8)
    let checked = try #require(Checker.check(SourceText(name: name, text)).checked)
    Golden.expect(
      Program(checked).disassembly, in: folder.appendingPathComponent("program"))
    Golden.expect(
      Program(checked, isMarked: true).disassembly, in: folder.appendingPathComponent("marked"))
  }
}
