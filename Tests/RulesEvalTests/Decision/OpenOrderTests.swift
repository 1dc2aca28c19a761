import RulesLang
import Testing

@testable import RulesEval

/// A commit whose documents share lookups near the limits is decided by chance in the emulator
/// (Docs/Fidelity.md §20): it is denied, with a note. What no order changes has none.
@Suite struct OpenOrderTests {
  /// The lookups of each document, and whether the emulator was seen to allow it and to deny it.
  private static let commits: [(lookups: [Range<Int>], isAllowed: Bool, isByChance: Bool)] = [
    ([0..<10, 0..<0], true, false), ([0..<11, 0..<0], false, false),
    ([0..<11, 0..<1], false, true), ([0..<1, 0..<11], false, true),
    ([0..<10, 10..<20], true, false), ([0..<10, 10..<21], false, false),
    ([0..<10, 0..<10], true, false), ([0..<10, 10..<20, 20..<21], false, false),
    ([0..<10, 10..<20, 0..<1], true, false), ([0..<12, 0..<12], false, false),
    ([0..<12, 0..<2], false, true), ([0..<10, 5..<20], false, true),
    ([0..<11, 1..<11], false, true), ([0..<10, 0..<20, 10..<20], false, true),
    ([0..<7, 7..<14, 14..<21], false, false),
    ([0..<1, 0..<1, 0..<1, 0..<1, 0..<1, 0..<11], false, true),
  ]

  @Test(arguments: commits)
  func aCommitNearTheLimits(_ lookups: [Range<Int>], _ isAllowed: Bool, _ isByChance: Bool) throws {
    let decision = try decide(lookups, as: "create")
    #expect(decision.isAllowed == isAllowed, "\(lookups)")
    #expect(decision.isByChance == isByChance, "\(lookups)")
    #expect(decision.notes.count == (isByChance ? 1 : 0))
  }

  /// A batch of reads is decided in its order, by the emulator too.
  @Test(arguments: [
    ([0..<11, 0..<1], false), ([0..<1, 0..<11], true), ([0..<12, 0..<2], false),
    ([0..<10, 5..<20], true), ([0..<11, 1..<11], false), ([0..<10, 0..<20, 10..<20], true),
    ([0..<10, 10..<21], false), ([0..<10, 10..<20, 20..<21], false),
  ])
  func aBatchOfReadsHasAnOrder(_ lookups: [Range<Int>], _ isAllowed: Bool) throws {
    let decision = try decide(lookups, as: "get")
    #expect(decision.isAllowed == isAllowed, "\(lookups)")
    #expect(!decision.isByChance && decision.notes.isEmpty)
  }

  private func decide(_ lookups: [Range<Int>], as method: String) throws -> Decision {
    let root = "/databases/$(database)/documents"
    let blocks = lookups.enumerated().map { place, range in
      let tests = range.map { "!exists(\(root)/f/x\($0))" }.joined(separator: " && ")
      return "match /c\(place)/{id} { allow \(method): if \(tests.isEmpty ? "true" : tests); }"
    }
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
      \(blocks.joined(separator: "\n")) } }
      """
    let checked = try #require(Checker.check(SourceText(name: "x.rules", rules)).checked)
    let paths = lookups.indices.compactMap { DocumentPath(Text("/c\($0)/d")) }
    let operation: Request.Operation =
      method == "get"
      ? .get(paths)
      : .commit(paths.map { Write(to: $0, .set(MapValue(), mask: nil), precondition: .missing) })
    let request = Request(principal: nil, time: .epoch, operation: operation)
    let decision = try Engine(checked).decide(request, on: Documents())
    var machine = Machine(Program(checked))
    let same = try machine.decide(request, on: Documents())
    #expect(same.isAllowed == decision.isAllowed && same.notes == decision.notes)
    return decision
  }
}
