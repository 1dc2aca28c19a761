import RulesLang

extension Value {
  /// Maximum parts of a value that is built from others, counted at every depth. More than a document of the
  /// maximum size has, and few enough that comparing and printing it is fast.
  ///
  /// `[x, x]` shares its parts, so a few calls of a function can make a value that would take for ever to
  /// traverse.
  package static let greatestWeight = 1 << 18

  /// True if a collection of these values would have more parts than a value may have.
  public static func areTooHeavy(_ values: [Value]) -> Bool {
    var left = greatestWeight
    for value in values {
      value.weigh(&left)
      if left < 0 { return true }
    }
    return false
  }

  /// Subtracts the value's number of parts from `left`, and stops at 0.
  private func weigh(_ left: inout Int) {
    left -= 1
    if left < 0 { return }
    switch self {
    case .list(let elements):
      for element in elements where left >= 0 { element.weigh(&left) }
    case .map(let map):
      for (_, value) in map where left >= 0 { value.weigh(&left) }
    case .set(let set):
      for element in set.elements where left >= 0 { element.weigh(&left) }
    case .vector(let numbers): left -= numbers.count
    case .null, .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .path,
      .mapDiff, .constraint:
      break
    }
  }
}
