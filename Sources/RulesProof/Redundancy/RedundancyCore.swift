import RulesLang

/// Finds which of the other parts of the rules a finding rests on: those without which the two
/// versions would not be decided alike any more.
struct RedundancyCore {
  private let trial: RulesTrial
  /// The rules with what was found taken out, and some other parts with it.
  private let reduced: ([Removal]) -> TrialVersion
  /// The rules with only the other parts taken out.
  private let original: ([Removal]) -> TrialVersion
  /// What does not matter for the finding.
  private var dropped: [Removal] = []
  private var kept: [Removal] = []

  /// Starts with everything in place.
  init(
    _ trial: RulesTrial, reduced: @escaping ([Removal]) -> TrialVersion,
    without original: @escaping ([Removal]) -> TrialVersion
  ) {
    self.trial = trial
    self.reduced = reduced
    self.original = original
  }

  /// Leaves statements out as far as the finding does not rest on them.
  mutating func drop(_ statements: [AllowID]) { drop(statements.map { Removal.statement($0) }) }

  /// Leaves other parts out as far as the finding does not rest on them; halves of the list that
  /// matter are looked into.
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

  /// Leaves other parts out if the finding rests on none of them; false if it does on one.
  mutating func canDrop(_ parts: [Removal]) -> Bool {
    if parts.isEmpty { return true }
    let fewer = dropped + parts
    guard trial.seemAlike(original(fewer), reduced(fewer)) else { return false }
    dropped = fewer
    return true
  }

  /// The places that the finding rests on, in order. A call is none if the function that it calls has one.
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
