import RulesEncoding
import RulesEval
import RulesLang

/// The statements in which two rules files with equal match blocks differ. Requests that cannot
/// reach any of them run the same program in both files and need no comparison.
struct ChangedStatements {
  private let old: Checked
  private let new: Checked
  /// True if the match blocks differ, so that any request may be affected.
  private let isOpen: Bool
  /// The changed statements whose paths begin with a literal segment, by that segment.
  private var byFirst: [Text: [AllowID]] = [:]
  /// The changed statements whose paths begin with a variable or contain a glob.
  private var others: [AllowID] = []
  /// The literal first segment that the paths of all changed statements share; nil if there is none,
  /// if a path has a glob, or if match blocks differ.
  var onlyFirst: Text? {
    isOpen || !others.isEmpty || byFirst.count != 1 ? nil : byFirst.first?.key
  }
  /// The match block of the changed statement, if the statements were given and there is exactly one;
  /// nil otherwise.
  private(set) var block: MatchFacts?

  /// Finds the changed statements by comparing the structure of the conditions.
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

  /// Takes the given statements as the changed ones.
  /// - Requires: Both are versions of one file and have equal match blocks.
  init(_ statements: [AllowID], from old: Checked, to new: Checked) {
    self.old = old
    self.new = new
    isOpen = false
    for allow in statements { add(allow) }
    if statements.count == 1 { block = old.matches[old.ruleset[statements[0]].match.index] }
  }

  private mutating func add(_ allow: AllowID) {
    let pattern = old.matches[old.ruleset[allow].match.index].pattern
    let first = pattern.dropFirst(DatabaseName.rootCount).first
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

  /// True if requests of the scenario may reach a changed statement; paths matching `except` are
  /// left out.
  func concern(_ scenario: Scenario, except: [[Text?]]) -> Bool {
    concern(scenario.path, method: scenario.method) { scenario.mayFit($0, except: except) }
  }

  /// True if requests for the path may reach a changed statement; any method if `method` is nil.
  func concern(
    _ path: [Text?], method: Method? = nil, where mayFit: (MatchFacts) -> Bool = { _ in true }
  ) -> Bool {
    if isOpen { return true }
    func isMet(_ allow: AllowID) -> Bool {
      let methods = old.methods[allow.index].union(new.methods[allow.index])
      let block = old.matches[old.ruleset[allow].match.index]
      return method.map { methods.contains($0) } ?? true && block.mayFit(path)
        && mayFit(block)
    }
    if others.contains(where: isMet) { return true }
    if let first = path.first, let text = first {
      return byFirst[text]?.contains(where: isMet) ?? false
    }
    return byFirst.values.contains { $0.contains(where: isMet) }
  }
}

/// The request classes of a comparison, without those that cannot differ or are covered by earlier
/// ones.
struct ComparedKinds {
  private let changed: ChangedStatements
  /// The narrowed classes so far, which may include later ones.
  private var seen: [SharedComparison.Kind] = []

  /// Starts without earlier classes.
  init(_ changed: ChangedStatements) { self.changed = changed }

  /// Returns the next class, narrowed to the block of the changed statement if there is only one.
  /// - Returns: Nil if its requests reach no change, or if an earlier class includes them.
  @inline(never)
  mutating func next(_ scenario: Scenario, except: [[Text?]]) -> Scenario? {
    guard changed.concern(scenario, except: except) else { return nil }
    guard let block = changed.block, !scenario.isOpen, !scenario.access.isGroup else {
      return scenario
    }
    var narrow = scenario
    narrow.path = scenario.texts(of: block)
    let kind = SharedComparison.Kind(scenario: narrow, except: except)
    if seen.contains(where: { $0.includes(kind) }) { return nil }
    seen.append(kind)
    return narrow
  }
}

extension SharedComparison.Kind {
  /// True if all requests of the other class belong to this one.
  fileprivate func includes(_ other: Self) -> Bool {
    scenario.method == other.scenario.method && scenario.access == other.scenario.access
      && scenario.isOpen == other.scenario.isOpen && scenario.path.covers(other.scenario.path)
      && except.allSatisfy { !$0.meets(other.scenario.path) || other.except.contains($0) }
  }
}

extension [Text?] {
  /// True if every path that matches `other` matches this pattern; nil stands for any segment.
  fileprivate func covers(_ other: [Text?]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0 == nil || $0 == $1 }
  }

  /// True if some path matches both patterns.
  fileprivate func meets(_ other: [Text?]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}
