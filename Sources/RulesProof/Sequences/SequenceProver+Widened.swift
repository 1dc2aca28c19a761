import RulesEncoding
import RulesEval
import RulesLang

// A condition that no client can make true for its own account may be made true by a second account
// of one person, since accounts are free, or by creating a document above the requested one.
// Whatever of this is not proved is reported as left out.

extension SequenceProver {
  /// The result for a condition that is stable for the client's own account, with second accounts
  /// and created parents considered.
  enum WidenedStability {
    /// Stable, except for requests that are left out, a phrase each.
    case stable(leavingOut: [String])
    /// Unstable: a request that answers one of these questions makes the condition true.
    case unstable(EnablingRequest, or: LaterEnablingRequests, among: StepQuestions)
  }

  /// Decides the questions about second accounts and about creation of the documents above.
  func widened(_ questions: StepQuestions) -> WidenedStability {
    guard case .claims = questions.outcome() else { return .stable(leavingOut: []) }
    var left: [String] = []
    let created = questions.createdPaths
    if created.contains(claim.claim.path.text) {
      left.append("requests that create \(claim.claim.path.text) itself")
    }
    let others = questions.byAnotherAccount(without: known.customClaims(in: prover.set.rules))
    switch stability(others) {
    case .stateless, .stable: break
    case .unstable(let flip, let later): return .unstable(flip, or: later, among: others)
    case .open(let openReasons):
      let reason = openReasons.first.map { " (\($0.reason))" } ?? ""
      left.append("requests by another account of the same person\(reason)")
    }
    let above = created.filter { $0 != claim.claim.path.text }
    if above.isEmpty { return .stable(leavingOut: left) }
    switch stability(questions.byCreation) {
    case .stateless, .stable: return .stable(leavingOut: left)
    case .unstable(let flip, _):
      if let orphaned = orphaned(by: flip, among: questions.byCreation) { return orphaned }
    case .open: break
    }
    left.append(
      "requests that create \(above.joined(separator: " or ")): a client that recreates a "
        + "deleted document gets access to what was left below it")
    return .stable(leavingOut: left)
  }

  /// Searches for a request that creates the missing parent of a document in the suite.
  private func orphaned(by flip: EnablingRequest, among questions: StepQuestions)
    -> WidenedStability?
  {
    for (path, data) in prover.accepted.all where claim.claim.path.fits(path) {
      var question = flip.question
      let conditions = zip(claim.claim.path.steps, path.segments).compactMap { step, segment in
        step.name.flatMap { name in
          question.path.variables.contains(name) ? "\(String(name)) == \(segment.literal)" : nil
        }
      }
      question.add(conditions)
      guard case .violated(let step)? = try? verdict(of: question, borrowing: false),
        prover.accepted[step.document] == nil
      else { continue }
      var found = EnablingRequest(step: step, question: question)
      found.orphan = (path, data)
      let later = LaterEnablingRequests(self, [])
      if case .found = SequenceSearch(self).sequence(from: found, or: later, among: questions) {
        return .unstable(found, or: later, among: questions)
      }
    }
    return nil
  }
}
