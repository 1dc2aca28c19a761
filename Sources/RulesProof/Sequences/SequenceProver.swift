import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Decides whether a claim proved for one request also holds after any number of requests of the same
// client.
//
// Sound: PROVED requires that the claim holds for one request and that each step question is proved
// (searched, attacked, and with complete axioms); what is assumed or left out is noted. VIOLATED requires a
// sequence whose requests are all decided by the evaluator, starting with documents of a suite, documents
// that allowed requests have written, or an empty document that it is about. Otherwise UNDECIDED, with the
// step or the reason.

/// Decides claims over sequences that are proved for one request.
struct SequenceProver {
  /// The sentence about a stable condition.
  static let stable =
    "clients who do not satisfy this condition cannot make themselves satisfy it, however many requests "
    + "they send"
  /// The sentence about a condition without stored data.
  static let stateless =
    "no stored data is involved, so several requests can do no more than one"

  /// The prover for single requests.
  let prover: Prover
  /// The claim.
  let claim: CompiledClaim
  /// The cached verdicts on step questions.
  let known: StepVerdicts

  /// Prepares for a claim of the prover's set.
  init(_ prover: Prover, claim index: Int) {
    self.init(prover, claim: prover.set.claims[index], knowing: StepVerdicts())
  }

  /// Prepares for a claim about the same rules, with cached verdicts.
  init(_ prover: Prover, claim: CompiledClaim, knowing known: StepVerdicts) {
    self.prover = prover
    self.claim = claim
    self.known = known
  }

  /// An enabling request: it makes a condition true.
  struct EnablingRequest {
    /// The request.
    var step: Counterexample
    /// The step question that it answers.
    var question: Claim
    /// An existing document below the one that the request creates.
    var orphan: (path: DocumentPath, data: MapValue)?
  }

  /// Further enabling requests, searched for lazily.
  struct LaterEnablingRequests {
    fileprivate let prover: SequenceProver
    fileprivate var questions: ArraySlice<Claim>
    fileprivate var left = Strategy.tries - 1

    /// The requests tried so far.
    private var tried: [Counterexample] = []

    /// Starts with the questions to be asked.
    init(_ prover: SequenceProver, _ questions: ArraySlice<Claim>) {
      (self.prover, self.questions) = (prover, questions)
    }

    /// Returns the next enabling request; nil if there is none or the maximum is reached.
    ///
    /// - Parameter borrowing: True to accept answers of other questions, each once. False to ask
    ///   the last question itself first, if it had a borrowed answer.
    mutating func next(after last: EnablingRequest, borrowing: Bool) -> EnablingRequest? {
      tried.append(last.step)
      if !borrowing, prover.known.isBorrowed(last.question) {
        questions = [last.question] + questions
        left += 1
      }
      while left > 0, let question = questions.popFirst() {
        // "References may be written" is not an enabling request.
        if case .never = question.obligation { continue }
        guard
          case .violated(let step)? = try? prover.verdict(of: question, borrowing: borrowing)
        else { continue }
        left -= 1
        let isBorrowed = prover.known.isBorrowed(question)
        if isBorrowed, tried.contains(where: { $0.isLike(step) }) { continue }
        return EnablingRequest(step: step, question: question)
      }
      return nil
    }
  }

  /// The result of the step questions.
  enum Stability {
    /// Stored data does not matter, except for a part that was left out, if any.
    case stateless(without: SourceRange?)
    /// Stable: no request makes the condition true, except for a part that was left out, if any.
    case stable(without: SourceRange?)
    /// An enabling request, and possibly further ones.
    case unstable(EnablingRequest, or: LaterEnablingRequests)
    case open([OpenReason])
  }

  /// Returns the verdict over several requests. Their maximum number makes no difference, since the
  /// first state is arbitrary.
  ///
  /// - Parameter proof: The proof for one request.
  func verdict(proof: Proof) -> Verdict {
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
        OpenReason(
          "the condition depends on " + chosen.choiceSentence(isOpen: required.reading.isOpen)
            + ", again before each request")
      ])
    }
    let questions = StepQuestions(claim, condition: condition, in: prover.set.rules)
    var begun = proof
    if case .claims = questions.outcome() {
      begun.notes += required.reading.leftOut.map { "left out: \($0)" }
    }
    return verdict(among: questions, about: condition, proof: begun)
  }

  /// Returns a sequence found without the parts that compare the later request with stored data,
  /// but decided with the whole condition; nil if there is none.
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
    case .open(let openReasons):
      let (again, kept) = stabilityOfKept(questions)
      guard case .stable? = again else {
        return violation(of: condition) ?? .undecided(openReasons)
      }
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

  /// Returns the sentence about a stable condition, with what is left out.
  static func stable(leavingOut parts: [String]) -> String {
    stable + (parts.isEmpty ? "" : "; left out: " + parts.joined(separator: "; "))
  }

  /// Returns the sentence about a condition that is stable under invariants.
  private static func stable(where kept: [KeptCondition]) -> String {
    let paths = kept.map { String($0.path.text) }
    return stable + ", provided that the `keeps` claims of \(paths.joined(separator: ", ")) hold "
      + "at first"
  }

  /// Decides step questions again under the proved invariants of the set; nil if there are none.
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

  /// Returns the verdict if an enabling request is found.
  private func verdict(
    after flip: EnablingRequest, or others: LaterEnablingRequests, among questions: StepQuestions
  ) -> Verdict {
    let rules = prover.set.rules.ruleset
    let search = SequenceSearch(self)
    switch search.sequence(from: flip, or: others, among: questions) {
    case .found(let sequence): return .violated(sequence)
    case .unreached(let sequence, let path), .assumed(let sequence, let path, _):
      return .undecided([
        OpenReason(
          "\(sequence.sentence(in: rules)); but no known request stores \(String(path.text)) "
            + "in that state: if the server never stores that, add a `keeps` claim")
      ])
    case .nothing(let step):
      return .undecided([
        OpenReason(
          "\(step.sentence(in: rules)), and then the condition is true, but no request was found "
            + "that is allowed then")
      ])
    }
  }

  /// Decides step questions. The parts of the condition are asked first, since conditions share
  /// them: if no request makes any part true, none makes the whole true.
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
    case .open(let openReason): return .open([openReason])
    case .claims(let claims, let left):
      do throws(ClaimSet.Refusal) {
        return try decide(claims, without: left)
      } catch {
        let problem = error.problems.first?.message ?? ""
        return .open([OpenReason("the condition cannot be evaluated after the write: \(problem)")])
      }
    }
  }

  /// Returns the result if no request makes any part true; nil if one might.
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
    var openReasons: [OpenReason] = []
    for (place, claim) in claims.enumerated() {
      switch try verdict(of: claim) {
      case .proved, .vacuous: continue
      case .undecided(let reasons): openReasons += reasons
      case .violated(let step):
        if case .never = claim.obligation {
          openReasons.append(
            OpenReason("a reference inside a path is not analysed across requests"))
          continue
        }
        let others = LaterEnablingRequests(self, claims.dropFirst(place + 1))
        return .unstable(EnablingRequest(step: step, question: claim), or: others)
      }
    }
    return openReasons.isEmpty ? .stable(without: left) : .open(openReasons.distinct)
  }

  /// Returns the verdict on a step question.
  ///
  /// - Parameter borrowing: True to try requests that answered other questions first.
  func verdict(
    of question: Claim, borrowing: Bool = true
  ) throws(ClaimSet.Refusal) -> Verdict {
    let key = StepVerdicts.Key(question)
    if let verdict = known[key], borrowing || !known.isBorrowed(question) { return verdict }
    let whole = prover.budget
    let (rest, share) = (whole.steps - whole.used, whole.steps / known.share)
    let left = min(rest, share)
    if let verdict = known.verdict(of: key, givenUpWithin: left) {
      // Charged as if it had been tried.
      whole.charge(left)
      return verdict
    }
    let budget = rest <= share ? whole : whole.question(steps: share)
    defer { if budget !== whole { budget.settle() } }
    let set = try ClaimSet(
      [question], about: prover.set.rules, profile: prover.set.engine.profile)
    let asked = Prover(
      set, sharing: BaseEncodingCache(with: known.policy), validation: prover.validation,
      within: budget)
    if borrowing, let verdict = known.borrow(for: question, by: asked) { return verdict }
    let verdict = asked.decideRequest(0, shrinking: true, judging: false)
    switch (verdict, budget.exhaustion) {
    // The evaluator has decided the request, so the limits do not matter.
    case (.violated, _), (_, nil): known.note(verdict, of: question)
    case (_, .steps): known.giveUp(key, as: verdict, within: left)
    // Results that overall limits cut short are not cached.
    case (_, .total), (_, .time), (_, .totalTime): break
    }
    return verdict
  }
}

/// Cached verdicts on step questions, which the conditions of several statements share.
final class StepVerdicts {
  /// The identity of a step question.
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

  /// The effort policy: undecided questions usually have a common cause.
  let policy = EffortPolicy(isShared: true)
  /// Share of a condition's budget for one question, as a divisor.
  let share: Int
  private var known: [Key: Verdict] = [:]
  /// Enabling requests with the variables of their questions, latest first.
  private var steps: [(step: CandidateRequest, others: [Text])] = []
  /// The questions with a borrowed answer.
  private var borrowed: Set<Key> = []
  /// The questions that were given up, with their budgets.
  private var givenUp: [Key: (verdict: Verdict, steps: Int)] = [:]

  /// Creates an empty cache.
  init(share: Int = 1) { self.share = share }

  private var custom: [Text]?

  /// Returns the server-set claims that the rules name.
  func customClaims(in rules: Checked) -> [Text] {
    if let custom { return custom }
    let found = rules.customClaims
    custom = found
    return found
  }

  /// The verdict on a question; nil if not cached.
  subscript(key: Key) -> Verdict? { known[key] }

  /// Caches the verdict on a question; a request may answer others, too.
  func note(_ verdict: Verdict, of question: Claim) {
    let key = Key(question)
    borrowed.remove(key)
    if case .violated(let step) = verdict {
      steps =
        [(CandidateRequest(step, in: step.database), question.path.others)]
        + steps.prefix(Strategy.refinements - 1)
    } else if known[key] != nil {
      // Keeps the borrowed answer.
      return
    }
    known[key] = verdict
  }

  /// True if a question has a borrowed answer.
  func isBorrowed(_ question: Claim) -> Bool { borrowed.contains(Key(question)) }

  /// Returns a counterexample of another query that also answers this one; nil if there is none.
  func borrow(for question: Claim, by prover: Prover) -> Verdict? {
    for (step, others) in steps where question.isAbout(step) {
      var candidate = step
      candidate.variables = question.path.others.map { name in
        if let known = zip(others, step.variables).first(where: { $0.0 == name }) { return known.1 }
        // A wildcard often has the name of the field that contains its value.
        if case .string(let text)? = step.after?[name] { return text }
        return step.path.segments.last ?? name
      }
      guard let found = prover.replay(candidate, prover.set.claims[0]) else { continue }
      borrowed.insert(Key(question))
      known[Key(question)] = .violated(found)
      return .violated(found)
    }
    return nil
  }

  /// Returns the verdict on a question that was given up with at least this budget; nil otherwise.
  func verdict(of key: Key, givenUpWithin steps: Int) -> Verdict? {
    guard let found = givenUp[key], steps <= found.steps else { return nil }
    return found.verdict
  }

  /// Records that a budget did not suffice for a question.
  func giveUp(_ key: Key, as verdict: Verdict, within steps: Int) {
    borrowed.remove(key)
    if let found = givenUp[key], found.steps >= steps { return }
    givenUp[key] = (verdict, steps)
  }
}

extension Counterexample {
  /// True if both change the same fields of the same document by the same statement.
  fileprivate func isLike(_ other: Counterexample) -> Bool {
    document == other.document && allow == other.allow && fields == other.fields
  }
}

extension ClaimPath {
  /// True if a document matches the path; false if the path has a glob.
  func fits(_ document: DocumentPath) -> Bool {
    steps.count == document.segments.count
      && zip(steps, document.segments).allSatisfy { step, segment in
        !step.isGlob && (step.text ?? segment) == segment
      }
  }
}

extension Claim {
  /// Adds conditions to the claim's scope.
  mutating func add(_ conditions: [String]) {
    let all = (given.map { ["(\(String($0.text)))"] } ?? []) + conditions
    given = Condition(Text(all.joined(separator: " && ")))
  }

  /// True if a write matches the methods and the path; false if the path has a glob.
  fileprivate func isAbout(_ write: CandidateRequest) -> Bool {
    let segments = write.path.segments
    return methods.contains(write.method) && path.steps.count == segments.count
      && zip(path.steps, segments).allSatisfy { step, segment in
        !step.isGlob && (step.text ?? segment) == segment
      }
  }
}
