import RulesEncoding
import RulesEval
import RulesLang

/// The statements in which two rules files with the same blocks differ. Requests that none of them
/// can apply to are decided by the same program in both, so that there is nothing to compare.
struct ChangedStatements {
  private let old: Checked
  private let new: Checked
  /// Whether the files differ in their blocks, too, so that any requests may be concerned.
  private let isOpen: Bool
  /// The statements whose paths begin with a text, by that.
  private var byFirst: [Text: [AllowID]] = [:]
  /// The others.
  private var others: [AllowID] = []

  /// Compares what is built alike.
  init(from old: Checked, to new: Checked, structures: inout Structures) {
    self.old = old
    self.new = new
    isOpen = !Self.haveSameBlocks(old, new)
    if isOpen { return }
    for index in old.ruleset.allows.indices {
      let id = AllowID(index)
      let (one, other) = (old.ruleset[id], new.ruleset[id])
      let isSame =
        switch (one.condition, other.condition) {
        case (.none, .none): true
        case (.some(let left), .some(let right)):
          structures.number(of: left.root, in: old, side: .old)
            == structures.number(of: right.root, in: new, side: .new)
        default: false
        }
      if !isSame || old.methods[index] != new.methods[index] { add(id) }
    }
  }

  /// Takes statements that versions of one file, which have its blocks, differ in.
  init(_ statements: [AllowID], from old: Checked, to new: Checked) {
    self.old = old
    self.new = new
    isOpen = false
    for allow in statements { add(allow) }
  }

  private mutating func add(_ allow: AllowID) {
    let pattern = old.matches[old.ruleset[allow].match.index].pattern
    let first = pattern.dropFirst(DocumentPath.root.count).first
    if case .literal(let text)? = first, !pattern.contains(where: { $0.isGlob }) {
      byFirst[text, default: []].append(allow)
    } else {
      others.append(allow)
    }
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

  /// Whether requests of a kind may meet one of them that are not for documents at some paths.
  func concern(_ scenario: Scenario, except: [[Text?]]) -> Bool {
    concern(scenario.path, method: scenario.method) { scenario.mayFit($0, except: except) }
  }

  /// Whether requests for a path may meet one of them; without a method, requests of any.
  func concern(
    _ path: [Text?], method: Method? = nil, where mayFit: ([PatternStep]) -> Bool = { _ in true }
  ) -> Bool {
    if isOpen { return true }
    func isMet(_ allow: AllowID) -> Bool {
      let methods = old.methods[allow.index].union(new.methods[allow.index])
      let pattern = old.matches[old.ruleset[allow].match.index].pattern
      return method.map { methods.contains($0) } ?? true && Checked.mayFit(pattern, to: path)
        && mayFit(pattern)
    }
    if others.contains(where: isMet) { return true }
    if let first = path.first, let text = first {
      return byFirst[text]?.contains(where: isMet) ?? false
    }
    return byFirst.values.contains { $0.contains(where: isMet) }
  }
}
