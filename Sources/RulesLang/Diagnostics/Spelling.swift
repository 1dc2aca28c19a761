/// Finds the name that was probably meant by a misspelt one.
public enum Spelling {
  /// Returns the candidate nearest to `name` within one edit, or two if it has six characters or more; of
  /// equally near ones the first; nil if there is none. Never returns `name` itself.
  ///
  /// An edit adds, drops or replaces a character, or swaps two neighbours. Case does not count.
  public static func nearest(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8)
    let limit = wanted.count < 6 ? 1 : 2
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where candidate != name {
      let other = Array(candidate.lowercased().utf8)
      guard abs(other.count - wanted.count) <= limit else { continue }
      let distance = edits(from: wanted, to: other)
      if distance <= limit, distance < (best?.distance ?? .max) { best = (distance, candidate) }
    }
    return best?.candidate
  }

  /// True if the words differ by one edit, or only in case.
  package static func isOneEdit(from one: String, to other: String) -> Bool {
    let (left, right) = (Array(one.lowercased().utf8), Array(other.lowercased().utf8))
    return abs(left.count - right.count) <= 1 && edits(from: left, to: right) <= 1
  }

  /// Returns the number of edits between two words (optimal string alignment). O(product of lengths).
  private static func edits(from one: [UInt8], to other: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in 0..<one.count {
      var current = [row + 1]
      for column in 0..<other.count {
        let substitution = last[column] + (one[row] == other[column] ? 0 : 1)
        var cost = min(substitution, min(last[column + 1], current[column]) + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }
}
