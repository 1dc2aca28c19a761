import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Conditions on which the search once found what no request is like, and blamed rules-check for it: what
/// was missing is stated now, so they are decided.
@Suite struct DecidedTests {
  private static let (old, new) = ("resource.data", "request.resource.data")
  private static let other = "/databases/$(database)/documents/t/$(id)"

  /// A condition on a number of maps that differ from each other and are all in one list.
  private static func different(maps count: Int) -> String {
    let members = (0..<count).map { "\(old).x\($0) is map && \(old).x\($0) in \(old).l" }
    let pairs = (0..<count).flatMap { one in
      (0..<one).map { "\(old).x\(one) != \(old).x\($0)" }
    }
    return (members + pairs).joined(separator: " && ")
  }

  private static let impossible: [(Method, String)] = [
    // The range of times.
    (.update, "\(old).t < timestamp.date(1, 1, 1)"),
    (.get, "request.time < timestamp.date(1, 1, 1)"),
    (.update, "\(old).t < \(new).t && \(new).t <= timestamp.date(1, 1, 1)"),
    // What a query may ask for.
    (.list, "request.query.limit < 0"), (.list, "request.query.offset < 0"),
    // What is neither before nor after is equal.
    (.update, "\(new).x >= \(old).x && \(new).x <= \(old).x && \(new).x != \(old).x"),
    // Members of a list, and keys of a map.
    (
      .get,
      "\(old).l.size() == 1 && \(old).x in \(old).l && \(old).y in \(old).l"
        + " && \(old).x != \(old).y"
    ),
    (.get, "\(old).l.size() == 1 && 'a' in \(old).l && 'b' in \(old).l"),
    // A member is equal to an element, which what differs from itself is not; a filter's range is none.
    (.get, "\(old).x in \(old).l && \(old).x != \(old).x"),
    (
      .list,
      "\(old).x in \(old).l && \(old).l is list && \(old).x > 'a' && !(\(old).x is string)"
    ),
    (.get, "\(different(maps: 3)) && \(old).l.size() < 3"),
    (.list, "\(different(maps: 3)) && \(old).l.size() < 3"),
    (.get, "\(old) in \(old).l"), (.get, "\(old) in [\(old).s].toSet()"),
    (.update, "\(old).a.b in [\(old).a].toSet()"),
    // Maps that are written out.
    (.get, "{}[\(old).x] == 1"), (.get, "{'a': 1}[\(old).x] == 2"),
    // Tokens have ints for floats that are whole.
    (.get, "1.0 in request.auth.token.l"), (.list, "request.auth.token.l.hasAny([1.0, 2.0])"),
    (.get, "[1.0] in request.auth.token.l"),
    (.update, "\(old).f in request.auth.token.l && \(old).f is float && \(old).f == 1"),
    (.update, "\(old).f in request.auth.token.l && \(old).f is float && \(old).f == 1.0"),
    // Commits.
    (.update, "!exists(\(other)) && getAfter(\(other)) == null"),
    // A list in a list, also where a filter would ask for one.
    (.list, "['a'] in \(old).n"), (.get, "\(old).s == [['a']]"),
    (.update, "[['a']] in [\(old).s].toSet()"), (.update, "[[1]] in [\(old).s].toSet()"),
    (.get, "[[1.0]] == \(old).m.s"), (.get, "\(old).get('s', 1) == {'': 1}"),
    // What filters imply, or else is an error.
    (.list, "\(old).f is constraint && !(\(old).f == 1)"),
    (.list, "\(old).f is constraint && !(\(old).f != 1)"),
    // One filter on elements is all that a query may have.
    (.list, "\(old).f is constraint && 'a' in \(old).f && 'b' in \(old).f"),
    (
      .list,
      "\(old).f is constraint && 'a' in \(old).f && \(old).g is constraint && 'a' in \(old).g"
    ),
    // A key that is computed is among the keys of a map like any other.
    (.get, "\(old).a in \(old).m.keys() && !(\(old).a is string)"),
    (.get, "\(old).a in \(old).m.keys() && \(old).m is map && !(\(old).a in \(old).m)"),
    (.get, "\(old).a in \(old).m.keys() && \(old).m == {}"),
    (.get, "\(old).a in \(old).m.keys() && \(old).m.keys().hasOnly(['b']) && \(old).a != 'b'"),
    (.get, "\(old).a in \(old).m.keys().toSet() && \(old).m == {'b': 1} && \(old).a != 'b'"),
    (.get, "!(\(old).a in \(old).m.keys()) && \(old).m.keys().hasAll(['b']) && \(old).a == 'b'"),
    // Computed keys in sets of keys.
    (.get, "\(old).m.keys().hasOnly([\(old).a]) && \(old).m.size() == 2"),
    (.get, "\(old).m.keys().hasOnly([\(old).a, \(old).b]) && \(old).m.size() == 3"),
    (
      .get,
      "\(old).m.keys().hasOnly([\(old).a, \(old).b]) && \(old).m.size() == 2"
        + " && \(old).a == \(old).b"
    ),
    (.get, "\(old).m.keys().hasOnly([\(old).a]) && 'b' in \(old).m && \(old).a != 'b'"),
    (
      .get,
      "\(old).m.keys().hasAll([\(old).a, 'b']) && \(old).m.keys().hasOnly(['b', 'c']) && \(old).a == 'd'"
    ),
    (.get, "\(old).m.keys().hasAny([\(old).a]) && !(\(old).a is string)"),
    (.get, "\(old).m.keys().hasAny([\(old).a, 'b']) && \(old).m.size() == 0"),
    (
      .update,
      "\(new).m.diff(\(old).m).affectedKeys().hasOnly([\(old).a]) && \(new).m.b != \(old).m.b && \(new).m.b is string && \(old).m.b is string && \(old).a == 'c'"
    ),
    (
      .update,
      "\(new).m.diff(\(old).m).affectedKeys().hasAny([\(old).a]) && \(new).m == \(old).m && \(new).m.keys().hasOnly(['b'])"
    ),
    (.update, "\(old).a in \(new).m.diff(\(old).m).addedKeys() && \(old).a in \(old).m"),
    (.update, "\(old).a in \(new).m.diff(\(old).m).removedKeys() && !(\(old).a in \(old).m)"),
    // Parts of lists that are written out; a bound behind the end is an error.
    (.get, "[\(old).a, \(old).b, 3][0:2] == [1, 2] && \(old).a != 1"),
    (.get, "[\(old).a, 2][:1][0] == 5 && \(old).a == 4"), (.get, "[\(old).a, 2][0:3].size() == 2"),
    (.get, "[\(old).a, 2][1:2] == [2] && !('a' in \(old))"),
    // What an index of a text gives is short.
    (.get, "\(old).s is string && \(old).s[\(old).n] == 'ab'"),
    (.get, "\(old).s is string && \(old).s[\(old).n] in ['ab', 'cd']"),
    // What matches a pattern has one of some lengths.
    (.get, "\(old).s.matches('^[A-Z0-9]{6}$') && \(old).s.size() != 6"),
    (.get, "\(old).s.matches('.') && \(old).s.size() != 1 && \(old).s.size() != 2"),
    (
      .update,
      "\(new).s == \(old).s && \(new).s.matches('[ab]{2}|c') && !(\(new).s.size() in [1, 2])"
    ),
    // A list that has all that another one has, and more.
    (
      .update,
      "\(new).l.hasAll(\(old).l) && !(\(old).l.hasAll(\(new).l)) && \(old).l.size() == 1"
        + " && \(new).l.size() == 1"
    ),
  ]

  private static let possible: [(Method, String)] = [
    (.get, "\(old).s.matches('.{2}') && \(old).s.size() != 2"),
    (.get, "\(old).s.matches('[a-z]{2,3}') && \(old).s.size() != 2"),
    (.get, "\(old).s.matches('[a-z]{3}') && \(old).s.size() != 9223372036854775807"),
    // Lists that have all that each other has, of sizes that differ.
    (
      .update,
      "\(new).l.hasAll(\(old).l) && \(old).l.hasAll(\(new).l) && \(new).l.size() != \(old).l.size()"
        + " && \(new).l.size() != \(old).l.size() + 1 && \(old).l.size() != \(new).l.size() + 1"
    ),
    (
      .update,
      "\(new).l.hasAll(\(old).l) && !(\(old).l.hasAll(\(new).l)) && \(new).l.size() == \(old).l.size()"
    ),
    (
      .update,
      "\(old).l.hasAll(\(new).l) && \(new).l.hasAll(\(old).l) && \(new).l == ['a', 'b']"
        + " && \(old).l.size() == 3"
    ),
    // Patterns that are data: most match themselves.
    (.update, "id.matches(request.auth.uid + '_.*')"),
    (
      .update,
      "id.matches('.*' + request.auth.uid) && \(new).o.matches(\(old).p) && \(new).o.size() > 3"
    ),
    (
      .get,
      "\(old).o.matches(request.auth.token.email) && \(old).s.hasAny([request.auth.token.email])"
    ),
    (.get, "\(old).a in \(old).m.keys()"), (.list, "\(old).a in \(old).m.keys()"),
    (.get, "\(old).a in \(old).m.keys() && !(\(old).a in ['b', 'c'])"),
    (
      .get, "!(\(old).a in \(old).m.keys()) && \(old).m.keys().hasOnly(['b']) && \(old).a is string"
    ),
    // Computed keys in sets of keys.
    (.get, "\(old).m.keys().hasOnly([\(old).a]) && \(old).m.size() == 1"),
    (.get, "\(old).m.keys().hasOnly([\(old).a]) && \(old).m.size() == 0 && \(old).a is int"),
    (.get, "\(old).m.keys().hasOnly([\(old).a, \(old).b]) && \(old).m.size() == 2"),
    (.get, "\(old).m.keys().hasOnly([\(old).a, 'b']) && \(old).m.size() == 2"),
    (.get, "\(old).m.keys().hasAll([\(old).a, 'b']) && \(old).m.size() == 1"),
    (.create, "\(new).m.keys().hasAny(['b', request.auth.uid]) && !('b' in \(new).m)"),
    (
      .update,
      "\(new).m.diff(\(old).m).affectedKeys().hasOnly([request.auth.uid]) && request.auth.uid in \(new).m && !(request.auth.uid in \(old).m)"
    ),
    (
      .update,
      "\(new).m.diff(\(old).m).affectedKeys().hasOnly([request.auth.uid]) && \(new).m != \(old).m && request.auth.uid in \(old).m"
    ),
    (
      .update,
      "\(new).m.diff(\(old).m).removedKeys().hasAll([request.auth.uid, \(old).a]) && \(old).a != request.auth.uid"
    ),
    (
      .update, "request.auth.uid in \(new).m.diff(\(old).m).unchangedKeys() && \(new).m != \(old).m"
    ),
    (.update, "request.auth.uid in \(new).m.diff(\(old).m).changedKeys() && \(old).m.size() == 1"),
    (.get, "\(old).s is string && \(old).s[\(old).n] != 'b' && \(old).n == 1"),
    (.get, "[\(old).a, \(old).b][1:2] == [\(old).b] && \(old).a == 1"),
    (.get, "[\(old).a, 2][1:1].size() == 0"),
    // Sizes that are compared with each other.
    (
      .update,
      "\(new).l.size() < \(old).l.size() && \(new).l is list && !('a' in \(old).l)"
        + " && request.auth.token.email.lower().matches('.*@gmail[.]com')"
    ),
    (
      .update,
      "\(new).l.size() < \(old).l.size() && \(new).l is list && \(old).l is list"
        + " && !('a' in \(old).l) && \(new).m.size() < \(old).m.size() && \(new).m is list"
        + " && \(new).m.size() == \(new).l.size()"
    ),
    // What functions that are not interpreted do to plain values.
    (.update, "\(old).l.hasAny(\(new).l)"),
    (.update, "\(old).l.hasAny(\(new).m) && \(old).l != \(new).m"),
    (
      .update,
      "\(new).l.hasAll(\(old).l) && \(old).l.hasAll(['a', \(new).x]) && \(old).l[0] == 'a'"
        + " && \(new).x != 'a' && \(new).m.hasOnly(\(old).m)"
    ),
    (.get, "request.auth.token.email.lower().matches('.*@gmail[.]com')"),
    (.get, "\(old).s.trim().upper() == 'A' && \(old).n.size() == 1"),
    (.get, "\(old).t <= timestamp.date(1, 1, 1)"), (.list, "request.query.limit <= 0"),
    (.update, "\(new).x >= \(old).x && \(new).x <= \(old).x"),
    (
      .get,
      "\(old).l.size() == 2 && \(old).x in \(old).l && \(old).y in \(old).l"
        + " && \(old).x != \(old).y"
    ),
    (.get, "\(different(maps: 3)) && \(old).l.size() < 4"),
    (.list, "\(different(maps: 3)) && \(old).l.size() < 4"),
    (.list, "\(different(maps: 6)) && \(old).l.size() < 7"),
    (.get, "1 in request.auth.token.l && 1.5 in request.auth.token.l"),
    (.update, "[1, 'a'] in [\(old).s].toSet() && \(old).s != [1, 'a']"),
    (.update, "['a'] in [\(old).s].toSet()"),
    (.get, "-\(old).size() < 0"), (.get, "{'a': 1}[\(old).x] == 1"),
    // Characters of two units.
    (.get, "\(old).s.size() == 2 && \(old).s.matches('.')"),
    (.get, "\(old).s.size() == 4 && \(old).s.matches('[^a]{2}')"),
    (.get, "\(old).s.size() != 1 && \(old).s.matches('.')"),
    // What filters imply.
    (.list, "\(old).f is constraint && \(old).f != null"),
    (.list, "\(old).f is constraint && \(old).f != [1]"),
    (.list, "!(\(old).f is number) && \(old).f > 1 && \(old).f != 0"),
    // Times that storage does not cut, and bytes in order.
    (.get, "timestamp.date(2020, 1, 1) < \(old).t"),
    (.get, "\(old).a < \(old).b && \(old).b < \(old).c && \(old).a is timestamp"),
    (.get, "\(old).a < \(old).b && \(old).b < request.time"),
    (.get, "\(old).a > b'ab'"), (.get, "\(old).a.size() == 2 && \(old).a > b'zz'"),
    (.get, "\(old).a < b'ab' && \(old).a > b'aa'"),
    (.get, "\(old).a < \(old).b && \(old).b < \(old).c && \(old).c is bytes"),
  ]

  /// What is open, or found, but not impossible: half of a character is a text, too.
  private static let open: [(Method, String)] = [
    (.get, #"\(old).s[0:1].matches('[\\x{d800}-\\x{dfff}]')"#),
    (.get, #"!\(old).s[0:2].matches('[\\x{0}-\\x{d7ff}\\x{e000}-\\x{10ffff}]*')"#),
  ].map { ($0, $1.replacing(#"\(old)"#, with: old)) }

  @Test(arguments: open.indices)
  func whatIsPossibleIsNotProvedImpossible(_ place: Int) throws {
    let (method, condition) = Self.open[place]
    #expect(try Self.verdict(condition, method).word != "proved", "\(condition)")
  }

  @Test(arguments: [
    "D.t + duration.value(1, 's') > D.t", "D.t > D.t - duration.value(1, 's')",
    "D.t + duration.value(1, 's') > D.t || D.t + duration.value(1, 's') < D.t",
  ])
  func aSumOfTimesMayBeOutOfRange(_ condition: String) throws {
    let condition = condition.replacing("D", with: Self.old)
    let verdict = try Self.verdict(
      condition, .get, claiming: .alwaysIf(Claim.Condition(Text("\(Self.old).t is timestamp"))))
    #expect(verdict.word == "violated", "\(condition)")
  }

  @Test(arguments: Wanted.sample(of: Array(impossible.indices)))
  func whatNoRequestIsLikeIsProvedImpossible(_ place: Int) throws {
    let (method, condition) = Self.impossible[place]
    #expect(try Self.verdict(condition, method).word == "proved", "\(condition)")
  }

  @Test(arguments: Wanted.sample(of: Array(possible.indices)))
  func whatSomeRequestIsLikeIsFound(_ place: Int) throws {
    let (method, condition) = Self.possible[place]
    #expect(try Self.verdict(condition, method).word == "violated", "\(condition)")
  }

  /// Conditions on what a query promises, with what is given, and whether none of them ends in an error.
  private static let failing: [(String, String?, Bool)] = [
    // A range over a type without an order promises nothing.
    ("D.get('n', 0) != null", nil, false), ("D.get('n', null) != null", nil, false),
    ("null != D.get('n', 'a')", nil, false), ("D.get(['m', 'k'], 1) != null", nil, false),
    ("D.get('n', 0) != null", "D.n is bool", false), ("D.get('n', 0) != null", "D.n is map", false),
    ("D.get('n', 0) != null", "D.n is string", true), ("D.get('n', 0) != null", "D.n is int", true),
    ("D.get('n', 0) != null", "D.n == null", true),
    ("D.get('n', 0) != null || D.n > 1", "D.n is number", true),
    // Of everything else some filter that finds the document says nothing.
    ("D.get('n', 0) != 1", nil, false), ("D.get('n', 0) != 'a'", nil, false),
    ("D.get('n', 0) == 1", nil, false), ("D.get('n', 0) == null", nil, false),
    ("D.get('n', 0) > 1", "D.n is int", false), ("1 in D.get('n', [])", "D.n is list", false),
    ("D.get('n', []).hasAny([1])", "D.n is list", true),
    ("D.get('n', 0) == 1 ? D.get('n', 0) != 2 : true", "D.n is int", false),
  ]

  @Test(arguments: failing.indices)
  func whetherWhatFiltersLeaveOpenIsAnErrorIsDecided(_ place: Int) throws {
    let (condition, given, isProved) = Self.failing[place]
    let verdict = try Self.verdict(
      condition.replacing("D.", with: Self.old + "."), .list, claiming: .noErrors,
      given: given?.replacing("D.", with: Self.old + "."))
    #expect(verdict.word == (isProved ? "proved" : "violated"), "\(condition), \(given ?? "")")
  }

  /// Conditions on what a query promises of which the first implies the second; the other way round there
  /// is a query.
  @Test(arguments: [
    ("D.n > 1", "D.n > 0"), ("D.n > 1", "D.n >= 1"), ("D.n >= 1", "D.n > 0.5"),
    ("D.n < 1", "D.n != 1"), ("D.n == 5", "D.n != 6"), ("D.n == 5", "D.n >= 5"),
    ("D.n > 'a'", "D.n != null"), ("1 in D.n", "D.n != null"), ("D.n.hasAny([1])", "1.0 in D.n"),
    ("'a' in D.n", "D.n.hasAny(['a', 'b'])"), ("D.n == [1]", "D.n != [1.0]"),
    ("D.n == request.auth.uid", "D.n != null"), ("D.n > request.time", "D.n >= request.time"),
    (
      "D.n > request.time",
      "D.n > timestamp.date(2020, 1, 1) || request.time < timestamp.date(2020, 1, 1)"
    ),
    ("D.n == true", "D.n != false"), ("1 < D.n", "0 != D.n"),
  ])
  func whatFollowsFromFiltersIsNoDifference(_ one: String, _ other: String) throws {
    let engines = try [one, other].map { condition in
      let written = condition.replacing("D.", with: Self.old + ".")
      return Engine(try Self.checked("\(Self.old).n is constraint && (\(written))", .list))
    }
    let methods = RulesComparison(from: engines[0], to: engines[1]).run().flatMap { $0.methods }
    #expect(methods.map { $0.verdict } == [.loosened], "\(one), \(other)")
    #expect(methods.allSatisfy { $0.openReasons.isEmpty }, "\(one), \(other)")
  }

  @Test func whatIsNotStoredCanBeDeletedInACommitIfTheRulesGrantIt() throws {
    let condition = "!exists(\(Self.other)) && getAfter(\(Self.other)) == null"
    let granted = "match /t/{id} { allow delete: if resource == null; }"
    #expect(try Self.verdict(condition, .update, granted).word == "violated")
    let refused = "match /t/{id} { allow delete: if resource != null; }"
    #expect(try Self.verdict(condition, .update, refused).word == "proved")
  }

  private static func verdict(
    _ condition: String, _ method: Method, _ more: String = "",
    claiming obligation: Claim.Obligation = .never, given: String? = nil
  ) throws -> Verdict {
    var claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{id}")), methods: MethodSet(method),
      obligation: obligation)
    claim.given = given.map { Claim.Condition(Text($0)) }
    let checked = try checked(condition, method, more)
    return Prover(try ClaimSet([claim], about: checked)).decide(0)
  }

  private static func checked(
    _ condition: String, _ method: Method, _ more: String = ""
  ) throws -> Checked {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /c/{id} { allow \(method.word): if \(condition); }
        \(more)
      } }
      """
    return try #require(Checker.check(SourceText(name: "r", rules)).checked, "\(condition)")
  }

  /// A set fails on what a query's filters leave open, also inside of a map; a list does not, and neither has
  /// a map among its keys. That no set does was once proved.
  @Test func whatMayFailOnAFilterIsNotProvedToBeClean() throws {
    let asked = try Asked(
      """
      match /c/{id} { allow list: if \(Self.old) in \(Self.old).keys().toSet(); }
      match /d/{id} { allow list: if \(Self.old) in \(Self.old).keys(); }
      """,
      """
      {"name": "1", "path": "/c/{id}", "methods": ["list"], "errors": false},
      {"name": "2", "path": "/c/{id}", "methods": ["list"], "never": true},
      {"name": "3", "path": "/d/{id}", "methods": ["list"], "errors": false},
      {"name": "4", "path": "/d/{id}", "methods": ["list"], "never": true}
      """)
    #expect(asked.verdicts.map { $0.word } == ["undecided", "proved", "proved", "proved"])
    let path = DocumentPath(["c", "a"])
    var query = Query(parent: DocumentPath([]), collection: "c")
    query.filter = .field(FieldPath(["n"]), .greater, .int(1))
    let request = Request(
      principal: nil, time: try #require(Timestamp(epochSeconds: 0)), operation: .list(query))
    let decision = try Engine(asked.rules).decide(
      request, on: Documents([(path, MapValue([("n", .int(2))]))]))
    #expect(decision.tried.contains { $0.isError })
  }
}
