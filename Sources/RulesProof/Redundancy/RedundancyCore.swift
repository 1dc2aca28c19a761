import RulesLang

/// Computes the core of a finding: the other parts of the rules without which the two versions would no
/// longer be equivalent. Decided by search only, without limits and attacks: the core is an explanation, and
/// an empty one makes "covered by other statements" into "never grants".
struct RedundancyCore {
  private let trial: RulesTrial
  /// Returns the rules without the redundant part and some other parts.
  private let reduced: ([Removal]) -> TrialVersion
  /// Returns the rules without some other parts.
  private let original: ([Removal]) -> TrialVersion
  /// The parts that the finding does not depend on.
  private var dropped: [Removal] = []
  private var kept: [Removal] = []

  /// Starts with all parts in place.
  init(
    _ trial: RulesTrial, reduced: @escaping ([Removal]) -> TrialVersion,
    without original: @escaping ([Removal]) -> TrialVersion
  ) {
    self.trial = trial
    self.reduced = reduced
    self.original = original
  }

  /// Drops statements that the finding does not depend on.
  mutating func drop(_ statements: [AllowID]) { drop(statements.map { Removal.statement($0) }) }

  /// Drops parts that the finding does not depend on, by recursive bisection.
  mutating func drop(_ parts: [Removal]) {
    if canDrop(parts) { return }
    if parts.count == 1 {
      kept += parts
    } else {
      let middle = parts.count / 2
      drop(Array(parts[..<middle]))
      drop(Array(parts[middle...]))
    }
  }

  /// Drops parts if the finding depends on none of them; otherwise returns false.
  mutating func canDrop(_ parts: [Removal]) -> Bool {
    if parts.isEmpty { return true }
    let fewer = dropped + parts
    guard trial.seemAlike(original(fewer), reduced(fewer)) else { return false }
    dropped = fewer
    return true
  }

  /// Returns the places that the finding depends on, in order. A call is omitted if the called
  /// function contains such a place.
  func causes(in rules: Checked, chains: [OperandChain]) -> [RedundancyFinding.Cause] {
    var causes: [RedundancyFinding.Cause] = []
    var operands: [ExprID] = []
    for removal in kept {
      switch removal {
      case .statement(let allow):
        causes.append(
          RedundancyFinding.Cause(range: rules.ruleset[allow].operationsRange, isStatement: true))
      case .operand(let id, let index):
        guard let chain = chains.first(where: { $0.id == id }) else { continue }
        operands.append(chain.operands[index])
      case .methods, .condition, .branch, .parameter: break
      }
    }
    for operand in operands {
      let called = rules.functionsCalled(in: operand)
      let range = rules.ruleset[operand].range
      let isExplained = operands.contains { other in
        guard other != operand else { return false }
        let inner = rules.ruleset[other].range
        return range.swallows(inner)
          || called.contains { function in
            rules.ruleset[function].bodies.contains {
              rules.ruleset[$0.root].range.swallows(inner)
            }
          }
      }
      if !isExplained { causes.append(RedundancyFinding.Cause(range: range)) }
    }
    return causes.sorted { $0.range.start < $1.range.start }
  }
}
