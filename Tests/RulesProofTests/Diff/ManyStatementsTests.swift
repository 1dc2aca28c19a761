import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Comparisons of files with many statements for the same documents.
@Suite struct ManyStatementsTests {
  /// Statements for an owner and a value in fields of their own; one asks for another value.
  private static func engine(_ count: Int, changing place: Int? = nil) throws -> Engine {
    let statements = (0..<count).map { number in
      let value = number == place ? 1000 + number : number
      return "allow update: if request.auth.uid == resource.data.o\(number) "
        + "&& request.resource.data.f\(number) == \(value);"
    }
    return Engine(
      try Scripted.checked("match /c/{id} {\n\(statements.joined(separator: "\n"))\n}"))
  }

  private func compared(_ count: Int, changing place: Int) throws -> PathDiff? {
    let comparison = RulesComparison(
      from: try Self.engine(count), to: try Self.engine(count, changing: place))
    return comparison.run().first
  }

  /// Each of the other statements does not grant for one of two reasons; these are no differences.
  @Test(arguments: [3, 12, 60])
  func aChangedStatementIsOneDifferenceEachWay(_ count: Int) throws {
    let path = try #require(try compared(count, changing: 2))
    #expect(path.methods.map { $0.verdict } == [.changed])
    #expect(path.methods.map { $0.isPartial } == [false])
    #expect(
      path.differences.map { $0.sentence("/c/{id}") } == [
        "a signed-in user whose ID is `resource.data.o2` may now update /c/{id} "
          + "if `request.resource.data.f2 == 1002` "
          + "unless a statement that grants the same in both files allows it",
        "a signed-in user whose ID is `resource.data.o2` may no longer update /c/{id} "
          + "if `request.resource.data.f2 == 2` "
          + "unless a statement that grants the same in both files allows it",
      ])
  }

  /// What is denied is denied with more than 1000 expressions evaluated, but it would be without limits, too.
  @Test(.long) func aLimitIsNoReasonForWhatIsDeniedAnyway() throws {
    func engine(_ value: Int) throws -> Engine {
      let statements = (0..<150).map { number in
        "allow update: if request.resource.data.kind == \(number == 50 ? value : number) "
          + "&& request.auth.uid == resource.data.owner;"
      }
      return Engine(
        try Scripted.checked("match /c/{id} {\n\(statements.joined(separator: "\n"))\n}"))
    }
    let comparison = RulesComparison(from: try engine(50), to: try engine(1050))
    let path = try #require(comparison.run().first)
    let sentences = path.differences.map { $0.sentence("/c/{id}") }
    try #require(sentences.count == 2)
    // With so many statements the search may leave open whether another one allows the request; a sentence
    // then ends with "unless a statement that grants the same in both files allows it".
    #expect(
      sentences[0].hasPrefix(
        "a signed-in user whose ID is `resource.data.owner` may now update /c/{id} "
          + "if `request.resource.data.kind == 1050`"))
    #expect(
      sentences[1].hasPrefix(
        "a signed-in user whose ID is `resource.data.owner` may no longer update /c/{id} "
          + "if `request.resource.data.kind == 50`"))
  }
}
