import RulesEval
import RulesLang

/// The parts of the rules that a decision evaluates, with their outcomes. Limits aside, a decision is
/// unaffected by edits outside the evaluated nodes, or that replace a node by its outcome.
struct Footprint {
  /// The outcomes of an expression or statement, possibly over several evaluations.
  private struct Outcomes: OptionSet {
    let rawValue: UInt8
    static let isTrue = Outcomes(rawValue: 1)
    static let isFalse = Outcomes(rawValue: 2)
    static let isOther = Outcomes(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ isTrue: Bool) { self = isTrue ? .isTrue : .isFalse }
  }

  /// True if the decision is about one document.
  private let isSingle: Bool
  /// The outcomes by expression number, and by -1, -2, … for statements.
  private var outcomes: [Int: Outcomes] = [:]

  /// Reads a traced decision.
  init(of decision: Decision) {
    isSingle = decision.accesses.count == 1
    for tried in decision.tried {
      let outcome: Outcomes =
        switch tried.result {
        case .granted: .isTrue
        case .refused: .isFalse
        case .failed: .isOther
        }
      outcomes[-1 - tried.allow.index, default: []].insert(outcome)
      for event in tried.trace?.events ?? [] {
        var outcome = Outcomes.isOther
        if case .value(.bool(let isTrue)) = event.outcome { outcome = Outcomes(isTrue) }
        outcomes[event.expression.index, default: []].insert(outcome)
      }
    }
  }

  /// True if the statement grants the request and none of the expressions ends in an error or in
  /// another value than a bool.
  func isGranted(by allow: AllowID, withoutErrorAt places: [ExprID], in rules: Ruleset) -> Bool {
    isSingle && outcomes(of: allow) == .isTrue
      && !places.contains { outcomes(of: $0, in: rules).contains(.isOther) }
  }

  /// True if one of the edits can affect the decision.
  func isTouched(by overlay: Overlay, in rules: Ruleset) -> Bool {
    overlay.edits.contains { isTouched(by: $0, in: rules) }
  }

  private func isTouched(by edit: RulesEdit, in rules: Ruleset) -> Bool {
    switch edit {
    case .constant(let id, let value): !outcomes(of: id, in: rules).isSubset(of: Outcomes(value))
    case .branch(let id, let keepsFirst):
      if case .conditional(let question, _, _) = rules[id].kind {
        !outcomes(of: question, in: rules).isSubset(of: Outcomes(keepsFirst))
      } else {
        true
      }
    case .condition(let allow, let value):
      !outcomes(of: allow).isSubset(of: Outcomes(value))
    case .unconditional(let allow): !outcomes(of: allow).isSubset(of: .isTrue)
    // Statements for other methods may not have been tried.
    case .methods, .rewritten, .replaced: true
    }
  }

  private func outcomes(of id: ExprID, in rules: Ruleset) -> Outcomes {
    outcomes[id.index, default: []].union(
      outcomes[rules.unparenthesized(id).index, default: []])
  }

  private func outcomes(of allow: AllowID) -> Outcomes { outcomes[-1 - allow.index, default: []] }
}
