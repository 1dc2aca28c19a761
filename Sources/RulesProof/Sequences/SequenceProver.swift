import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Whether a claim that holds for one request holds after any number of requests of the same client.
//
// Sound: PROVED is said only if the claim holds for one request and each step question is proved, that
// is, searched, attacked and closed. VIOLATED is said only of a sequence in which the evaluator has
// decided every request, and that begins with documents that a suite has or that allowed requests have
// written. Everything else is UNDECIDED, with the step.

/// Decides a claim over sequences that is proved for one request.
struct SequenceProver {
  /// What is said of a condition that no client makes true.
  static let stable = "no allowed request makes the condition true for whom it was false"
  /// What is said of a condition that does not depend on documents.
  static let stateless = "the condition depends on nothing that is stored: one request is enough"

  private let prover: Prover
  private let claim: CompiledClaim

  /// Prepares for a claim of the prover's set.
  init(_ prover: Prover, claim index: Int) {
    self.prover = prover
    claim = prover.set.claims[index]
  }

  /// Prepares for a claim about the same rules.
  init(_ prover: Prover, claim: CompiledClaim) {
    self.prover = prover
    self.claim = claim
  }

  /// What came of the step questions.
  enum Stability {
    case stateless, stable
    /// A request makes the condition true: the claim that it refutes, and the request.
    case unstable(Counterexample, of: Claim)
    case open([Doubt])
  }

  /// The verdict after `through` requests; `proof` is that for one.
  func verdict(_ through: Claim.Through, proof: Proof) -> Verdict {
    var proof = proof
    guard let obligation = claim.obligation else {
      proof.induction = Self.stateless
      return .proved(proof)
    }
    let questions = StepQuestions(
      claim, condition: prover.set.rules.ruleset[obligation].result.root, in: prover.set.rules)
    switch stability(questions) {
    case .stateless: proof.induction = Self.stateless
    case .stable: proof.induction = Self.stable
    case .open(let doubts): return .undecided(doubts)
    case .unstable(let step, of: let question):
      let search = SequenceSearch(prover, claim: claim)
      switch search.sequence(from: step, of: question, among: questions) {
      case .found(let sequence): return .violated(sequence)
      case .unreached(let sequence, let path):
        return .undecided([
          Doubt(
            "\(sequence.sentence(in: prover.set.rules.ruleset)); but no request is known that stores "
              + "\(String(path.text)) as it is before: if the server never does, claim what documents "
              + "keep")
        ])
      case .nothing:
        return .undecided([
          Doubt(
            "\(step.sentence(in: prover.set.rules.ruleset)), and the condition is true, but no request "
              + "is known that is allowed then")
        ])
      }
    }
    return .proved(proof)
  }

  /// Decides step questions about the claim's documents, each set of them once for all that share what is
  /// known.
  func stability(_ questions: StepQuestions, sharing known: KnownSteps = KnownSteps()) -> Stability
  {
    let claims: [Claim]
    switch questions.outcome() {
    case .stateless: return .stateless
    case .open(let doubt): return .open([doubt])
    case .claims(let all): claims = all
    }
    if let stability = known.stability(of: claims) { return stability }
    do throws(ClaimSet.Refusal) {
      let stability = decide(
        try ClaimSet(claims, about: prover.set.rules, profile: prover.set.engine.profile))
      // What was broken off may come to an end at another's cost.
      if !prover.budget.isSpent { known.note(claims, stability) }
      return stability
    } catch {
      let problem = error.problems.first?.message ?? ""
      return .open([Doubt("the condition cannot be said of another state: \(problem)")])
    }
  }

  private func decide(_ set: ClaimSet) -> Stability {
    let steps = Prover(set, scrutiny: prover.scrutiny, within: prover.budget)
    var doubts: [Doubt] = []
    for index in set.claims.indices {
      switch steps.decide(index) {
      case .proved, .vacuous: continue
      case .undecided(let reasons): doubts += reasons
      case .violated(let step):
        guard case .never = set.claims[index].claim.obligation else {
          return .unstable(step, of: set.claims[index].claim)
        }
        doubts.append(Doubt("a reference inside a path is not followed over several requests"))
      }
    }
    return doubts.isEmpty ? .stable : .open(doubts.distinct)
  }
}

/// What came of step questions about one rules file, by what they ask; for one thread. Many statements
/// have one condition.
final class KnownSteps {
  private var known: [[Question]: SequenceProver.Stability] = [:]

  /// Knows none.
  init() {}

  /// What came of some questions; nil if they were not asked.
  func stability(of claims: [Claim]) -> SequenceProver.Stability? {
    known[claims.map { Question($0) }]
  }

  /// Remembers what came of some questions.
  func note(_ claims: [Claim], _ stability: SequenceProver.Stability) {
    known[claims.map { Question($0) }] = stability
  }

  /// All that a question says.
  private struct Question: Hashable {
    var path: ClaimPath
    var methods: MethodSet
    var given: Text?
    var obligation: Text?

    init(_ claim: Claim) {
      path = claim.path
      methods = claim.methods
      given = claim.given?.text
      switch claim.obligation {
      case .onlyIf(let condition): obligation = condition.text
      case .alwaysIf, .never, .noErrors: obligation = nil
      }
    }
  }
}
