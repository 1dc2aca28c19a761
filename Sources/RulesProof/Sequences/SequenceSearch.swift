import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Searches for requests that are allowed once a condition has been made true, and checks that the
/// starting state is reachable.
struct SequenceSearch {
  /// The result of a search.
  enum Outcome {
    /// A request that is allowed after others and denied before, or whose query did not find the
    /// document. Each was decided by the evaluator.
    case found(Counterexample)
    /// A sequence as above, but nobody is known who could have stored this document.
    case unreached(Counterexample, DocumentPath)
    /// A sequence as above that also works with other values of these fields of the document.
    case assumed(Counterexample, DocumentPath, [Text])
    /// The condition can be made true, but no request is known that is allowed only then.
    case nothing(Counterexample)

    fileprivate static let greatestRank = 3
  }

  private let sequences: SequenceProver
  private let excusing: Bool
  private var prover: Prover { sequences.prover }
  private var claim: CompiledClaim { sequences.claim }
  private var engine: Engine { prover.set.engine }

  /// Prepares for a claim.
  ///
  /// - Parameter excusing: True to prefer sequences without an excuse.
  init(_ sequences: SequenceProver, excusing: Bool = false) {
    self.sequences = sequences
    self.excusing = excusing
  }

  /// Returns the best sequence that begins with one of the enabling requests.
  func sequence(
    from first: SequenceProver.EnablingRequest, or others: SequenceProver.LaterEnablingRequests,
    among questions: StepQuestions
  ) -> Outcome {
    var best: (outcome: Outcome, rank: Int) = (.nothing(first.step), -1)
    func isBest(_ outcome: Outcome) -> Int {
      let rank = rank(of: outcome)
      if rank > best.rank { best = (outcome, rank) }
      return rank
    }
    var others = others
    var next: SequenceProver.EnablingRequest? = first
    while let flip = next {
      let rank = isBest(sequence(from: flip, among: questions))
      if rank == Outcome.greatestRank { return best.outcome }
      // If no starting state is known, other requests hardly have one, and borrowed answers suffice.
      // Otherwise each question is asked itself.
      next = others.next(after: flip, borrowing: rank == 1)
    }
    let starts = SequenceStarts(sequences)
    for retry in starts.retries(of: first.question, among: questions, besides: best.outcome) {
      if prover.budget.isSpent { break }
      guard case .violated(let step)? = try? sequences.verdict(of: retry.question, borrowing: false)
      else { continue }
      let flip = SequenceProver.EnablingRequest(step: step, question: retry.question)
      if isBest(sequence(from: flip, among: retry.questions)) == Outcome.greatestRank { break }
    }
    return best.outcome
  }

  /// True if excuses matter and the sequence has one.
  private func isExcused(_ sequence: Counterexample) -> Bool {
    excusing && ExpectedEscalation(sequence, by: engine, within: prover.budget) != nil
  }

  /// Returns the rank of an outcome; actions on the client's own documents, and excused ones, rank
  /// lower.
  private func rank(of outcome: Outcome) -> Int {
    switch outcome {
    case .found(let sequence), .assumed(let sequence, _, _):
      return sequence.isAboutItsOwn || isExcused(sequence) ? 2 : Outcome.greatestRank
    case .unreached: return 1
    case .nothing: return 0
    }
  }

  private func sequence(
    from flip: SequenceProver.EnablingRequest, among questions: StepQuestions
  ) -> Outcome {
    let outcome = sequence(from: flip, among: questions, onOthers: false)
    guard case .found(let found) = outcome, found.isAboutItsOwn,
      case .found(let other) = sequence(from: flip, among: questions, onOthers: true)
    else { return outcome }
    return .found(other)
  }

  /// Returns a sequence that begins with an enabling request.
  ///
  /// - Parameter onOthers: True to require a final document whose path does not contain the
  ///   client's user ID.
  private func sequence(
    from flip: SequenceProver.EnablingRequest, among questions: StepQuestions, onOthers: Bool
  ) -> Outcome {
    var candidate = CandidateRequest(flip.step, in: engine.rules.database)
    if let (path, data) = flip.orphan, !candidate.others.contains(where: { $0.path == path }) {
      candidate.others.append(CandidateRequest.Other(path: path, before: data, after: data))
    }
    var tried: [CandidateRequest] = []
    while tried.count < Strategy.tries, !prover.budget.isSpent,
      let later = later(
        after: candidate, of: flip, among: questions, onOthers: onOthers, but: tried)
    {
      let isByAnother = questions.account != nil
      if let outcome = outcome(of: candidate, then: later, isByAnother: isByAnother) {
        return outcome
      }
      tried.append(later)
    }
    return .nothing(flip.step)
  }

  /// Returns the outcome of two requests; nil if they show nothing.
  private func outcome(
    of candidate: CandidateRequest, then later: CandidateRequest, isByAnother: Bool
  ) -> Outcome? {
    var sequence = StepSequence(step: candidate, later: later, isByAnother: isByAnother)
    sequence.align()
    guard let first = confirmed(sequence) else { return nil }
    var start = StartingState(prover)
    // Shrinking must not weaken the result.
    let mayBeMeant = isExcused(first)
    let isReached = start.unreached(in: sequence) == nil
    sequence.shrink { smaller in
      guard let found = confirmed(smaller), !prover.budget.isSpent else { return false }
      return (mayBeMeant || !isExcused(found))
        && (!isReached || start.unreached(in: smaller) == nil)
    }
    guard var found = confirmed(sequence) else { return nil }
    if start.unreached(in: sequence) != nil,
      let whole = start.completed(sequence, where: { confirmed($0) != nil }),
      let shown = confirmed(whole), mayBeMeant || !isExcused(shown)
    {
      (sequence, found) = (whole, shown)
    }
    // An effect on somebody else's document is more convincing than on nobody's.
    for other in sequence.variants {
      if let found = confirmed(other), start.unreached(in: other) == nil { return .found(found) }
    }
    if let other = start.afterSomebodyElse(sequence), let found = confirmed(other) {
      return .found(found)
    }
    guard let path = start.unreached(in: sequence) else { return .found(found) }
    if excusing, path == sequence.step.path || path == sequence.later.path {
      for renaming in [false, true] {
        guard let other = sequence.saying(somethingElseAt: path, renaming: renaming),
          confirmed(other.sequence) != nil
        else { continue }
        return .assumed(found, path, other.fields)
      }
    }
    return .unreached(found, path)
  }

  // MARK: The request after it

  /// Searches for a request in the claim's scope that is allowed in the state after a step, other
  /// than those tried.
  private func later(
    after step: CandidateRequest, of flip: SequenceProver.EnablingRequest,
    among questions: StepQuestions, onOthers: Bool,
    but tried: [CandidateRequest]
  ) -> CandidateRequest? {
    let question = flip.question
    var steps: [ClaimPath.Step] = []
    var binding = binding(of: question.path, by: step)
    if let orphan = flip.orphan {
      for (each, segment) in zip(claim.claim.path.steps, orphan.path.segments) {
        if let name = each.name { binding[name] = segment }
      }
    }
    for each in claim.claim.path.steps {
      switch each {
      case .literal, .glob: steps.append(each)
      case .capture(let name): steps.append(binding[name].map { .literal($0) } ?? each)
      }
    }
    var claim = claim.claim
    if question.path.steps == claim.path.steps {
      // The written document is the requested one.
      steps = step.path.segments.map { .literal($0) }
    }
    claim.path = ClaimPath(
      steps,
      others: claim.path.steps.compactMap { $0.name }.filter { name in
        !steps.contains { $0.name == name }
      })
    claim.obligation = .never
    claim.through = nil
    let state = StateConditions(
      step, at: steps, by: questions.account.flatMap { binding[$0] })
    var others: [String] = []
    if onOthers {
      for case .capture(let name) in steps { others.append("\(String(name)) != request.auth.uid") }
      if others.isEmpty { return nil }
    }
    others += Self.differences(from: tried, among: claim)
    let given =
      others + [claim.given?.text].compactMap { $0 }.map { "(\(String($0)))" } + state.conditions
      + questions.laterConditions(binding)
    claim.given = Claim.Condition(Text(given.joined(separator: " && ")))
    guard state.isWhole,
      let set = try? ClaimSet([claim], about: prover.set.rules, profile: engine.profile)
    else { return nil }
    let search = Prover(set, validation: prover.validation, within: prover.budget)
    guard case .violated(let found) = search.decideRequest(0, shrinking: true, judging: false)
    else { return nil }
    return CandidateRequest(found, in: engine.rules.database)
  }

  /// Constraints that exclude the requests already tried: first their methods, then the requests
  /// themselves.
  private static func differences(from tried: [CandidateRequest], among claim: Claim) -> [String] {
    let methods = tried.reduce(MethodSet()) { $0.union(MethodSet($1.method)) }
    if methods.methods.count < claim.methods.methods.count {
      return methods.methods.map { "request.method != '\($0.word)'" }
    }
    return tried.map { one in
      var parts = ["request.method == '\(one.method.word)'"]
      for (step, segment) in zip(claim.path.steps, one.path.segments) {
        if case .capture(let name) = step {
          parts.append("\(String(name)) == \(segment.literal)")
        }
        if step.isGlob { break }
      }
      if let text = one.after.flatMap({ Value.map($0).rulesText }) {
        parts.append("request.resource.data == \(text)")
      }
      return "!(\(parts.joined(separator: " && ")))"
    }
  }

  /// Returns the values of the variables of a question for a request.
  private func binding(of path: ClaimPath, by candidate: CandidateRequest) -> [Text: Text] {
    var found: [Text: Text] = [:]
    for (name, value) in zip(path.variables, path.arguments(for: candidate)) {
      if case .string(let text) = value { found[name] = text }
    }
    return found
  }

  // MARK: Deciding

  /// Returns the sequence as decided by the evaluator; nil if it shows nothing.
  private func confirmed(_ sequence: StepSequence) -> Counterexample? {
    let (step, later) = (sequence.step, sequence.later)
    guard step.impossibility == nil, later.impossibility == nil,
      !sequence.isByAnother || isDenied(later, to: step.principal, on: sequence.documents)
    else { return nil }
    let before = sequence.documents
    var after = before
    guard let first = engine.decide(step.request, on: before, within: prover.budget),
      first.isAllowed, case .commit(let writes) = step.request.operation,
      after.commit(writes, at: step.time) == nil,
      // Documents that the client created are its own.
      before[later.path] != nil || after[later.path] == nil,
      let last = engine.decide(later.request, on: after, within: prover.budget), last.isAllowed,
      later.isMeant(last),
      let early = engine.decide(later.request, on: before, within: prover.budget),
      !early.isAllowed || !later.isReturned(before[later.path]),
      holds(later, on: after) != false, holds(later, on: before) != true
    else { return nil }
    var found = Counterexample(
      request: later.request, documents: after, document: later.path, method: later.method,
      decision: last, allow: Self.granting(later, in: last), failed: nil,
      fields: later.changedFields)
    found.steps = [
      Counterexample(
        request: step.request, documents: before, document: step.path, method: step.method,
        decision: first, allow: Self.granting(step, in: first), failed: nil,
        fields: step.changedFields)
    ]
    return found
  }

  /// True if the request is denied to the account that made the commit; otherwise that account only
  /// shares its own access.
  private func isDenied(
    _ later: CandidateRequest, to principal: Principal?, on documents: Documents
  ) -> Bool {
    var other = later
    other.principal = principal
    guard principal?.text != later.principal?.text,
      let decision = engine.decide(other.request, on: documents, within: prover.budget)
    else { return false }
    return !decision.isAllowed
  }

  /// Returns the truth of the claim's condition for a later request; nil if there is none or the
  /// evaluator does not model it.
  private func holds(_ later: CandidateRequest, on documents: Documents) -> Bool? {
    guard let obligation = claim.obligation,
      let prepared = try? PreparedRequest(
        later.request, on: documents, in: engine.rules.database, profile: engine.profile),
      var scope = try? ConditionScope(engine, for: later.path, in: prepared)
    else { return nil }
    return scope.truth(of: obligation, claim.claim.path.arguments(for: later.path))
  }

  private static func granting(_ candidate: CandidateRequest, in decision: Decision) -> AllowID? {
    let access =
      decision.accesses.first { $0.access.document == candidate.path } ?? decision.accesses.first
    return access?.tried.last?.allow
  }
}

extension Principal {
  /// The user ID, if it is a string.
  fileprivate var text: Text? {
    if case .string(let text) = uid { return text }
    return nil
  }
}

/// A commit and a later request.
struct StepSequence {
  /// The commit that makes a condition true.
  var step: CandidateRequest
  /// The request that is allowed afterwards, with the documents stored then.
  var later: CandidateRequest
  /// True if another account makes the commit.
  var isByAnother = false
  /// The documents stored before the commit.
  var documents: Documents { step.documents }

  /// Makes one client send both requests, unless another account makes the commit, and stores the
  /// documents that the later request needs before the commit.
  mutating func align() {
    if !isByAnother { step.principal = later.principal }
    later.time = max(later.time, step.time)
    var known: Set<DocumentPath> = [step.path]
    let left = later.documents
    step.extend(with: left[step.path])
    for place in step.others.indices {
      known.insert(step.others[place].path)
      step.others[place].extend(with: left[step.others[place].path])
    }
    for (path, data) in left.all where !known.contains(path) {
      step.others.append(CandidateRequest.Other(path: path, before: data, after: data))
    }
    settle()
  }

  /// Updates the later request's documents to the state after the commit.
  mutating func settle() {
    var documents = step.documents
    if case .commit(let writes) = step.request.operation {
      _ = documents.commit(writes, at: step.time)
    }
    later.others.removeAll { other in !other.isChanged }
    if later.method != .create { later.before = documents[later.path] }
    for (path, data) in documents.all where path != later.path {
      if let place = later.others.firstIndex(where: { $0.path == path }) {
        later.others[place].before = data
      } else {
        later.others.append(CandidateRequest.Other(path: path, before: data, after: data))
      }
    }
  }

  /// Removes irrelevant parts.
  mutating func shrink(while isShown: (StepSequence) -> Bool) {
    var attempts = Strategy.requests
    var isSmaller = true
    while isSmaller, attempts > 0 {
      isSmaller = false
      for change in changes {
        attempts -= 1
        var candidate = self
        change(&candidate)
        candidate.settle()
        if attempts > 0, isShown(candidate) {
          self = candidate
          isSmaller = true
          break
        }
      }
    }
  }

  /// Variants in which a field set by the commit had another value before.
  fileprivate var variants: [StepSequence] {
    guard step.path == later.path, let before = step.before, let after = step.after else {
      return []
    }
    return after.compactMap { key, value in
      if let old = before[key], !Value.areIdentical(old, .null) { return nil }
      guard let other = value.another else { return nil }
      var variant = self
      variant.step.before?[key] = other
      variant.settle()
      return variant
    }
  }

  private var changes: [(inout StepSequence) -> Void] {
    var found: [(inout StepSequence) -> Void] = []
    for place in step.others.indices {
      if step.others[place].isChanged { found.append { $0.beginWithWrite(at: place) } }
      found.append { $0.step.others.remove(at: place) }
      for key in step.others[place].before?.keys ?? [] {
        found.append {
          $0.step.others[place].before?[key] = nil
          $0.step.others[place].after?[key] = nil
        }
      }
    }
    for key in step.before?.keys ?? [] {
      found.append {
        $0.step.before?[key] = nil
        $0.step.after?[key] = nil
      }
      found.append { $0.step.before?[key] = nil }
      if let old = step.before?[key], let new = step.after?[key], !Value.areIdentical(old, new) {
        found.append { $0.step.after?[key] = old }
      }
    }
    for key in step.after?.keys ?? [] where step.before?[key] == nil {
      found.append { $0.step.after?[key] = nil }
    }
    return found
  }
}

extension CandidateRequest {
  /// Adds fields that must exist after the request to the document before and after it, unless it has them
  /// already.
  mutating func extend(with left: MapValue?) {
    guard let left else { return }
    let (old, new) = (before, after)
    for (key, value) in left where new?[key] == nil {
      if old?[key] == nil {
        before?[key] = value
        after?[key] = value
      }
    }
  }
}

extension CandidateRequest.Other {
  /// Adds fields that must exist after the request to the document before and after it, unless it has them
  /// already.
  mutating func extend(with left: MapValue?) {
    guard let left else { return }
    let (old, new) = (before, after)
    for (key, value) in left where new?[key] == nil && old?[key] == nil {
      before?[key] = value
      after?[key] = value
    }
  }
}

extension Value {
  /// A different value of the same type.
  fileprivate var another: Value? {
    switch self {
    case .string: .string("somebody")
    case .bool(let flag): .bool(!flag)
    case .int(let number): .int(number == 0 ? 1 : 0)
    case .list: .list([.string("somebody")])
    case .map: .map(MapValue([("somebody", .bool(true))]))
    case .null, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector,
      .constraint:
      nil
    }
  }
}
