package import RulesEval
package import RulesLang
import RulesSolver

// Only the relevant parts of a counterexample are named: a part that can be removed or changed,
// while the evaluator still decides the request unexpectedly, is left out.

/// The relevant parts of a decision's input, besides client and operation.
package struct Circumstances: Sendable {
  /// A field of a document, or a claim of a token.
  package struct Part: Sendable {
    /// The name.
    package var name: Text
    /// The value; nil if other values of its type lead to the same decision.
    package var value: Value?
  }

  /// A stored document beside the one that the request is about.
  package struct Other: Sendable {
    /// The path.
    package var path: DocumentPath
    /// The fields that matter; none if the document only has to be stored.
    package var fields: [Part]
  }

  /// The relevant claims of the token.
  package var claims: [Part] = []
  /// The relevant stored fields of the document.
  package var fields: [Part] = []
  /// The changed fields whose new values are relevant.
  package var written: [Part] = []
  /// The other relevant stored documents.
  package var others: [Other] = []
  /// The time of the request, if relevant.
  package var time: Timestamp?

  /// Creates circumstances without relevant parts.
  init() {}

  /// Finds the relevant parts of a request.
  ///
  /// - Parameter confirms: True if a request still shows the same.
  init(of candidate: CandidateRequest, where confirms: @escaping (CandidateRequest) -> Bool) {
    guard confirms(candidate) else { return }
    var shrinking = Shrinking(within: Budget(), confirms: confirms)
    let probe = CircumstanceProbe(candidate: shrinking.shrink(candidate), confirms: confirms)
    claims = probe.claims
    fields = probe.fields
    written = probe.written
    others = probe.others
    // Reported with the request's own time, rather than that of the shrunk request.
    time = probe.time.map { _ in candidate.time }
  }
}

/// Tests relevance by changing one part of a request at a time.
private struct CircumstanceProbe {
  let candidate: CandidateRequest
  let confirms: (CandidateRequest) -> Bool

  private func isShown(_ change: (inout CandidateRequest) -> Void) -> Bool {
    var changed = candidate
    change(&changed)
    return confirms(changed)
  }

  var claims: [Circumstances.Part] {
    guard let principal = candidate.principal, case .string(let uid) = principal.uid else {
      return []
    }
    let plain = Principal(uid: uid)
    return principal.token.compactMap { name, value in
      let usual = plain.token[name]
      if let usual, Value.areIdentical(usual, value) { return nil }
      if isShown({ $0.principal?.token[name] = usual }) { return nil }
      return part(name, value) { $0.principal?.token[name] = $1 }
    }
  }

  var fields: [Circumstances.Part] {
    guard let before = candidate.before else { return [] }
    return before.compactMap { name, value in
      let stays = candidate.after?[name].map { Value.areIdentical($0, value) } ?? false
      let isFree = isShown {
        $0.before?[name] = nil
        if stays { $0.after?[name] = nil }
      }
      if isFree { return nil }
      return part(name, value) {
        $0.before?[name] = $1
        if stays { $0.after?[name] = $1 }
      }
    }
  }

  var written: [Circumstances.Part] {
    guard let after = candidate.after else { return [] }
    return after.compactMap { name, value in
      if let old = candidate.before?[name], Value.areIdentical(old, value) { return nil }
      let found = part(name, value) { $0.after?[name] = $1 }
      return found.value == nil ? nil : found
    }
  }

  var others: [Circumstances.Other] {
    candidate.others.indices.compactMap { place in
      let other = candidate.others[place]
      guard let before = other.before, !other.isChanged,
        !isShown({ $0.others.remove(at: place) })
      else { return nil }
      let parts = before.compactMap { name, value in
        let isFree = isShown {
          $0.others[place].before?[name] = nil
          $0.others[place].after?[name] = nil
        }
        return isFree
          ? nil
          : part(name, value) {
            $0.others[place].before?[name] = $1
            $0.others[place].after?[name] = $1
          }
      }
      return Circumstances.Other(path: other.path, fields: parts)
    }
  }

  /// Returns a part, without its value if other values of its type would do.
  private func part(
    _ name: Text, _ value: Value, put: (inout CandidateRequest, Value) -> Void
  ) -> Circumstances.Part {
    let others = value.others
    let isFree =
      !others.isEmpty && others.allSatisfy { other in isShown { put(&$0, other) } }
    return Circumstances.Part(name: name, value: isFree ? nil : value)
  }

  /// Seconds in the years 2000 and 2100, between which time-dependent decisions differ.
  private static let otherTimes: [Int64] = [946_684_800, 4_102_444_800]

  var time: Timestamp? {
    let isFree = Self.otherTimes.allSatisfy { seconds in
      guard let time = Timestamp(epochSeconds: seconds, nanos: 0) else { return true }
      return isShown { $0.move(to: time) }
    }
    return isFree ? nil : candidate.time
  }
}

extension CandidateRequest {
  /// Moves the request to another time; fields equal to the request time follow.
  mutating func move(to other: Timestamp) {
    let old = Value.timestamp(time)
    func moved(_ map: MapValue?) -> MapValue? {
      guard var map else { return nil }
      for name in map.keys {
        if let value = map[name], Value.areIdentical(value, old) { map[name] = .timestamp(other) }
      }
      return map
    }
    if method.isWrite { after = moved(after) }
    for place in others.indices where others[place].isChanged {
      others[place].after = moved(others[place].after)
    }
    time = other
  }
}

extension Value {
  /// Extreme values of the same type, which equality and range conditions distinguish from this
  /// one; empty for types without simple ones.
  fileprivate var others: [Value] {
    switch self {
    case .bool(let flag): [.bool(!flag)]
    case .int: [.int(-1_000_000_007), .int(1_000_000_007)]
    case .float: [.float(-1_000_000_007.5), .float(1_000_000_007.5)]
    case .string: [.string(""), .string("some other text")]
    case .list: [.list([]), .list([.string("some other text")])]
    case .map: [.map(MapValue()), .map(MapValue([("other", .bool(true))]))]
    case .null, .bytes, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector,
      .constraint:
      []
    }
  }
}
