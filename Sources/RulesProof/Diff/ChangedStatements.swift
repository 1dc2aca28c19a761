import RulesEval
import RulesLang

/// The statements in which two rules files with the same blocks differ. Requests that none of them
/// can apply to are decided by the same program in both, so that there is nothing to compare.
struct ChangedStatements {
  private let old: Checked
  private let new: Checked
  /// The statements; nil if the files differ in their blocks, too.
  private let changed: [AllowID]?

  /// Compares what is built alike.
  init(_ old: Checked, _ new: Checked, _ structures: inout Structures) {
    self.old = old
    self.new = new
    guard Self.haveSameBlocks(old, new) else {
      changed = nil
      return
    }
    var found: [AllowID] = []
    for index in old.ruleset.allows.indices {
      let id = AllowID(index)
      let (one, other) = (old.ruleset[id], new.ruleset[id])
      let isSame =
        switch (one.condition, other.condition) {
        case (.none, .none): true
        case (.some(let left), .some(let right)):
          structures.number(of: left.root, old, .old)
            == structures.number(of: right.root, new, .new)
        default: false
        }
      if !isSame || old.methods[index] != new.methods[index] { found.append(id) }
    }
    changed = found
  }

  private static func haveSameBlocks(_ old: Checked, _ new: Checked) -> Bool {
    guard old.ruleset.version == new.ruleset.version,
      old.ruleset.allows.count == new.ruleset.allows.count,
      old.matches.count == new.matches.count, old.blocksInOrder == new.blocksInOrder
    else { return false }
    for (one, other) in zip(old.matches, new.matches) {
      guard one.pattern == other.pattern, one.isReachable == other.isReachable,
        one.overlap == other.overlap
      else { return false }
    }
    for (one, other) in zip(old.ruleset.allows, new.ruleset.allows) where one.match != other.match {
      return false
    }
    return true
  }

  /// Whether requests of a kind may meet one of them.
  func concern(_ scenario: Scenario) -> Bool {
    guard let changed else { return true }
    return changed.contains { allow in
      let methods = old.methods[allow.index].union(new.methods[allow.index])
      return methods.contains(scenario.method)
        && mayFit(old.matches[old.ruleset[allow].match.index].pattern, scenario.path)
    }
  }

  /// Whether a block may be for a path; a pattern with `{x=**}` may be for any.
  private func mayFit(_ pattern: [PatternStep], _ path: [Text?]) -> Bool {
    let root = DocumentPath.root.count
    if pattern.contains(where: { $0.isGlob }) { return true }
    guard pattern.count == root + path.count else { return false }
    for (step, text) in zip(pattern[root...], path) {
      if case .literal(let wanted) = step, let text, wanted != text { return false }
    }
    return true
  }
}
