import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof

/// Counterexamples lose what does not matter, and nothing else.
@Suite struct ShrinkingTests {
  private func map(_ fields: [(Text, Value)]) -> MapValue { MapValue(fields) }

  private func update() throws -> CandidateRequest {
    let path = try #require(DocumentPath("/c/d"))
    var candidate = CandidateRequest(
      method: .update, access: .document, path: path, principal: Principal(uid: "u"),
      time: try #require(Timestamp(epochSeconds: 5)),
      before: map([("a", .int(1)), ("b", .int(2)), ("c", .int(3))]),
      after: map([("a", .int(1)), ("b", .int(9)), ("d", .int(4))]))
    candidate.principal = Principal(
      uid: "u", claims: map([("admin", .bool(true)), ("level", .int(3))]))
    candidate.others = [
      CandidateRequest.Other(
        path: try #require(DocumentPath("/c/e")), before: map([("x", .int(1)), ("y", .null)]),
        after: map([("x", .int(2)), ("y", .null)])),
      CandidateRequest.Other(path: try #require(DocumentPath("/c/f")), before: nil, after: map([])),
    ]
    return candidate
  }

  /// The keys of a map, sorted.
  private func keys(_ map: MapValue?) -> [Text] {
    (map?.keys ?? []).sorted { Text.precedesByCodePoint($0, $1) }
  }

  @Test func whatNothingAsksForIsTakenAway() throws {
    var shrinking = Shrinking(within: Budget()) { _ in true }
    let small = shrinking.shrink(try update())
    #expect(small.others.isEmpty)
    #expect(keys(small.before) == [] && keys(small.after) == [])
    #expect(keys(small.principal?.token) == keys(Principal(uid: "u").token))
    #expect(small.time == Timestamp(epochSeconds: 1_761_037_200))
    // Who asks, what, and of which document is no part that could be left out.
    #expect(small.principal?.uid.textOfTest == "u")
    #expect(small.method == .update && small.path == DocumentPath("/c/d"))
  }

  @Test func whatIsAskedForStays() throws {
    var shrinking = Shrinking(within: Budget()) { candidate in
      candidate.after?["b"] != nil && candidate.principal?.token["level"] != nil
        && candidate.others.contains { $0.before?["x"] != nil }
    }
    let small = shrinking.shrink(try update())
    #expect(keys(small.after) == ["b"] && keys(small.before) == ["b"])
    // The write of a field that need not change is taken back.
    #expect(small.after?["b"].map { Value.areIdentical($0, .int(2)) } == true)
    #expect(small.principal?.token["level"] != nil && small.principal?.token["admin"] == nil)
    #expect(small.others.map { $0.path } == [DocumentPath("/c/e")])
    #expect(keys(small.others[0].before) == ["x"])
    #expect(!small.others[0].isChanged)
  }

  @Test func aChangeThatIsAskedForStaysAChange() throws {
    var shrinking = Shrinking(within: Budget()) { candidate in
      guard let old = candidate.before?["b"], let new = candidate.after?["b"] else { return false }
      return !Value.areIdentical(old, new)
    }
    let small = shrinking.shrink(try update())
    #expect(small.after?["b"].map { Value.areIdentical($0, .int(9)) } == true)
    #expect(keys(small.after) == ["b"] && keys(small.before) == ["b"])
  }

  /// One that was confirmed for ever would leave everything after it untried.
  @Test(arguments: [Value.int(1), .float(.nan), .float(-0.0)])
  func aFieldThatStaysIsNoChangeToTakeBack(_ value: Value) throws {
    var candidate = try update()
    candidate.before = map([("k", value), ("a", .int(1))])
    candidate.after = candidate.before
    var shrinking = Shrinking(within: Budget()) { $0.before?["k"] != nil }
    let small = shrinking.shrink(candidate)
    #expect(keys(small.before) == ["k"] && keys(small.after) == ["k"])
    #expect(small.time == Timestamp(epochSeconds: 1_761_037_200))
  }

  @Test func queriesLoseFiltersLimitAndOffset() throws {
    var candidate = CandidateRequest(
      method: .list, access: .query, path: try #require(DocumentPath("/c/d")), principal: nil,
      time: .epoch, before: map([("a", .int(1))]), after: nil)
    candidate.filters = [("a", Query.Comparison.equal), ("b", .less), ("a", .greater)].map {
      CandidateRequest.Filter(field: FieldPath([$0.0]), comparison: $0.1, value: .int(1))
    }
    candidate.limit = 3
    candidate.offset = 7
    var shrinking = Shrinking(within: Budget()) { candidate in
      candidate.limit != nil && candidate.filters.contains { $0.field == FieldPath(["a"]) }
    }
    let small = shrinking.shrink(candidate)
    #expect(small.limit == 3 && small.offset == 0)
    #expect(small.filters.map { $0.field } == [FieldPath(["a"])])
  }

  @Test func onlyWhatWasConfirmedComesOut() throws {
    var confirmed: [Int] = []
    var tried = 0
    var shrinking = Shrinking(within: Budget()) { candidate in
      tried += 1
      let size = (candidate.after?.count ?? 0) + (candidate.before?.count ?? 0)
      // Something that does not get better step by step.
      guard size.isMultiple(of: 2) else { return false }
      confirmed.append(size)
      return true
    }
    let small = shrinking.shrink(try update())
    #expect(confirmed.last == (small.after?.count ?? 0) + (small.before?.count ?? 0))
    #expect(tried <= 200)
  }

  @Test func theBudgetEndsIt() throws {
    let budget = Budget(steps: 10)
    var tried = 0
    var shrinking = Shrinking(within: budget) { _ in
      tried += 1
      return true
    }
    let small = shrinking.shrink(try update())
    #expect(tried == 0 && budget.isSpent)
    #expect(keys(small.after) == ["a", "b", "d"])
  }

  @Test func noMoreThanSoManyAreTried() throws {
    var candidate = try update()
    candidate.before = map((0..<500).map { (Text("f\($0)"), .int(1)) })
    candidate.after = candidate.before
    var tried = 0
    var shrinking = Shrinking(within: Budget()) { _ in
      tried += 1
      return false
    }
    let same = shrinking.shrink(candidate)
    #expect(tried == 200 && same.after?.count == 500)
  }
}

extension Value {
  /// The text of a string.
  fileprivate var textOfTest: Text? {
    if case .string(let text) = self { return text }
    return nil
  }
}
