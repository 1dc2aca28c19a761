import RulesEval
import RulesLang

/// A range of paths: those from a path on and those up to a path, with or without these two.
struct PathRange: Sendable {
  /// An end of a range.
  struct End: Sendable {
    /// The path.
    var path: DocumentPath
    /// True if the path is in the range.
    var isIncluded: Bool
  }

  /// The first path; nil for no bound.
  var lower: End?
  /// The last path; nil for no bound.
  var upper: End?

  /// The range of all paths.
  static let all = PathRange()

  /// Returns true if a path is in the range.
  func contains(_ path: DocumentPath) -> Bool { !isBelow(path) && !isAbove(path) }

  /// Returns true if the range begins behind a path.
  func isBelow(_ path: DocumentPath) -> Bool {
    guard let lower else { return false }
    return lower.isIncluded
      ? DocumentPath.precedes(path, lower.path) : !DocumentPath.precedes(lower.path, path)
  }

  /// Returns true if the range ends before a path.
  func isAbove(_ path: DocumentPath) -> Bool {
    guard let upper else { return false }
    return upper.isIncluded
      ? DocumentPath.precedes(upper.path, path) : !DocumentPath.precedes(path, upper.path)
  }

  /// Narrows the range to what both ranges have.
  mutating func narrow(to other: PathRange) {
    if let end = other.lower {
      if let own = lower {
        let isLater = DocumentPath.precedes(own.path, end.path)
        if isLater || own.path == end.path && !end.isIncluded { lower = end }
      } else {
        lower = end
      }
    }
    guard let end = other.upper else { return }
    guard let own = upper else {
      upper = end
      return
    }
    let isEarlier = DocumentPath.precedes(end.path, own.path)
    if isEarlier || own.path == end.path && !end.isIncluded { upper = end }
  }
}
