package import RulesLang

// Where it is that something cannot be. Who checks a document is told only that it cannot be; the place
// is looked for when somebody is to be told.

/// What cannot be, and the way to it from the top.
package struct ImpossiblePart {
  /// A step into a value.
  package enum Step {
    case field(Text)
    case element(Int)
  }

  /// What cannot be.
  package var reason: Impossibility
  /// The way to the innermost part that cannot be, whatever is around it.
  package var steps: [Step]

  /// Makes a part.
  package init(reason: Impossibility, steps: [Step]) {
    self.reason = reason
    self.steps = steps
  }
}

extension MapValue {
  /// The first part that does not pass a check; nil if the whole map passes it.
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
        // As the value of a field: a check knows only maps.
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
