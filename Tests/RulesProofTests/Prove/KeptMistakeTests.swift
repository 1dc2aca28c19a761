import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// A mistake in what documents keep is quoted as it was written.
@Suite struct KeptMistakeTests {
  private func messages(keeps kept: String, given: String? = nil) throws -> [String] {
    let limit = given.map { #", "given": "\#($0)""# } ?? ""
    let text = #"{"claims": [{"path": "/c/{id}", "keeps": "\#(kept)"\#(limit)}]}"#
    let (suite, _) = SuiteReader.read(SourceText(name: "s.json", text))
    let claim = try #require(suite?.claims.first)
    let rules = try #require(
      Checker.check(
        SourceText(
          name: "t.rules",
          "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { "
            + "match /c/{id} { allow write; } } }")
      ).checked)
    do throws(ClaimSet.Refusal) {
      _ = try ClaimSet([claim], about: rules)
      return []
    } catch {
      return error.problems.map { $0.message }
    }
  }

  @Test func theConditionIsQuotedOnce() throws {
    #expect(
      try messages(keeps: "resource.data.x == 1 && resourc.data.y == 1") == [
        "`resource.data.x == 1 && resourc.data.y == 1`, column 25: Invalid variable name: resourc."
      ])
  }

  @Test(arguments: [
    "resource.data.x &&& 1", "(resource.data.x", "resource.data.x == 1 // (", "f(1)",
  ])
  func nothingIsQuotedThatNobodyWrote(_ kept: String) throws {
    let messages = try messages(keeps: kept)
    #expect(messages.isEmpty == kept.contains("//"))
    #expect(messages.allSatisfy { !$0.contains("null") && !$0.contains("request.") }, "\(messages)")
  }

  @Test func alsoTheConditionThatLimitsIt() throws {
    let messages = try messages(keeps: "resource.data.x == 1", given: "nobody()")
    #expect(messages.count == 1 && messages[0].hasPrefix("`nobody()`, column 1:"), "\(messages)")
  }
}
