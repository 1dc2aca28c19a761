import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting

/// What filters imply of comparisons with a field: all that is stated of it is true of each query and each
/// document that it returns, and nothing more is needed to tell any two comparisons apart.
///
/// `PROMISE_CASES=1000 PROMISE_SEED=7 swift test --filter PromiseTests` tries more.
@Suite struct PromiseTests {
  private static let cases = Wanted.number("PROMISE_CASES", usually: 40, sample: 6)
  private static let seed = Wanted.seed("PROMISE_SEED")

  /// What fields are compared with.
  private static let operands: [String] = [
    "null", "true", "1", "2", "1.0", "2.5", "0.0", "9007199254740992", "9007199254740993",
    "9007199254740992.0", "-3", "''", "'a'", "'b'", "[]", "[1]", "[1.0]", "['a']", "{}", "{'a': 1}",
    "{'a': 1.0}", "b'ab'", "timestamp.date(2020, 1, 1)", "request.time", "request.auth.uid",
    "request.auth.token.n", "float('NaN')",
  ]

  /// What documents have and filters ask for.
  private static let values: [Value] = [
    .null, .bool(true), .bool(false), .int(1), .int(2), .int(-3), .int(7), .float(1), .float(2),
    .float(2.5), .float(0), .float(-0.0), .int(0), .float(.nan), .float(.infinity), .int(1 << 53),
    .int(1 << 53 + 1), .int(1 << 53 - 1), .float(0x1p53), .float(0x1p53 + 2), .int(.max),
    .string(""),
    .string("a"), .string("b"), .string("alice"), .list([]), .list([.int(1)]), .list([.float(1)]),
    .list([.string("a")]), .list([.string("a"), .int(1)]), .list([.null]), .list([.float(.nan)]),
    .list([.int(1 << 53 + 1)]), .list([.float(0x1p53)]), .vector([1]), .map(MapValue()),
    .map(MapValue([("a", .int(1))])), .map(MapValue([("a", .float(1))])), .bytes([0x61, 0x62]),
    .bytes([0x61]), .timestamp(.epoch),
    .timestamp(Timestamp(epochSeconds: 1_577_836_800, nanos: 0) ?? .epoch),
    .latlng(LatLng(latitude: 1, longitude: 2)),
    .path(DocumentPath(["t", "a"]).value(in: .standard)),
  ]

  private static let comparisons: [Query.Comparison] = [
    .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains, .in,
    .arrayContainsAny, .notIn,
  ]

  /// A comparison of a field.
  private static func comparison(of field: String, _ dice: inout Dice) -> String {
    let (one, other) = (dice.pick(operands), dice.pick(operands))
    switch dice.roll(10) {
    case 0: return "\(one) in \(field)"
    case 1: return "\(field).hasAny(\(dice.chance(50) ? "[1, 'a']" : "['a', 'b', 1.0, [1]]"))"
    case 2: return "\(one) \(dice.pick(["==", "!=", "<", "<=", ">", ">="])) \(field)"
    case 3: return "\(field) != null"
    default: return "\(field) \(dice.pick(["==", "!=", "<", "<=", ">", ">="])) \(other)"
    }
  }

  @Test func whatIsStatedIsTrueOfQueriesAndTheirDocuments() throws {
    var (compared, constrained) = (0, 0)
    for number in 0..<Self.cases {
      var dice = Dice(seed: Self.seed, UInt64(number))
      let fields = ["resource.data.x", "resource.data.m.k", "resource.data.x"]
      let condition = dice.several(8...14) { Self.comparison(of: $0.pick(fields), &$0) }
        .joined(separator: " || ")
      let set = try Self.set(
        condition, .onlyIf(Claim.Condition("resource.data.x == resource.data.m.k")))
      let scenario = try #require(
        set.scenarios(of: set.claims[0]).first { $0.access == .query })
      let goal = Goal(set.claims[0], in: set, for: scenario)
      for _ in 0..<40 {
        let candidate = Self.candidate(&dice)
        guard case .list(let query) = candidate.request.operation, let data = candidate.before,
          query.returns(candidate.path, with: data, in: .standard)
        else { continue }
        switch RailCheck.compare(candidate, with: goal, of: set) {
        case .same, .open:
          compared += 1
          if candidate.filters.contains(where: { $0.comparison != .equal }) { constrained += 1 }
        case .refused: continue
        case .different(let problem):
          let request = JSONText(
            SuiteWriter.test(name: "", candidate.request, on: candidate.documents, expect: .allow)
          ).compact
          Issue.record("case \(number): \(request): \(problem)\n\(condition)")
        }
      }
    }
    #expect(compared > 4 * Self.cases)
    #expect(constrained > 3 * Self.cases)
  }

  /// A query of one or two fields, and a document that it returns.
  private static func candidate(_ dice: inout Dice) -> CandidateRequest {
    let claims = MapValue([("n", dice.pick([.int(1), .float(1), .int(2), .string("b")]))])
    var candidate = CandidateRequest(
      method: .list, access: .query, path: DocumentPath(["c", "a"]),
      principal: Principal(uid: "alice", claims: claims), time: .epoch)
    var data = MapValue()
    for field in [FieldPath(["x"]), FieldPath(["m", "k"])] where dice.chance(80) {
      let own = dice.pick(values)
      data.set(own, at: field)
      let wanted = dice.roll(1...3)
      var found: [FieldFilter] = []
      for _ in 0..<100 where found.count < wanted {
        let filter = filter(near: own, &dice)
        if filter.finds(own) { found.append(filter) }
      }
      candidate.filters += found.map {
        CandidateRequest.Filter(field: field, comparison: $0.comparison, value: $0.value)
      }
    }
    candidate.before = data
    return candidate
  }

  /// A filter that may find a value.
  private static func filter(near own: Value, _ dice: inout Dice) -> FieldFilter {
    let comparison = dice.pick(comparisons)
    var value = dice.pick([own, own, own.nearVariant ?? own, dice.pick(values), dice.pick(values)])
    switch comparison {
    // A query of several alternatives is several queries.
    case .in: value = .list([value])
    case .notIn: value = .list([value, dice.pick(values)])
    case .arrayContainsAny:
      if case .list(let elements) = value { value = .list(Array(elements.prefix(1))) }
    case .arrayContains:
      if case .list(let elements) = value, let first = elements.first {
        value = dice.pick([first, first.nearVariant ?? first])
      }
    default: break
    }
    return FieldFilter(comparison, value: value)
  }

  @Test func anyTwoComparisonsAreToldApart() throws {
    var decided = 0
    for number in 0..<Self.cases {
      var dice = Dice(seed: Self.seed, UInt64(number), 2)
      let field = "resource.data.x"
      let (one, other) = (
        Self.comparison(of: field, &dice), Self.comparison(of: field, &dice)
      )
      let (old, new) = ("\(field) is constraint && \(one)", "\(field) is constraint && \(other)")
      let comparison = RulesComparison(
        from: Engine(try Self.checked(old)), to: Engine(try Self.checked(new)))
      for path in comparison.run() {
        for openReason in path.methods.flatMap({ $0.openReasons })
        where openReason.openReason.replay != nil {
          Issue.record("case \(number): \(old) -> \(new): \(openReason.openReason.reason)")
        }
        #expect(
          !path.differences.contains { $0.witnesses.contains { $0.missed != nil } },
          "\(number): \(old) -> \(new)")
        if path.methods.allSatisfy({ $0.verdict != .undecided && !$0.isPartial }) { decided += 1 }
      }
    }
    print("promises: \(decided) of \(Self.cases) pairs decided")
    #expect(decided * 10 > Self.cases * 8)
  }

  @Test func whetherAComparisonWithADefaultFailsIsDecided() throws {
    for number in 0..<Self.cases {
      var dice = Dice(seed: Self.seed, UInt64(number), 3)
      let fallback = dice.pick(Self.operands)
      let field = "resource.data.get(\(dice.chance(80) ? "'x'" : "['m', 'k']"), \(fallback))"
      let (one, other) = (
        Self.comparison(of: field, &dice), Self.comparison(of: field, &dice)
      )
      let condition = dice.chance(50) ? one : "\(one) \(dice.pick(["&&", "||"])) \(other)"
      let givens = ["string", "int", "float", "list", "map", "bool", "number"]
      let given = dice.chance(50) ? nil : "resource.data.x is \(dice.pick(givens))"
      let set = try Self.set(condition, .noErrors, given: given)
      let verdict = Prover(set).decide(0, shrinking: false)
      if case .undecided(let openReasons) = verdict {
        for openReason in openReasons where openReason.replay != nil {
          Issue.record("case \(number): \(condition), given \(given ?? "-"): \(openReason.reason)")
        }
      }
      if case .violated(let found) = verdict {
        #expect(found.missed == nil, "case \(number): \(condition), given \(given ?? "-")")
      }
    }
  }

  private static func checked(_ condition: String) throws -> Checked {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents {
        match /c/{id} { allow list: if \(condition); }
      } }
      """
    return try #require(Checker.check(SourceText(name: "r", rules)).checked, "\(condition)")
  }

  private static func set(
    _ condition: String, _ obligation: Claim.Obligation, given: String? = nil
  ) throws -> ClaimSet {
    var claim = Claim(
      name: "c", path: try #require(ClaimPath("/c/{id}")), methods: MethodSet(.list),
      obligation: obligation)
    if let given { claim.given = Claim.Condition(Text(given)) }
    return try ClaimSet([claim], about: try checked(condition))
  }
}
