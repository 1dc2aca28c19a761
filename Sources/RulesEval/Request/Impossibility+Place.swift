package import RulesLang

// The place of an impossible part. A check of a document only says that there is one; the place is searched
// for when it is reported.

/// A part of a document that Firestore cannot store, and the path to it.
package struct ImpossiblePart {
  /// A step into a value.
  package enum Step {
    case field(Text)
    case element(Int)
  }

  /// The reason.
  package var reason: Impossibility
  /// The path to the innermost impossible part.
  package var steps: [Step]

  /// Creates a part.
  package init(reason: Impossibility, steps: [Step]) {
    self.reason = reason
    self.steps = steps
  }
}

extension MapValue {
  /// Returns the first part that fails a check; nil if the whole map passes it.
  package func impossiblePart(
    _ check: (MapValue) throws(Impossibility) -> Void
  ) -> ImpossiblePart? {
    guard let reason = reason(check) else { return nil }
    for (name, value) in self {
      guard let own = MapValue([(name, value)]).reason(check) else { continue }
      let inner = value.impossiblePart(check)
      let step = ImpossiblePart.Step.field(name)
      return ImpossiblePart(
        reason: inner?.reason ?? own, steps: [step] + (inner?.steps ?? []))
    }
    return ImpossiblePart(reason: reason, steps: [])
  }

  private func reason(_ check: (MapValue) throws(Impossibility) -> Void) -> Impossibility? {
    do throws(Impossibility) {
      try check(self)
      return nil
    } catch {
      return error
    }
  }
}

extension Value {
  fileprivate func impossiblePart(
    _ check: (MapValue) throws(Impossibility) -> Void
  ) -> ImpossiblePart? {
    switch self {
    case .map(let map): return map.impossiblePart(check)
    case .list(let elements):
      for (place, element) in elements.enumerated() {
        // The element is wrapped as the value of a field, since `check` takes only maps.
        guard var part = MapValue([("x", element)]).impossiblePart(check) else { continue }
        part.steps[0] = .element(place)
        return part
      }
      return nil
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      return nil
    }
  }
}
