import RulesLang
import Testing

@testable import RulesEval

/// Which patterns hold the documents of others.
@Suite struct ClaimPathCoverTests {
  @Test(arguments: [
    ("/a/{x}", "/a/b", true), ("/a/{x}", "/a/{y}", true), ("/a/b", "/a/{x}", false),
    ("/{c}/{x}", "/a/{y}", true), ("/a/{x}", "/a/{x}/b/{y}", false),
    ("/{d=**}", "/a/{x}", true), ("/{d=**}", "/a/{x}/{e=**}", true),
    ("/a/{x}", "/{d=**}", false), ("/a/{x}/{d=**}", "/a/{y}", true),
    ("/a/{x}/{d=**}", "/b/{y}", false), ("/{d=**}/c/{x}", "/a/{y}/c/{z}", true),
    ("/{d=**}/c/{x}", "/c/{z}", true), ("/{d=**}/c/{x}", "/a/{y}/{e=**}/c/{z}", true),
    ("/{d=**}/c/{x}", "/a/{y}/{e=**}", false), ("/a/{d=**}/c/{x}", "/a/c/{e=**}", false),
    ("/a/{d=**}/{x}", "/a/{y}", true), ("/a/{y}/{d=**}/b/{x}", "/a/b/{z}/c", false),
    ("/{c}/{d=**}", "/{e=**}", false), ("/a/{x}", "/a/{d=**}", false),
  ])
  func aPatternHoldsTheDocumentsOfNarrowerOnes(pattern: Text, other: Text, isCovered: Bool) throws {
    let (one, two) = (try #require(ClaimPath(pattern)), try #require(ClaimPath(other)))
    #expect(ClaimPath.covers(one.steps, two.steps) == isCovered)
  }

  @Test func aClaimIsNotAboutItsExceptions() throws {
    var path = try #require(ClaimPath("/{d=**}"))
    path.exceptions = [try #require(ClaimPath("/a/{x}")).steps]
    #expect(path.excepts(DocumentPath(["a", "b"])))
    #expect(!path.excepts(DocumentPath(["a", "b", "c", "d"])))
    #expect(!path.excepts(DocumentPath(["b", "a"])))
  }
}
