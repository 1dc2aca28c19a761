import RulesLang
import Testing

@testable import RulesEval

/// A query that names no collection: what the official emulator's rules see of it.
@Suite struct KindlessQueryTests {
  /// The places that are asked: the root and a document, alone and with all that is below.
  private static let places: [(parent: [Text], isGroup: Bool)] = [
    ([], false), (["a", "1"], false), ([], true), (["a", "1"], true),
  ]

  /// Patterns with the places, in order, that the official emulator allows to list.
  @Test(arguments: [
    ("1", "/{c}/{d}", "ynnn"), ("1", "/a/{d}", "nnnn"), ("1", "/a/{d=**}", "nnny"),
    ("1", "/{p=**}", "nnyy"), ("1", "/{c}/{d}/{e}/{g}", "nynn"), ("1", "/a/1/{e}/{g}", "nynn"),
    ("1", "/a/{d}/s/{g}", "nnnn"), ("1", "/{c}/{p=**}", "ynny"), ("1", "/{c}/{d}/{p=**}", "nnny"),
    ("2", "/{c}/{d}", "ynnn"), ("2", "/a/{d=**}", "nyny"), ("2", "/{p=**}", "yyyy"),
    ("2", "/{c}/{d}/{e}/{g}", "nynn"), ("2", "/a/{d}/s/{g}", "nnnn"), ("2", "/{c}/{p=**}", "yyny"),
    ("2", "/{c}/{d}/{p=**}", "yyny"), ("2", "/{p=**}/{d}", "yyyy"),
    ("2", "/{p=**}/{c}/{d}", "yyyy"),
    ("2", "/{p=**}/s/{d}", "nnnn"), ("2", "/a/1/{p=**}/{c}/{d}", "nyny"),
  ])
  func aPatternMeetsACollectionThatIsNotKnown(
    _ version: String, _ pattern: String, _ expected: String
  ) throws {
    var found = ""
    for place in Self.places {
      let block = "match \(pattern) { allow list; }"
      found += try isAllowed(place, block, version: version) ? "y" : "n"
    }
    #expect(found == expected)
  }

  /// Conditions at `/{p=**}` with what the official emulator makes of them at each of the places: true,
  /// false, or an error.
  @Test(arguments: [
    ("request.path != null", "eeee"), ("'path' in request", "tttt"), ("request == request", "eeee"),
    ("request.size() == 8", "tttt"), ("request.query.kind == null", "tttt"),
    ("request.query.size() == 9", "tttt"), ("request.query.parent == null", "tfee"),
    ("request.query.ancestor == null", "eetf"), ("request.query.allDescendants", "fftt"),
    ("resource.data.x == 1", "eeee"), ("'__name__' in resource", "ffft"),
    ("resource.size() == 1", "tttf"), ("p is path", "tttt"), ("p[0] != 'zz'", "eeee"),
  ])
  func aConditionSeesNoCollection(_ condition: String, _ expected: String) throws {
    var found = ""
    for place in Self.places {
      let isTrue = try isAllowed(place, "match /{p=**} { allow list: if \(condition); }")
      let isFalse = try isAllowed(place, "match /{p=**} { allow list: if !(\(condition)); }")
      found += isTrue ? "t" : isFalse ? "f" : "e"
    }
    #expect(found == expected)
  }

  @Test func aVariableForTheCollectionHasNoValue() throws {
    let root = Self.places[0]
    #expect(try !isAllowed(root, "match /{c}/{d} { allow list: if c is string; }"))
    #expect(try !isAllowed(root, "match /{c}/{d} { allow list: if c != 'z'; }"))
    let below = Self.places[1]
    #expect(try isAllowed(below, "match /{c}/{d}/{e}/{g} { allow list: if c + d == 'a1'; }"))
    #expect(try !isAllowed(below, "match /{c}/{d}/{e}/{g} { allow list: if e != 'z'; }"))
  }

  @Test func itReturnsDocumentsOfAnyCollectionAndSuitesHaveNoWordsForIt() throws {
    let query = Query(parent: DocumentPath(["a", "1"]), collection: "")
    func isReturned(_ segments: [Text]) -> Bool {
      query.returns(DocumentPath(segments), with: MapValue(), in: .standard)
    }
    #expect(isReturned(["a", "1", "s", "2"]) && !isReturned(["a", "1"]))
    let request = Request(principal: nil, time: .epoch, operation: .list(query))
    #expect(SuiteWriter.sent(named: "", request, on: Documents(), expect: .allow) == nil)
  }

  /// The answer of reference and machine, which is the same.
  private func isAllowed(
    _ place: (parent: [Text], isGroup: Bool), _ blocks: String, version: String = "2"
  ) throws -> Bool {
    let rules = """
      rules_version = '\(version)';
      service cloud.firestore { match /databases/{db}/documents { \(blocks) } }
      """
    let checked = try #require(Checker.check(SourceText(name: "x.rules", rules)).checked)
    var query = Query(parent: DocumentPath(place.parent), collection: "")
    query.isCollectionGroup = place.isGroup
    let request = Request(principal: nil, time: .epoch, operation: .list(query))
    let isAllowed = try Engine(checked).decide(request, on: Documents()).isAllowed
    var machine = Machine(Program(checked))
    #expect(try machine.decide(request, on: Documents()).isAllowed == isAllowed)
    return isAllowed
  }
}
