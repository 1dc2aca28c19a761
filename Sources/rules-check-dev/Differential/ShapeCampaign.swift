import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Compares the prover with the evaluator: every shape of value under every operation, on one request of each
/// method (`ShapeTable`).
///
/// The prover's propositions about each expression must agree with the evaluator, and for every eighth
/// expression the prover is given claims that the request violates.
struct ShapeCampaign {
  /// The results.
  struct Result {
    var compared = 0
    var open = 0
    var asked = 0
    var undecided = 0
    /// The differences, the first ones in words.
    var different: [String] = []

    /// True if expressions were compared and none differs.
    var isGood: Bool { compared > 0 && different.isEmpty }

    /// The figures in one line.
    var summary: String {
      "shapes: \(compared) compared, \(open) of them open; \(asked) put to the prover, "
        + "\(undecided) undecided; \(different.count) differ"
    }
  }

  /// The seed.
  let seed: UInt64
  /// Fraction of expressions that the prover decides claims about: one in this many.
  private static let proverShare = 8

  /// Compares `wanted` expressions, 0 for all, distributed over methods, and prints the results. False if
  /// something differs.
  func run(_ wanted: Int, methods: [Method]) -> Bool {
    var isGood = true
    for method in methods {
      let share = (wanted + methods.count - 1) / methods.count
      let result = compare(wanted == 0 ? Int.max : share, method: method)
      for line in result.different.prefix(40) { Terminal.print(line + "\n") }
      Terminal.print("\(method.word) \(result.summary)\n")
      isGood = isGood && result.isGood
    }
    return isGood
  }

  /// Compares `wanted` expressions for a method, or all if there are fewer.
  func compare(_ wanted: Int, method: Method) -> Result {
    let (table, check) = (ShapeTable(method), RailCheck(method))
    var dice = Dice(seed: seed, UInt64(method.rawValue))
    var result = Result()
    for index in 0..<min(wanted, table.expressions.count) {
      let place =
        wanted < table.expressions.count ? dice.roll(table.expressions.count) : index
      add(
        table.expressions[place], checkedBy: check, asking: dice.roll(Self.proverShare) == 0,
        to: &result)
    }
    return result
  }

  private func add(
    _ expression: String, checkedBy check: RailCheck, asking asks: Bool, to result: inout Result
  ) {
    switch check.propositions(of: expression) {
    case .refused: return
    case .same: result.compared += 1
    case .open:
      result.compared += 1
      result.open += 1
    case .different(let problem): result.different.append("\(expression)\n    \(problem)")
    }
    guard asks else { return }
    result.asked += 1
    switch check.verdicts(on: expression) {
    case .refused, .same: break
    case .open: result.undecided += 1
    case .different(let problem): result.different.append("\(expression)\n    \(problem)")
    }
  }
}
