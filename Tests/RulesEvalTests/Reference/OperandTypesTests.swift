import RulesLang
import Testing

@testable import RulesEval

/// The tables of what operations take, against the evaluator: every operation on a value of each type, or
/// of each pair of types, ends in a type error exactly if no row of the table fits.
@Suite struct OperandTypesTests {
  /// Values of each type.
  private static let values: [[Value]] = {
    guard let set = try? SetValue([.string("a")]) else { return [] }
    return [
      [.null], [.bool(true)], [.int(1), .int(.min), .int(0)], [.float(1), .float(.nan)],
      [.string("a"), .string("")], [.bytes([1])], [.list([.string("a")]), .list([])],
      [.map(MapValue([("a", .int(1))]))], [.set(set)], [.timestamp(.epoch)], [.duration(.zero)],
      [.latlng(LatLng(latitude: 1, longitude: 2))],
      [.path(PathValue([.plain("a"), .capture("a", "b")]))],
      [.mapDiff(MapDiff(entries: []))], [.vector([1])],
      [.constraint(Constraint([Constraint.Entry(.equal, value: .int(1))]))],
    ]
  }()

  private static func isTypeError(_ reason: EvaluationError.Reason) -> Bool {
    switch reason {
    case .nullValue, .wrongType, .unsupported, .functionNotFound, .argumentCount: true
    default: false
    }
  }

  /// Runs an operation over all values, and compares with the rows. One that reads what is inside its
  /// operands may also find something of a wrong type there.
  private static func compare(
    _ name: String, _ count: Int, _ rows: [OperandTypes.Row], readsParts: Bool = false,
    _ run: ([Value]) throws(EvaluationError.Reason) -> Value
  ) {
    var tuples: [[Value]] = [[]]
    for _ in 0..<count { tuples = tuples.flatMap { head in values.joined().map { head + [$0] } } }
    for operands in tuples {
      let types = operands.map { $0.type }
      let fits = rows.contains { $0.accepts(types) }
      do throws(EvaluationError.Reason) {
        let result = try run(operands)
        #expect(fits, "\(name) takes \(types)")
        let results = rows.filter { $0.accepts(types) }.reduce([] as TypeSet) {
          $0.union($1.result)
        }
        #expect(results.contains(result.type), "\(name) of \(types) gives \(result.type)")
      } catch {
        #expect(
          fits != isTypeError(error) || (fits && readsParts),
          "\(name) of \(types): \(error)")
      }
    }
  }

  @Test func operatorsTakeWhatTheTableSays() {
    #expect(Self.values.count == ValueType.allCases.count)
    for op in BinaryOperator.allCases where ![.and, .or, .in].contains(op) {
      Self.compare(op.symbol, 2, OperandTypes.rows(op)) {
        (operands) throws(EvaluationError.Reason) in
        try PureFunctions.apply(op, to: operands[0], and: operands[1])
      }
    }
    Self.compare("in", 2, OperandTypes.rows(.in)) { (operands) throws(EvaluationError.Reason) in
      Value.bool(try PureFunctions.collection(operands[1], contains: operands[0]))
    }
    Self.compare("!", 1, OperandTypes.not) { (operands) throws(EvaluationError.Reason) in
      try PureFunctions.not(operands[0])
    }
    Self.compare("-", 1, OperandTypes.negate) { (operands) throws(EvaluationError.Reason) in
      try PureFunctions.negate(operands[0])
    }
  }

  @Test func postfixFormsTakeWhatTheTableSays() {
    Self.compare(".a", 1, OperandTypes.member) { (operands) throws(EvaluationError.Reason) in
      try PureFunctions.member(of: operands[0], named: "a")
    }
    Self.compare("[]", 2, OperandTypes.index) { (operands) throws(EvaluationError.Reason) in
      try PureFunctions.index(operands[0], by: operands[1])
    }
    Self.compare("[:]", 3, OperandTypes.slice) { (operands) throws(EvaluationError.Reason) in
      try PureFunctions.slice(operands[0], from: operands[1], to: operands[2])
    }
    Self.compare("$()", 1, OperandTypes.segment) { (operands) throws(EvaluationError.Reason) in
      if case .path(let path) = operands[0] { return .path(path) }
      return .path(PathValue([.plain(try PureFunctions.segment(operands[0]))]))
    }
  }

  @Test func builtinsTakeWhatTheTableSays() {
    for entry in Builtins.table where !entry.builtin.isLookup {
      for count in Set(entry.overloads.map { $0.count }) where count < 3 {
        let rows = entry.rows(count: count).map { row in
          OperandTypes.Row(
            (entry.receiver.map { [TypeSet($0)] } ?? []) + row.operands, giving: row.result)
        }
        let hasReceiver = entry.receiver != nil
        let readsParts = [.listJoin, .mapGet, .pathBind].contains(entry.builtin)
        Self.compare(
          String(entry.name), count + (hasReceiver ? 1 : 0), rows, readsParts: readsParts
        ) {
          (operands) throws(EvaluationError.Reason) in
          if hasReceiver, operands[0].type != entry.receiver { throw .functionNotFound("") }
          return try PureFunctions.call(
            entry.builtin, on: hasReceiver ? operands[0] : nil,
            with: hasReceiver ? Array(operands.dropFirst()) : operands)
        }
      }
    }
  }
}
