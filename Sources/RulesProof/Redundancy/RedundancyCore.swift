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

  /// The places that the finding rests on, in order.
  func causes(in rules: Ruleset, chains: [OperandChain]) -> [RedundancyFinding.Cause] {
    var causes: [RedundancyFinding.Cause] = []
    for removal in kept {
      switch removal {
      case .statement(let allow):
        causes.append(
          RedundancyFinding.Cause(range: rules[allow].operationsRange, isStatement: true))
      case .operand(let id, let index):
        guard let chain = chains.first(where: { $0.id == id }) else { continue }
        causes.append(RedundancyFinding.Cause(range: rules[chain.operands[index]].range))
      case .methods, .condition, .branch, .parameter: break
      }
    }
    return causes.sorted { $0.range.start < $1.range.start }
  }
}
