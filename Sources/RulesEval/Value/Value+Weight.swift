import RulesLang

extension Value {
  /// A value that is built from others may have so many parts in all. More than a document of the
  /// greatest size has, and few enough that comparing and printing it takes no time.
  ///
  /// `[x, x]` shares its parts, so a few calls of a function make a value that would take for ever
  /// to look through.
  package static let greatestWeight = 1 << 18

  /// Whether values that are put together have more parts than a value may have.
  public static func areTooHeavy(_ values: [Value]) -> Bool {
    var left = greatestWeight
    for value in values {
      value.weigh(&left)
      if left < 0 { return true }
    }
    return false
  }

  /// Takes the number of its parts off, and stops where nothing is left.
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
