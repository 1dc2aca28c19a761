import RulesEncoding
import RulesEval
import RulesLang

// A condition that no client makes true for its own account may be made true by another account of the same
// person, since accounts are free, and by creating a document above the one that is asked about. What is not
// proved of these is left out, and said.

extension SequenceProver {
  /// The result for a condition that no client makes true for its own account, once second accounts and
  /// created parents count.
  enum Widened {
    /// No client makes the condition true, but for requests that are left out, a phrase each.
    case stable(leavingOut: [String])
    /// A request makes it true, an answer to one of these questions.
    case unstable(Flip, or: LaterFlips, among: StepQuestions)
  }

  /// Asks about other accounts of the same person, and about who creates the documents above.
  func widened(_ questions: StepQuestions) -> Widened {
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
    case .open(let doubts):
      let reason = doubts.first.map { " (\($0.reason))" } ?? ""
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
      "requests that create \(above.joined(separator: " or ")): whoever creates a deleted one again has "
        + "what was left below it")
    return .stable(leavingOut: left)
  }

  /// A request that creates a document above one that the suite stores without it.
  private func orphaned(by flip: Flip, among questions: StepQuestions) -> Widened? {
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
      var found = Flip(step: step, question: question)
      found.orphan = (path, data)
      let later = LaterFlips(self, [])
      if case .found = SequenceSearch(self).sequence(from: found, or: later, among: questions) {
        return .unstable(found, or: later, among: questions)
      }
    }
    return nil
  }
}
