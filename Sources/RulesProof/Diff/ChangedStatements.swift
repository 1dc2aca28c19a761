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
  /// The text with which the paths of all of them begin; nil if that is not one.
  var onlyFirst: Text? {
    isOpen || !others.isEmpty || byFirst.count != 1 ? nil : byFirst.first?.key
  }
  /// The block of the only one; nil if there are several.
  private(set) var block: MatchFacts?

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

  /// Whether requests of a kind may meet one of them that are not for documents at some paths.
  func concern(_ scenario: Scenario, except: [[Text?]]) -> Bool {
    concern(scenario.path, method: scenario.method) { scenario.mayFit($0, except: except) }
  }

  /// Whether requests for a path may meet one of them; without a method, requests of any.
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

/// The kinds of requests that two files are compared for.
struct ComparedKinds {
  private let changed: ChangedStatements
  /// The first of those there were, where they may overlap.
  private var seen: [SharedComparison.Kind] = []
  /// So many are looked through: a statement that is for more is one for the documents of most rows, which do
  /// not overlap.
  private static let greatestSeen = 64

  /// Starts with none.
  init(_ changed: ChangedStatements) { self.changed = changed }

  /// The next kind, without requests that meet no change or are of a kind before it; nil if none is left.
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
    if seen.count < Self.greatestSeen { seen.append(kind) }
    return narrow
  }
}

extension SharedComparison.Kind {
  /// Whether all requests of another kind are of this one.
  fileprivate func includes(_ other: Self) -> Bool {
    scenario.method == other.scenario.method && scenario.access == other.scenario.access
      && scenario.isOpen == other.scenario.isOpen && scenario.path.covers(other.scenario.path)
      && except.allSatisfy { !$0.meets(other.scenario.path) || other.except.contains($0) }
  }
}

extension [Text?] {
  /// Whether all paths with some texts have these.
  fileprivate func covers(_ other: [Text?]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0 == nil || $0 == $1 }
  }

  /// Whether a path can have these texts and some others.
  fileprivate func meets(_ other: [Text?]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}
