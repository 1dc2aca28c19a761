import RulesLang
import Testing

@testable import RulesEval

/// Queries that nobody can listen to, about which rules are asked all the same.
@Suite struct RefusedLaterTests {
  private static let x = FieldPath(["x"])
  private static let y = FieldPath(["y"])

  private static var queries: [Query] {
    func query(_ parent: [Text], _ collection: Text, _ filters: [Query.Filter] = []) -> Query {
      var query = Query(parent: DocumentPath(parent), collection: collection)
      query.isCollectionGroup = !parent.isEmpty
      query.filter = filters.isEmpty ? nil : .and(filters)
      query.isRefusedLater = true
      return query
    }
    var ordered = query(["c", "1"], "s")
    ordered.orderBy = [Query.Order(x, isDescending: false)]
    var limited = query([], "c")
    limited.limit = -1
    var moved = query([], "c")
    moved.offset = -1
    let one = Query.Filter.field(x, .arrayContains, .int(1))
    return [
      query(["c", "1"], "s", [.field(x, .equal, .int(1))]),
      query(["c", "1"], "s", [.field(x, .greater, .int(0))]), ordered,
      query([], "c", [one, .field(x, .arrayContains, .int(2))]),
      query([], "c", [one, .field(y, .arrayContains, .int(3))]),
      query([], "c", [one, .field(y, .arrayContainsAny, .list([.int(3), .int(4)]))]),
      limited, moved,
    ]
  }

  /// Conditions with the queries, in order, to which the official emulator lets somebody listen (y) until it
  /// finds their mistakes.
  @Test(arguments: [
    ("true", "yyyyyyyy"), ("false", "nnnnnnnn"), ("resource.data.x == 1", "ynnnnnnn"),
    ("1 in resource.data.x", "nnnyyynn"),
    ("1 in resource.data.x && 2 in resource.data.x", "nnnynnnn"),
    ("1 in resource.data.x && 3 in resource.data.y", "nnnnynnn"),
    ("request.query.limit == -1", "nnnnnnyn"), ("request.query.offset == -1", "nnnnnnny"),
    ("resource.data.x > 0", "yynnnnnn"), ("request.query.orderBy.x == 'ASC'", "nnynnnnn"),
    ("'x' in resource.data", "yynyyynn"), ("resource == null", "nnnnnnnn"),
  ])
  func rulesAreAskedByTheFilters(_ condition: String, _ expected: String) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{db}/documents {
        match /{p=**} { allow list: if \(condition); }
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "x.rules", rules)).checked)
    let engine = Engine(checked)
    var machine = Machine(Program(checked))
    var found = ""
    for query in Self.queries {
      let request = Request(principal: nil, time: .epoch, operation: .list(query))
      let isAllowed = try engine.decide(request, on: Documents()).isAllowed
      #expect(try machine.decide(request, on: Documents()).isAllowed == isAllowed)
      found += isAllowed ? "y" : "n"
    }
    #expect(found == expected)
  }

  @Test func suitesHaveNoWordsForThem() {
    for var query in Self.queries {
      let request = Request(principal: nil, time: .epoch, operation: .list(query))
      #expect(SuiteWriter.sent(named: "", request, on: Documents(), expect: .deny) == nil)
      query.isRefusedLater = false
      #expect(query.refusal(in: .standard) != nil)
    }
  }
}
