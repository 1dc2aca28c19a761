import RulesEval
import RulesLang

/// Whether the documents that a sequence begins with can be there: a suite has them, or allowed requests
/// have written them, or they need not say anything.
struct StartingState {
  private let engine: Engine
  private let accepted: Documents

  /// Prepares for some rules.
  init(_ engine: Engine, accepted: Documents) {
    self.engine = engine
    self.accepted = accepted
  }

  /// A document of which it is not known who can have stored it; nil if there is none.
  func unreached(in sequence: StepSequence) -> DocumentPath? {
    let wanted = sequence.documents.all
    var stored = Documents()
    var open = wanted.filter { each in
      let isKnown =
        accepted[each.path].map { Value.areIdentical(.map($0), .map(each.data)) } ?? false
      // That a document is there which the sequence is about is no more than a beginning.
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
    }
    return open.first?.path
  }

  /// The sequence where somebody else has made a commit like the first one before; nil if that is not
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
    let others = plain.prefix(20).map { Principal?.some($0) }
    for principal in [client] + others + [Principal(uid: "alice"), nil] {
      let request = Request(principal: principal, time: time, operation: .commit([write]))
      if let decision = try? engine.decide(request, on: stored), decision.isAllowed { return true }
    }
    return false
  }
}

extension Value {
  /// The texts in a value.
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
