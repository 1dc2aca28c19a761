import RulesEval
import RulesLang
import Testing

/// Which documents a filter finds, as the official emulator answers queries.
@Suite struct QueryMatchingTests {
  private static let great = Int64(1 << 53)

  /// Filters with the values that they find and those that they do not.
  private static let cases: [(Query.Comparison, Value, finds: [Value], misses: [Value])] = [
    (.equal, .int(1), [.int(1), .float(1)], [.string("1"), .null]),
    (
      .equal, .list([.int(1)]), [.list([.int(1)]), .list([.float(1)])],
      [.vector([1]), .list([.int(1), .int(1)])]
    ),
    (.equal, .float(.nan), [.float(.nan)], [.float(1), .null]),
    (.equal, .float(0x1p53), [.int(great), .float(0x1p53)], [.int(great + 1)]),
    (.notEqual, .null, [.bool(false), .float(.nan), .list([])], [.null]),
    (.notEqual, .float(0x1p53), [.int(great + 1), .string("a")], [.int(great), .null]),
    (.notEqual, .int(great + 1), [.int(great), .float(0x1p53)], [.int(great + 1)]),
    // Ranges know numbers exactly, and end at neither null nor NaN.
    (.greater, .float(0x1p53), [.int(great + 1)], [.int(great), .float(.nan)]),
    (.less, .int(great + 1), [.float(0x1p53), .int(great)], [.int(great + 1)]),
    (.greaterEqual, .float(0x1p53), [.float(0x1p53), .int(great)], [.int(great - 1)]),
    (.less, .float(2.5), [.int(2), .float(-.infinity)], [.int(3), .float(2.5), .string("2")]),
    (.greater, .float(-.infinity), [.int(.min), .float(0)], [.float(-.infinity), .float(.nan)]),
    (.less, .float(.infinity), [.int(.max)], [.float(.infinity)]),
    (.greater, .float(-2.5), [.int(-2)], [.int(-3)]),
    (.greaterEqual, .bool(true), [.bool(true)], [.int(1), .bool(false)]),
    (.greaterEqual, .map(MapValue()), [.map(MapValue())], [.list([]), .string("")]),
    (.lessEqual, .null, [], [.null, .bool(false)]), (.greaterEqual, .null, [], [.null]),
    (.greaterEqual, .float(.nan), [], [.float(.nan), .int(1)]),
    // Neither null nor NaN is found by a list.
    (.in, .list([.null, .int(1)]), [.int(1), .float(1)], [.null]),
    (.in, .list([.float(.nan), .int(1)]), [.int(1)], [.float(.nan)]),
    (.notIn, .list([.int(1), .null]), [], [.int(2), .null, .string("a")]),
    (.notIn, .list([.float(.nan)]), [.float(.nan), .int(1)], [.null]),
    (.arrayContains, .int(1), [.list([.int(1)]), .list([.float(1)])], [.int(1), .list([])]),
    (.arrayContains, .null, [], [.list([.null]), .null]),
    (.arrayContains, .float(.nan), [], [.list([.float(.nan)])]),
    (.arrayContainsAny, .list([.null, .int(1)]), [.list([.float(1)])], [.list([.null])]),
  ]

  @Test(arguments: cases.indices)
  func filtersFindWhatTheEmulatorFinds(_ place: Int) {
    let (comparison, value, finds, misses) = Self.cases[place]
    var query = Query(parent: DocumentPath([]), collection: "c")
    query.filter = .field(FieldPath(["n"]), comparison, value)
    for (values, isFound) in [(finds, true), (misses, false)] {
      for stored in values {
        let data = MapValue([("n", stored)])
        #expect(
          query.returns(DocumentPath(["c", "d"]), with: data, in: .standard) == isFound,
          "\(comparison) \(value): \(stored)")
      }
    }
  }
}
