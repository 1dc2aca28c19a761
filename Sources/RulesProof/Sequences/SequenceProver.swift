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
  static let stable =
    "clients who do not satisfy this condition cannot make themselves satisfy it, however many requests "
    + "they send"
  /// What is said of a condition that does not depend on documents.
  static let stateless =
    "no stored data is involved, so several requests can do no more than one"

  /// Decides claims about one request.
  let prover: Prover
  /// The claim.
  let claim: CompiledClaim
  /// Known verdicts on step questions.
  let known: StepVerdicts

  /// No more requests are tried to go on from.
  private static let greatestFlips = 3

  /// Prepares for a claim of the prover's set.
  init(_ prover: Prover, claim index: Int) {
    self.init(prover, claim: prover.set.claims[index], knowing: StepVerdicts())
  }

  /// Prepares for a claim about the same rules, of which some verdicts are known.
  init(_ prover: Prover, claim: CompiledClaim, knowing known: StepVerdicts) {
    self.prover = prover
    self.claim = claim
    self.known = known
  }

  /// A request that makes a condition true.
  struct Flip {
    /// The request.
    var step: Counterexample
    /// The claim that it refutes.
    var question: Claim
    /// A document below the one that it creates, which is there before.
    var orphan: (path: DocumentPath, data: MapValue)?
  }

  /// More requests that make a condition true, each looked for only when it is wanted.
  struct LaterFlips {
    fileprivate let prover: SequenceProver
    fileprivate var questions: ArraySlice<Claim>
    fileprivate var left = SequenceProver.greatestFlips - 1

    /// What has been tried.
    private var tried: [Counterexample] = []

    /// Makes the verdicts on some questions.
    init(_ prover: SequenceProver, _ questions: ArraySlice<Claim>) {
      (self.prover, self.questions) = (prover, questions)
    }

    /// The next one after another one; nil if there is none, or so many have been tried already. With
    /// `borrowing` what answered another question will do, but not twice. Else the other one's question
    /// is asked itself first, if it was not.
    mutating func next(after last: Flip, borrowing: Bool) -> Flip? {
      tried.append(last.step)
      if !borrowing, prover.known.isBorrowed(last.question) {
        questions = [last.question] + questions
        left += 1
      }
      while left > 0, let question = questions.popFirst() {
        // That a reference may be written is no such request.
        if case .never = question.obligation { continue }
        guard
          case .violated(let step)? = try? prover.verdict(of: question, borrowing: borrowing)
        else { continue }
        left -= 1
        let isBorrowed = prover.known.isBorrowed(question)
        if isBorrowed, tried.contains(where: { $0.isLike(step) }) { continue }
        return Flip(step: step, question: question)
      }
      return nil
    }
  }

  /// What came of the step questions.
  enum Stability {
    /// Nothing that is stored has a part in it, but for a part that was left out, if one is named.
    case stateless(without: SourceRange?)
    /// No request makes the condition true, but for a part that was left out, if one is named.
    case stable(without: SourceRange?)
    /// A request makes the condition true; and perhaps some others.
    case unstable(Flip, or: LaterFlips)
    case open([Doubt])
  }

  /// The verdict after `through` requests; `proof` is that for one.
  func verdict(_ through: Claim.Through, proof: Proof) -> Verdict {
    var proof = proof
    guard let obligation = claim.obligation else {
      proof.induction = Self.stateless
      return .proved(proof)
    }
    let condition = prover.set.rules.ruleset[obligation].result.root
    let required = RequiredClaims(prover, claim: claim, condition: condition)
    let chosen = required.chosen
    guard required.reading.isVouchedFor(but: chosen) else {
      return .undecided([
        Doubt(
          "the condition depends on " + chosen.choiceSentence(isOpen: required.reading.isOpen)
            + ", before each request anew")
      ])
    }
    let questions = StepQuestions(claim, condition: condition, in: prover.set.rules)
    var begun = proof
    if case .claims = questions.outcome() {
      begun.notes += required.reading.leftOut.map { "left out: \($0)" }
    }
    return verdict(among: questions, about: condition, proof: begun)
  }

  /// A sequence that is found where parts of a condition are left out which compare the later request with
  /// what is stored; nil if there is none. What is found was decided whole.
  private func violation(of condition: ExprID) -> Verdict? {
    let questions = StepQuestions(
      claim, condition: condition, in: prover.set.rules, leavingOut: true)
    guard case .unstable(let flip, let others) = stability(questions),
      case .found(let sequence) = SequenceSearch(self).sequence(
        from: flip, or: others, among: questions)
    else { return nil }
    return .violated(sequence)
  }

  private func verdict(
    among questions: StepQuestions, about condition: ExprID, proof: Proof
  ) -> Verdict {
    var proof = proof
    var asked = questions
    switch stability(questions) {
    case .stateless: proof.induction = Self.stateless
    case .stable(without: _): proof.induction = Self.stable
    case .open(let doubts):
      let (again, kept) = stabilityOfKept(questions)
      guard case .stable? = again else { return violation(of: condition) ?? .undecided(doubts) }
      proof.induction = Self.stable(where: kept)
      asked = questions.assuming(kept)
    case .unstable(let flip, let others):
      let (again, kept) = stabilityOfKept(questions)
      switch again {
      case .stable?:
        proof.induction = Self.stable(where: kept)
        asked = questions.assuming(kept)
      case .unstable(let flip, let others)?:
        return verdict(after: flip, or: others, among: questions.assuming(kept))
      case .open?, .stateless?, nil: return verdict(after: flip, or: others, among: questions)
      }
    }
    switch widened(asked) {
    case .stable(let left):
      proof.notes += left.map { "left out: \($0)" }
      return .proved(proof)
    case .unstable(let flip, let others, let questions):
      return verdict(after: flip, or: others, among: questions)
    }
  }

  /// Returns the sentence about a condition that no client makes true, with the requests it leaves out.
  static func stable(leavingOut parts: [String]) -> String {
    stable + (parts.isEmpty ? "" : "; left out: " + parts.joined(separator: "; "))
  }

  /// What is said if it holds for states where documents keep something.
  private static func stable(where kept: [KeptCondition]) -> String {
    let paths = kept.map { String($0.path.text) }
    return stable + ", where what \(paths.joined(separator: ", ")) keeps is true at first"
  }

  /// Decides step questions again with what claims of the set say that documents keep, as far as it is
  /// proved; nil if nothing is.
  private func stabilityOfKept(
    _ questions: StepQuestions
  ) -> (stability: Stability?, kept: [KeptCondition]) {
    guard case .claims(let claims, _) = questions.outcome() else { return (nil, []) }
    let paths = claims.map { $0.path.steps } + [claim.claim.path.steps]
    var kept: [KeptCondition] = []
    for (index, other) in prover.set.claims.enumerated() {
      guard let condition = KeptCondition(other, in: prover.set.rules),
        paths.contains(where: { condition.text(at: $0, home: .own) != nil }),
        case .proved = prover.decideRequest(index, shrinking: false)
      else { continue }
      kept.append(condition)
    }
    return (kept.isEmpty ? nil : stability(questions.assuming(kept)), kept)
  }

  /// The verdict if a request makes the condition true.
  private func verdict(
    after flip: Flip, or others: LaterFlips, among questions: StepQuestions
  ) -> Verdict {
    let rules = prover.set.rules.ruleset
    let search = SequenceSearch(self)
    switch search.sequence(from: flip, or: others, among: questions) {
    case .found(let sequence): return .violated(sequence)
    case .unreached(let sequence, let path), .assumed(let sequence, let path, _):
      return .undecided([
        Doubt(
          "\(sequence.sentence(in: rules)); but no request is known that stores \(String(path.text)) "
            + "as it is before: if the server never does, claim what documents keep")
      ])
    case .nothing(let step):
      return .undecided([
        Doubt(
          "\(step.sentence(in: rules)), and the condition is true, but no request is known that is "
            + "allowed then")
      ])
    }
  }

  /// Decides step questions about the claim's documents. Conditions have parts in common, so these are
  /// asked first: what no request makes true in any part, none makes true in the whole.
  func stability(_ questions: StepQuestions) -> Stability {
    let found = stability(ofParts: questions.parts) ?? stability(ofWhole: questions)
    switch found {
    case .stateless, .stable: return questions.looseness.map { .open([$0]) } ?? found
    case .unstable, .open: return found
    }
  }

  private func stability(ofWhole questions: StepQuestions) -> Stability {
    switch questions.outcome() {
    case .stateless(let left): return .stateless(without: left)
    case .open(let doubt): return .open([doubt])
    case .claims(let claims, let left):
      do throws(ClaimSet.Refusal) {
        return try decide(claims, without: left)
      } catch {
        let problem = error.problems.first?.message ?? ""
        return .open([Doubt("the condition cannot be said of another state: \(problem)")])
      }
    }
  }

  /// What is known of a condition if no request makes any of its parts true; nil if one might.
  private func stability(ofParts parts: [StepQuestions]) -> Stability? {
    if parts.isEmpty { return nil }
    var left: SourceRange?
    var isStateless = true
    for part in parts {
      switch part.outcome() {
      case .open: return nil
      case .stateless(let without): left = left ?? without
      case .claims(let claims, let without):
        isStateless = false
        left = left ?? without
        for claim in claims {
          switch try? verdict(of: claim) {
          case .proved, .vacuous: continue
          case .violated, .undecided, nil: return nil
          }
        }
      }
    }
    return isStateless ? .stateless(without: left) : .stable(without: left)
  }

  private func decide(
    _ claims: [Claim], without left: SourceRange?
  ) throws(ClaimSet.Refusal) -> Stability {
    var doubts: [Doubt] = []
    for (place, claim) in claims.enumerated() {
      switch try verdict(of: claim) {
      case .proved, .vacuous: continue
      case .undecided(let reasons): doubts += reasons
      case .violated(let step):
        if case .never = claim.obligation {
          doubts.append(Doubt("a reference inside a path is not followed over several requests"))
          continue
        }
        let others = LaterFlips(self, claims.dropFirst(place + 1))
        return .unstable(Flip(step: step, question: claim), or: others)
      }
    }
    return doubts.isEmpty ? .stable(without: left) : .open(doubts.distinct)
  }

  /// The verdict on a question. With `borrowing` a request that has answered another one is tried first.
  func verdict(
    of question: Claim, borrowing: Bool = true
  ) throws(ClaimSet.Refusal) -> Verdict {
    let key = StepVerdicts.Key(question)
    if let verdict = known[key], borrowing || !known.isBorrowed(question) { return verdict }
    let whole = prover.budget
    let (rest, share) = (whole.steps - whole.used, whole.steps / known.share)
    let left = min(rest, share)
    if let verdict = known.verdict(of: key, givenUpWithin: left) {
      // As if it had been tried: what it would cost is all that is left.
      whole.charge(left)
      return verdict
    }
    let budget = rest <= share ? whole : whole.question(steps: share)
    defer { if budget !== whole { budget.settle() } }
    let set = try ClaimSet(
      [question], about: prover.set.rules, profile: prover.set.engine.profile)
    let asked = Prover(
      set, sharing: Grounds(with: known.patience), scrutiny: prover.scrutiny, within: budget)
    if borrowing, let verdict = known.borrow(for: question, by: asked) { return verdict }
    let verdict = asked.decideRequest(0, shrinking: true, judging: false)
    switch (verdict, budget.exhaustion) {
    // The evaluator has decided the request, whatever ran out then.
    case (.violated, _), (_, nil): known.note(verdict, of: question)
    case (_, .steps): known.giveUp(key, as: verdict, within: left)
    // What ended for want of time, or of steps for all questions, is nothing for others.
    case (_, .total), (_, .time), (_, .totalTime): break
    }
    return verdict
  }
}

/// What is known of step questions, which the conditions of several statements can have in common.
final class StepVerdicts {
  /// What tells questions apart.
  struct Key: Hashable {
    private let path: ClaimPath
    private let methods: MethodSet
    private let given: Text?
    private let condition: Text?

    /// The key of a question.
    init(_ question: Claim) {
      path = question.path
      methods = question.methods
      given = question.given?.text
      if case .onlyIf(let condition) = question.obligation {
        self.condition = condition.text
      } else {
        condition = nil
      }
    }
  }

  /// How much is tried for questions that stay open: what keeps one open mostly keeps the next one open.
  let patience = Patience(isShared: true)
  /// A question may cost so great a part of what is there for all questions about a condition.
  let share: Int
  private var known: [Key: Verdict] = [:]
  /// Requests that make conditions true, with the variables of their questions; the last one first.
  private var steps: [(step: Draft, others: [Text])] = []
  /// The questions that the requests of others have answered.
  private var borrowed: Set<Key> = []
  /// Those that were given up, and the steps that were not enough.
  private var givenUp: [Key: (verdict: Verdict, steps: Int)] = [:]

  /// Knows none; a question may cost one of so many parts of what is there for a condition.
  init(share: Int = 1) { self.share = share }

  private var custom: [Text]?

  /// The claims that only the server sets, of those that the rules name.
  func customClaims(in rules: Checked) -> [Text] {
    if let custom { return custom }
    let found = rules.customClaims
    custom = found
    return found
  }

  /// What came of a question; nil if it was not asked.
  subscript(key: Key) -> Verdict? { known[key] }

  /// So many requests are tried on other questions.
  private static let greatestSteps = 24

  /// Notes what came of a question that was asked itself: a request may be the answer to others.
  func note(_ verdict: Verdict, of question: Claim) {
    let key = Key(question)
    borrowed.remove(key)
    if case .violated(let step) = verdict {
      steps =
        [(Draft(step, in: step.database), question.path.others)]
        + steps.prefix(Self.greatestSteps - 1)
    } else if known[key] != nil {
      // The request of another one stays the answer.
      return
    }
    known[key] = verdict
  }

  /// Whether the request of another question has answered one.
  func isBorrowed(_ question: Claim) -> Bool { borrowed.contains(Key(question)) }

  /// The answer that the request of another question is to one, the first claim of a prover; nil if none
  /// is.
  func borrow(for question: Claim, by prover: Prover) -> Verdict? {
    for (step, others) in steps where question.isAbout(step) {
      var draft = step
      draft.variables = question.path.others.map { name in
        if let known = zip(others, step.variables).first(where: { $0.0 == name }) { return known.1 }
        // A wildcard is mostly called like the field that has it.
        if case .string(let text)? = step.after?[name] { return text }
        return step.path.segments.last ?? name
      }
      guard let found = prover.replay(draft, prover.set.claims[0]) else { continue }
      borrowed.insert(Key(question))
      known[Key(question)] = .violated(found)
      return .violated(found)
    }
    return nil
  }

  /// What came of a question that was given up although it had at least so many steps; nil if it was
  /// not.
  func verdict(of key: Key, givenUpWithin steps: Int) -> Verdict? {
    guard let found = givenUp[key], steps <= found.steps else { return nil }
    return found.verdict
  }

  /// Notes that so many steps were not enough for a question.
  func giveUp(_ key: Key, as verdict: Verdict, within steps: Int) {
    borrowed.remove(key)
    if let found = givenUp[key], found.steps >= steps { return }
    givenUp[key] = (verdict, steps)
  }
}

extension Counterexample {
  /// Whether a request changes the same fields of the same document by the same statement.
  fileprivate func isLike(_ other: Counterexample) -> Bool {
    document == other.document && allow == other.allow && fields == other.fields
  }
}

extension ClaimPath {
  /// True if a document is one of the path's, which has no glob.
  func fits(_ document: DocumentPath) -> Bool {
    steps.count == document.segments.count
      && zip(steps, document.segments).allSatisfy { step, segment in
        !step.isGlob && (step.text ?? segment) == segment
      }
  }
}

extension Claim {
  /// Limits the claim further.
  mutating func add(_ conditions: [String]) {
    let all = (given.map { ["(\(String($0.text)))"] } ?? []) + conditions
    given = Condition(Text(all.joined(separator: " && ")))
  }

  /// Whether a write has one of the methods and a path as the claim has it, no glob in it.
  fileprivate func isAbout(_ write: Draft) -> Bool {
    let segments = write.path.segments
    return methods.contains(write.method) && path.steps.count == segments.count
      && zip(path.steps, segments).allSatisfy { step, segment in
        !step.isGlob && (step.text ?? segment) == segment
      }
  }
}
