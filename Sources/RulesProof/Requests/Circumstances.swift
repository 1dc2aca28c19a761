package import RulesEval
package import RulesLang
import RulesSolver

// A counterexample has more in it than its sentence can say, and less is enough: what can be taken away, or
// be something else, while the evaluator still decides the request as it should not be, is not named.

/// Everything that a decision depends on besides the client and the operation.
package struct Circumstances: Sendable {
  /// A field of a document, or a claim of a token.
  package struct Part: Sendable {
    /// The name.
    package var name: Text
    /// The value; nil if other values of its type would do.
    package var value: Value?
  }

  /// A stored document beside the one that the request is about.
  package struct Other: Sendable {
    /// The path.
    package var path: DocumentPath
    /// The fields that matter; none if the document only has to be stored.
    package var fields: [Part]
  }

  /// The claims of the token that matter.
  package var claims: [Part] = []
  /// The fields of the document, as they are stored, that matter.
  package var fields: [Part] = []
  /// The fields that the request changes, where their new values matter.
  package var written: [Part] = []
  /// The other stored documents that matter.
  package var others: [Other] = []
  /// The time of the request, if it matters.
  package var time: Timestamp?

  /// Makes circumstances in which nothing matters.
  init() {}

  /// Finds what matters to a request; `confirms` says if a draft still shows what it is to show.
  init(of draft: Draft, where confirms: @escaping (Draft) -> Bool) {
    guard confirms(draft) else { return }
    var shrinking = Shrinking(within: Budget(), confirms: confirms)
    let probe = CircumstanceProbe(draft: shrinking.shrink(draft), confirms: confirms)
    claims = probe.claims
    fields = probe.fields
    written = probe.written
    others = probe.others
    // The request is shown as it is, at its own time.
    time = probe.time.map { _ in draft.time }
  }
}

/// Tries a request with one thing changed at a time.
private struct CircumstanceProbe {
  /// Maximum parts of a document that are tried: of 126 real files the one with the most fields names 36.
  private static let greatestParts = 40

  let draft: Draft
  let confirms: (Draft) -> Bool

  private func isShown(_ change: (inout Draft) -> Void) -> Bool {
    var changed = draft
    change(&changed)
    return confirms(changed)
  }

  var claims: [Circumstances.Part] {
    guard let principal = draft.principal, case .string(let uid) = principal.uid else { return [] }
    let plain = Principal(uid: uid)
    return principal.token.prefix(Self.greatestParts).compactMap { name, value in
      let usual = plain.token[name]
      if let usual, Value.areIdentical(usual, value) { return nil }
      if isShown({ $0.principal?.token[name] = usual }) { return nil }
      return part(name, value) { $0.principal?.token[name] = $1 }
    }
  }

  var fields: [Circumstances.Part] {
    guard let before = draft.before else { return [] }
    return before.prefix(Self.greatestParts).compactMap { name, value in
      let stays = draft.after?[name].map { Value.areIdentical($0, value) } ?? false
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
    guard let after = draft.after else { return [] }
    return after.prefix(Self.greatestParts).compactMap { name, value in
      if let old = draft.before?[name], Value.areIdentical(old, value) { return nil }
      let found = part(name, value) { $0.after?[name] = $1 }
      return found.value == nil ? nil : found
    }
  }

  var others: [Circumstances.Other] {
    draft.others.indices.prefix(Self.greatestParts).compactMap { place in
      let other = draft.others[place]
      guard let before = other.before, !other.isChanged,
        !isShown({ $0.others.remove(at: place) })
      else { return nil }
      let parts = before.prefix(Self.greatestParts).compactMap { name, value in
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

  /// A part, with its value unless other values of its type would do.
  private func part(
    _ name: Text, _ value: Value, put: (inout Draft, Value) -> Void
  ) -> Circumstances.Part {
    let others = value.others
    let isFree =
      !others.isEmpty && others.allSatisfy { other in isShown { put(&$0, other) } }
    return Circumstances.Part(name: name, value: isFree ? nil : value)
  }

  /// Seconds of the years 2000 and 2100: what the clock decides differs between them.
  private static let otherTimes: [Int64] = [946_684_800, 4_102_444_800]

  var time: Timestamp? {
    let isFree = Self.otherTimes.allSatisfy { seconds in
      guard let time = Timestamp(epochSeconds: seconds, nanos: 0) else { return true }
      return isShown { $0.move(to: time) }
    }
    return isFree ? nil : draft.time
  }
}

extension Draft {
  /// Makes the request at another time; fields that are set to the time of the request follow.
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
  /// Values of the type that a condition which asks for this one, or for a range, tells from it; none if the
  /// type has no plain ones.
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
