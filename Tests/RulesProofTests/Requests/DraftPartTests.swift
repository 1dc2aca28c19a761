import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof

/// Parts of requests that are taken away.
@Suite struct DraftPartTests {
  private func request(_ fields: [(Text, Value)], others: [Draft.Other] = []) throws -> Draft {
    var draft = Draft(
      method: .update, access: .document, path: try #require(DocumentPath("/c/d")),
      principal: Principal(uid: "u", claims: MapValue([("admin", .bool(true))])), time: .epoch,
      before: MapValue(fields), after: MapValue(fields))
    draft.others = others
    return draft
  }

  private func other(_ fields: [(Text, Value)]) throws -> Draft.Other {
    Draft.Other(
      path: try #require(DocumentPath("/c/e")), before: MapValue(fields), after: MapValue(fields))
  }

  @Test func whatIsTakenAwayIsGoneAndNothingElse() throws {
    let whole = try request(
      [("a", .int(1)), ("b", .float(.nan))], others: [other([("x", .null)])])
    let parts = DraftPart.all(of: whole)
    #expect(parts.count == 5)
    for part in parts {
      var draft = whole
      part.take(from: &draft)
      let gone = parts.filter { !DraftPart.all(of: draft).contains($0) }
      // A document takes its fields with it.
      let isDocument = part == .document(whole.others[0].path)
      #expect(gone.contains(part) && gone.count == (isDocument ? 2 : 1), "\(part)")
    }
  }

  @Test func aRequestWithoutItsPartsHasNone() throws {
    var draft = try request([("a", .int(1))], others: [other([("x", .null)])])
    for part in DraftPart.all(of: draft) { part.take(from: &draft) }
    #expect(DraftPart.all(of: draft).isEmpty)
  }
}
