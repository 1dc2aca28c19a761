import RulesEncoding
import RulesEval
import RulesLang

// An enabling request may be found in an unreachable state, or with an excuse, although there is a
// better one. So the search is repeated with documents of the suite, with documents as statements
// create them, with somebody else having the access already, and without the excuse.

/// Variants of step questions for a repeated search.
struct SequenceStarts {
  /// A question to be asked again.
  struct Retry {
    /// The question.
    var question: Claim
    /// The set of questions that it belongs to.
    var questions: StepQuestions
  }

  private let sequences: SequenceProver
  private var prover: Prover { sequences.prover }

  /// Prepares for a claim.
  init(_ sequences: SequenceProver) { self.sequences = sequences }

  /// Returns the questions to ask again, given an insufficient outcome.
  func retries(
    of question: Claim, among questions: StepQuestions, besides outcome: SequenceSearch.Outcome
  ) -> [Retry] {
    var found: [Claim] = []
    for (path, data) in prover.accepted.all where question.path.fits(path) {
      if found.count >= Strategy.tries { break }
      found += limited(
        question, to: path, StateConditions(of: path, data, in: prover.set.rules.database))
    }
    if let created = created(at: question.path), let data = created.after {
      let state = StateConditions(
        of: created.path, data, beside: created.others, in: prover.set.rules.database)
      found += limited(question, to: created.path, state)
    }
    found += inOneCommit(question, outcome)
    var retries = found.map { Retry(question: $0, questions: questions) }
    if questions.account == nil, let other = besideSomebodyElse(question, among: questions) {
      retries.append(other)
    }
    retries += withoutExcuse(question, outcome).map { Retry(question: $0, questions: questions) }
    return retries
  }

  /// Returns the question restricted to a state with a document.
  private func limited(
    _ question: Claim, to path: DocumentPath, _ state: StateConditions
  ) -> [Claim] {
    guard state.isWhole else { return [] }
    var limited = question
    let names = zip(question.path.steps, path.segments).compactMap { step, segment in
      step.name.map { "\(String($0)) == \(segment.literal)" }
    }
    limited.add(names + state.conditions)
    return [limited]
  }

  /// Returns the question about commits that themselves create a document that nobody could have
  /// stored.
  private func inOneCommit(_ question: Claim, _ outcome: SequenceSearch.Outcome) -> [Claim] {
    guard case .unreached(let sequence, let path) = outcome,
      let step = sequence.steps.first?.document, path != step, path != sequence.document,
      question.path.fits(step)
    else { return [] }
    var limited = question
    let names = zip(question.path.steps, step.segments).compactMap { known, segment in
      known.name.map { "\(String($0)) == \(segment.literal)" }
    }
    limited.add(names + ["!exists(\(path.rulesText(in: prover.set.rules.database)))"])
    return [limited]
  }

  /// Returns a document as a create statement allows it, preferably by bob.
  private func created(at path: ClaimPath) -> CandidateRequest? {
    if path.steps.contains(where: { $0.isGlob }) { return nil }
    var claim = Claim(
      name: "", path: ClaimPath(path.steps), methods: MethodSet(.create), obligation: .never)
    for given in ["request.auth != null && request.auth.uid == 'bob'", nil] {
      claim.given = given.map { Claim.Condition(Text($0)) }
      guard
        let set = try? ClaimSet(
          [claim], about: prover.set.rules, profile: prover.set.engine.profile)
      else { return nil }
      let search = Prover(set, validation: prover.validation, within: prover.budget)
      if case .violated(let found) = search.decideRequest(0, shrinking: true, judging: false) {
        return CandidateRequest(found, in: prover.set.rules.database)
      }
    }
    return nil
  }

  /// Returns the question with the condition true of somebody else before.
  private func besideSomebodyElse(_ question: Claim, among questions: StepQuestions) -> Retry? {
    let besides = questions.besideSomebodyElse
    guard case .claims(let all, _) = questions.outcome(),
      case .claims(let others, _) = besides.outcome(), all.count == others.count,
      let place = all.firstIndex(where: { StepVerdicts.Key($0) == StepVerdicts.Key(question) })
    else { return nil }
    return Retry(question: others[place], questions: besides)
  }

  /// Returns the question without the excuse of a sequence.
  private func withoutExcuse(_ question: Claim, _ outcome: SequenceSearch.Outcome) -> [Claim] {
    guard case .found(let sequence) = outcome,
      let excuse = ExpectedEscalation(sequence, by: prover.set.engine, within: prover.budget)
    else { return [] }
    var other = question
    switch excuse {
    case .trusted(let claims):
      let parts = claims.map { "!(\($0.literal) in request.auth.token)" }
      other.add(["(request.auth == null || \(parts.joined(separator: " && ")))"])
    case .made: other.methods = MethodSet(.update).union(MethodSet(.delete))
    case .named(let fields, _):
      other.add(
        ["request.auth != null"]
          + fields.map { field in
            let value = "resource.data.get(\(field.name.literal), null)"
            return field.isAlone
              ? "\(value) != request.auth.uid"
              : "!(\(value) != null && request.auth.uid in \(value))"
          })
    case .free, .own, .missing, .had, .joining, .anybody, .beside: return []
    }
    return [other]
  }
}
