import RulesEncoding
import RulesEval
import RulesLang

// An invariant of documents: true of every document in every reachable state, if it was at first.
// So step questions may assume it of stored documents.

/// An invariant of the documents of a path; to be assumed only if its claim is proved.
struct KeptCondition {
  private let claim: CompiledClaim
  private let condition: ExprID
  private let rules: Checked

  /// Creates the invariant of a claim about what documents keep. Nil for other claims, and for
  /// conditions that look up other documents.
  init?(_ claim: CompiledClaim, in rules: Checked) {
    guard claim.claim.kept != nil, claim.claim.keptGiven == nil, let given = claim.given,
      !rules.looksUp(given)
    else { return nil }
    self.claim = claim
    self.rules = rules
    condition = rules.ruleset[given].result.root
  }

  /// The documents with the invariant.
  var path: ClaimPath { claim.claim.path }

  /// Returns the invariant as a condition on a document before a commit, which may be missing, and
  /// its variables; nil if it does not apply to the path.
  func text(
    at steps: [ClaimPath.Step], home: StateText.Home
  ) -> (text: String, variables: Set<Text>)? {
    guard let locals = locals(at: steps) else { return nil }
    var renamed = claim.claim
    renamed.path = ClaimPath(steps, others: [])
    var text = StateText(
      CompiledClaim(renamed, owner: claim.owner), in: rules, state: .before, home: home,
      leavingOut: false)
    guard let found = try? text.text(condition, in: StateFrame(locals)) else { return nil }
    return (found, text.variables)
  }

  /// Returns the values of the claim's variables at a path; nil if the path does not match.
  private func locals(at steps: [ClaimPath.Step]) -> [StateFrame.Local]? {
    guard steps.count == path.steps.count else { return nil }
    var locals: [StateFrame.Local] = []
    for (own, step) in zip(path.steps, steps) {
      switch (own, step) {
      case (.literal(let one), .literal(let other)) where one == other: continue
      case (.capture, .literal(let text)): locals.append(.literal(text))
      case (.capture, .capture(let name)): locals.append(.variable(name))
      default: return nil
      }
    }
    return locals
  }
}
