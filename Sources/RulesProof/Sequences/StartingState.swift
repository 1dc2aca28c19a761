import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Reachability of the documents that a sequence starts with: a suite has them, allowed requests have
/// written them, or they are empty documents that the sequence is about.
struct StartingState {
  private let prover: Prover
  private var engine: Engine { prover.set.engine }
  private var accepted: Documents { prover.accepted }
  /// Requests found by search that create the needed documents.
  private var creations: [CandidateRequest] = []

  /// Prepares for the rules of a prover.
  init(_ prover: Prover) { self.prover = prover }

  /// Returns a document that nobody is known to be able to store; nil if there is none.
  func unreached(in sequence: StepSequence) -> DocumentPath? {
    let wanted = sequence.documents.all
    var stored = Documents()
    var open = wanted.filter { each in
      let isKnown =
        accepted[each.path].map { Value.areIdentical(.map($0), .map(each.data)) } ?? false
      // An empty document that the sequence is about is accepted as a start.
      let isPlain =
        each.data.count == 0
        && (each.path == sequence.step.path || each.path == sequence.later.path)
      if isKnown || isPlain { stored[each.path] = each.data }
      return !isKnown && !isPlain
    }
    var goesOn = true
    while goesOn, !open.isEmpty {
      goesOn = false
      for (place, each) in open.enumerated()
      where canBeCreated(each.path, each.data, on: stored, as: sequence.step.principal) {
        stored[each.path] = each.data
        open.remove(at: place)
        goesOn = true
        break
      }
      if !goesOn, let left = createdTogether(open, on: stored) {
        for each in left {
          stored[each.path] = each.data
          open.removeAll { $0.path == each.path }
        }
        goesOn = true
      }
    }
    return open.first?.path
  }

  /// Returns wanted documents that one commit creates together; nil if none is known.
  private func createdTogether(
    _ wanted: [(path: DocumentPath, data: MapValue)], on stored: Documents
  ) -> [(path: DocumentPath, data: MapValue)]? {
    for creation in creations {
      guard let own = wanted.first(where: { $0.path == creation.path }) else { continue }
      let partners = creation.others.filter { $0.before == nil && $0.after != nil }.map { $0.path }
      let all = [own] + wanted.filter { partners.contains($0.path) }
      if all.count != partners.count + 1 { continue }
      let writes = all.map {
        Write(to: $0.path, .set($0.data, mask: nil), precondition: .missing)
      }
      let request = Request(
        principal: creation.principal, time: creation.time, operation: .commit(writes))
      if engine.decides(request, on: stored, as: true) { return all }
    }
    return nil
  }

  /// Returns the sequence with documents completed so that allowed requests can have stored them,
  /// or with the commit creating them itself; nil if that is not possible.
  mutating func completed(
    _ sequence: StepSequence, where isShown: (StepSequence) -> Bool
  ) -> StepSequence? {
    var sequence = sequence
    for _ in 0..<Strategy.tries {
      guard let path = unreached(in: sequence), let data = sequence.documents[path] else {
        return sequence
      }
      if prover.budget.isSpent { return nil }
      if let together = sequence.creating(path), isShown(together) {
        sequence = together
        continue
      }
      if let filled = sequence.filling(path), unreached(in: filled) != path, isShown(filled) {
        sequence = filled
        continue
      }
      guard let creation = creation(of: path, having: data) else { return nil }
      creations.append(creation)
      sequence.add(creation)
      if !isShown(sequence) { return nil }
    }
    return unreached(in: sequence) == nil ? sequence : nil
  }

  /// Returns a request that creates a document with at least these fields, preferably by bob.
  private func creation(of path: DocumentPath, having data: MapValue) -> CandidateRequest? {
    let rules = prover.set.rules
    var claim = Claim(
      name: "", path: ClaimPath(path.segments.map { .literal($0) }), methods: MethodSet(.create),
      obligation: .never)
    var wanted: [String] = []
    for (key, value) in data {
      guard let text = value.rulesText else { return nil }
      wanted.append("request.resource.data[\(key.literal)] == \(text)")
    }
    let whole = prover.budget
    for principal in [["request.auth != null && request.auth.uid == 'bob'"], []] {
      claim.given = nil
      claim.add(principal + wanted)
      guard
        let set = try? ClaimSet([claim], about: rules, profile: prover.set.engine.profile)
      else { return nil }
      let budget = whole.question(steps: whole.steps / Strategy.share)
      defer { budget.settle() }
      let search = Prover(set, validation: prover.validation, within: budget)
      switch search.decideRequest(0, shrinking: true, judging: false) {
      case .violated(let found): return CandidateRequest(found, in: rules.database)
      case .proved, .vacuous, .undecided: continue
      }
    }
    return nil
  }

  /// Returns the sequence after somebody else has made a similar commit; nil if that is not
  /// allowed.
  func afterSomebodyElse(_ sequence: StepSequence) -> StepSequence? {
    guard unreached(in: sequence) == nil, sequence.step.path == sequence.later.path,
      sequence.step.method == .update, case .string(let uid)? = sequence.later.principal?.uid
    else { return nil }
    let request = sequence.step.request.naming("somebody", insteadOf: uid)
    guard let decision = try? engine.decide(request, on: sequence.documents), decision.isAllowed,
      case .commit(let writes) = request.operation
    else { return nil }
    var left = sequence.documents
    guard left.commit(writes, at: request.time) == nil, let before = left[sequence.step.path] else {
      return nil
    }
    var other = sequence
    other.step.before = before
    other.settle()
    return other
  }

  private func canBeCreated(
    _ path: DocumentPath, _ data: MapValue, on stored: Documents, as client: Principal?
  ) -> Bool {
    var names: [Text] = path.segments
    for (_, value) in data { names += value.texts }
    let plain = names.filter { !$0.isEmpty }.map { Principal(uid: $0) }
    let write = Write(to: path, .set(data, mask: nil), precondition: .missing)
    let time = Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch
    let others = plain.prefix(Strategy.samples).map { Principal?.some($0) }
    let known = creations.filter { $0.path == path }.map { $0.principal }
    for principal in [client] + known + others + [Principal(uid: "alice"), nil] {
      let request = Request(principal: principal, time: time, operation: .commit([write]))
      if engine.decides(request, on: stored, as: true) { return true }
    }
    return false
  }
}

extension Value {
  /// The strings in a value.
  var texts: [Text] {
    switch self {
    case .string(let text): [text]
    case .list(let elements): elements.flatMap { $0.texts }
    case .map(let map): map.keys + map.values.flatMap { $0.texts }
    case .null, .bool, .int, .float, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff,
      .vector, .constraint:
      []
    }
  }
}
