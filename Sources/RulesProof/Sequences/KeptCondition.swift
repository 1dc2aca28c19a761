import RulesEncoding
import RulesEval
import RulesLang

// What documents keep is true of each of them in every state that requests lead to, if it was at first.
// So a step question may take it for granted of what it finds.

/// A condition that the documents of a path keep, by a claim that is proved.
struct KeptCondition {
  private let claim: CompiledClaim
  private let condition: ExprID
  private let rules: Checked

  /// The condition of a claim of this kind, which holds of every document of its path and looks no other
  /// documents up; nil if the claim is another one.
  init?(_ claim: CompiledClaim, in rules: Checked) {
    guard claim.claim.kept != nil, claim.claim.keptGiven == nil, let given = claim.given,
      !rules.looksUp(given)
    else { return nil }
    self.claim = claim
    self.rules = rules
    condition = rules.ruleset[given].result.root
  }

  /// The documents that keep it.
  var path: ClaimPath { claim.claim.path }

  /// The condition of a document before a commit, which may also be missing, and the variables that it
  /// has; nil if it is not known to keep it.
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

  /// What the variables of the claim are at a path; nil if the claim says nothing of it.
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
