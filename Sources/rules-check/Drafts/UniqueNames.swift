/// Names of the tests of a suite; the second test of a name is told apart by a number.
struct UniqueNames {
  private var counts: [String: Int] = [:]

  /// Returns the name, with a number if it was given before.
  mutating func unique(_ name: String) -> String {
    counts[name, default: 0] += 1
    guard var count = counts[name], count > 1 else { return name }
    while counts["\(name), \(count)"] != nil { count += 1 }
    counts[name] = count
    counts["\(name), \(count)"] = 1
    return "\(name), \(count)"
  }
}
