/// Names of the tests of a suite; the second test of a name is told apart by a number.
struct UniqueNames {
  private var counts: [String: Int] = [:]

  /// Returns the name, with a number if it was given before.
  mutating func unique(_ name: String) -> String {
    counts[name, default: 0] += 1
    guard let count = counts[name], count > 1 else { return name }
    return "\(name), \(count)"
  }
}
