import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesTesting

/// Which statements are for the documents of a general pattern that have no row of their own.
@Suite struct RowExceptionTests {
  private static let blocks = [
    "/a/{x}", "/a/special", "/{c}/{d}", "/{all=**}", "/b/{x}", "/{c}/special",
  ]

  /// The patterns that can be for the documents of two segments that are left.
  private func fitting(_ access: Scenario.Access, except: [[Text?]]) throws -> [String] {
    let rules = try Scripted.checked(
      Self.blocks.map { "match \($0) { allow get, list: if true; }" }.joined(separator: "\n"))
    let scenario = Scenario(method: .get, access: access, path: [nil, nil])
    return zip(Self.blocks, rules.ruleset.allows).compactMap { pattern, allow in
      scenario.mayFit(rules.matches[allow.match.index], except: except) ? pattern : nil
    }
  }

  @Test func whatIsForTheExceptionsAloneIsLeftOut() throws {
    #expect(try fitting(.document, except: []) == Self.blocks)
    #expect(
      try fitting(.document, except: [["a", nil]])
        == ["/{c}/{d}", "/{all=**}", "/b/{x}", "/{c}/special"])
    #expect(
      try fitting(.document, except: [["a", "special"]])
        == ["/a/{x}", "/{c}/{d}", "/{all=**}", "/b/{x}", "/{c}/special"])
    // Of longer paths nothing is said.
    #expect(try fitting(.document, except: [["a", nil, "b", nil]]) == Self.blocks)
    #expect(
      try fitting(.document, except: [["a", nil], [nil, "special"]])
        == ["/{c}/{d}", "/{all=**}", "/b/{x}"])
  }

  @Test func aQueryOfAGroupMeetsAllThatFit() throws {
    let all = try fitting(.group(below: 0), except: [])
    #expect(try fitting(.group(below: 0), except: [["a", nil]]) == all)
  }

  /// A statement that is redundant but for the documents of a row of its own is not redundant.
  @Test func exceptionsAreAskedForThemselves() throws {
    let rules = try Scripted.checked(
      """
      match /{all=**} { allow get: if request.auth != null; }
      match /a/{x} { allow get: if request.auth != null; }
      match /b/{x} { allow get: if true; }
      """)
    var search = RedundancySearch(Engine(rules))
    let found = search.run().findings.map { $0.kind }
    #expect(found.count == 1)
    guard case .isCovered(AllowID(1), _) = found.first else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func aMethodThatNoStatementIsForIsLeftOut() throws {
    let blocks = """
      match /orgs/{org} {
        allow get: if true;
        match /jobs/{job}/claims/{claim=**} { allow write: if true; }
      }
      """
    let old = Engine(try Scripted.checked(blocks))
    let new = Engine(try Scripted.checked(blocks.replacing("get: if true", with: "get: if false")))
    let row = try #require(
      RulesComparison(from: old, to: new).run().first { $0.path == "/orgs/{org}" })
    // The other block is for longer paths only, though its glob takes any number of segments.
    #expect(row.methods.map { $0.method } == [.get])
  }
}
