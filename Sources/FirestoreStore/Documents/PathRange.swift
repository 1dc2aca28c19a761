import RulesEval
import RulesLang

/// A range of paths between two bounds, each included or excluded.
struct PathRange: Sendable {
  /// A bound of a range.
  struct End: Sendable {
    /// The path.
    var path: DocumentPath
    /// True if the path is in the range.
    var isIncluded: Bool
  }

  /// The lower bound; nil for none.
  var lower: End?
  /// The upper bound; nil for none.
  var upper: End?

  /// The range of all paths.
  static let all = PathRange()

  /// Returns true if a path is in the range.
  func contains(_ path: DocumentPath) -> Bool { !isBelow(path) && !isAbove(path) }

  /// Returns true if all paths of the range are greater than a path.
  func isBelow(_ path: DocumentPath) -> Bool {
    guard let lower else { return false }
    return lower.isIncluded
      ? DocumentPath.precedes(path, lower.path) : !DocumentPath.precedes(lower.path, path)
  }

  /// Returns true if all paths of the range are less than a path.
  func isAbove(_ path: DocumentPath) -> Bool {
    guard let upper else { return false }
    return upper.isIncluded
      ? DocumentPath.precedes(upper.path, path) : !DocumentPath.precedes(path, upper.path)
  }

  /// Narrows the range to its intersection with another one.
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
