import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof

/// Parts of requests that are taken away, and put in from other ones.
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

  @Test func whatIsTakenAwayCanBePutBack() throws {
    let whole = try request(
      [("a", .int(1)), ("b", .float(.nan))], others: [other([("x", .null)])])
    let parts = DraftPart.all(of: whole)
    #expect(parts.count == 5)
    for part in parts {
      var draft = whole
      #expect(!part.differs(draft, whole))
      part.take(from: &draft)
      #expect(part.differs(draft, whole), "\(part)")
      part.put(into: &draft, from: whole)
      #expect(!part.differs(draft, whole), "\(part)")
      #expect(parts.allSatisfy { !$0.differs(draft, whole) })
    }
  }

  @Test func aRequestWithoutPartsHasNone() throws {
    let whole = try request([("a", .int(1))], others: [other([("x", .null)])])
    #expect(DraftPart.all(of: whole.withoutParts).isEmpty)
    // What it does not have is left out where it is put.
    var draft = whole
    for part in DraftPart.all(of: whole) { part.put(into: &draft, from: whole.withoutParts) }
    #expect(DraftPart.all(of: draft).isEmpty)
  }

  @Test func theSameNumberOfAnotherTypeIsAnotherPart() throws {
    let (one, other) = (try request([("a", .int(1))]), try request([("a", .float(1))]))
    #expect(DraftPart.key("a").differs(one, other))
    #expect(!DraftPart.claim("admin").differs(one, other))
  }
}
