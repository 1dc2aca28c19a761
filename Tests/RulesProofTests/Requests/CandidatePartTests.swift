import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof

/// Parts of requests that are taken away.
@Suite struct CandidatePartTests {
  private func request(_ fields: [(Text, Value)], others: [CandidateRequest.Other] = []) throws
    -> CandidateRequest
  {
    var candidate = CandidateRequest(
      method: .update, access: .document, path: try #require(DocumentPath("/c/d")),
      principal: Principal(uid: "u", claims: MapValue([("admin", .bool(true))])), time: .epoch,
      before: MapValue(fields), after: MapValue(fields))
    candidate.others = others
    return candidate
  }

  private func other(_ fields: [(Text, Value)]) throws -> CandidateRequest.Other {
    CandidateRequest.Other(
      path: try #require(DocumentPath("/c/e")), before: MapValue(fields), after: MapValue(fields))
  }

  @Test func whatIsTakenAwayIsGoneAndNothingElse() throws {
    let whole = try request(
      [("a", .int(1)), ("b", .float(.nan))], others: [other([("x", .null)])])
    let parts = CandidatePart.all(of: whole)
    #expect(parts.count == 5)
    for part in parts {
      var candidate = whole
      part.take(from: &candidate)
      let gone = parts.filter { !CandidatePart.all(of: candidate).contains($0) }
      // A document takes its fields with it.
      let isDocument = part == .document(whole.others[0].path)
      #expect(gone.contains(part) && gone.count == (isDocument ? 2 : 1), "\(part)")
    }
  }

  @Test func aRequestWithoutItsPartsHasNone() throws {
    var candidate = try request([("a", .int(1))], others: [other([("x", .null)])])
    for part in CandidatePart.all(of: candidate) { part.take(from: &candidate) }
    #expect(CandidatePart.all(of: candidate).isEmpty)
  }
}
