import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Versions of one file that are made by changing its tree have its blocks and its names, or fewer. What
// is true of all of them is found out once.

/// What comparisons of versions of one rules file have in common; for one thread.
final class SharedComparison {
  /// The file.
  let rules: Checked
  /// Whether its conditions look at the state after a commit.
  let looksAhead: Bool
  /// What is known of kinds of requests.
  private var kinds: [Kind: KnownKind] = [:]
  /// The rows of the whole file, as soon as they are known.
  private var rows: [DiffRow]?
  /// What is known of versions, by what their requests meet.
  private var versions: [Met: KnownVersion] = [:]
  /// What is known of two versions, by what their requests meet.
  private var pairs: [Pair: KnownPair] = [:]
  /// The propositions of all of them.
  private var size = 0
  /// So many propositions are kept.
  private static let greatestSize = 1_000_000
  /// The trees of other versions that are kept with them.
  private var trees: [Checked] = []
  /// So many of them are kept, each of which is as large as the file.
  private static let greatestTrees = 8
  /// What each body belongs to, by its first node.
  private var owners: [(body: Body, statements: [AllowID])] = []
  /// What each expression is an operand of, and what calls each function, as soon as that is asked for.
  var users: Users?

  /// Takes the file.
  init(_ rules: Checked) {
    self.rules = rules
    looksAhead = rules.looksAhead
    var callers: [[AllowID]] = Array(repeating: [], count: rules.ruleset.functions.count)
    for index in rules.ruleset.allows.indices {
      let allow = AllowID(index)
      guard let condition = rules.ruleset[allow].condition else { continue }
      owners.append((condition, [allow]))
      for function in rules.functions(reachedFrom: [allow]) {
        callers[function.index].append(allow)
      }
    }
    for index in rules.ruleset.functions.indices {
      for body in rules.ruleset[FunctionID(index)].bodies {
        owners.append((body, callers[index]))
      }
    }
    owners.sort { $0.body.first < $1.body.first }
  }

  /// Whether it is proved that requests of a kind which a version would allow without limits exceed none.
  /// That a question had not enough left for the proof is not remembered.
  func isThrifty(_ version: Met, within budget: Budget, proof: () -> Bool) -> Bool {
    if let known = versions[version]?.isThrifty { return known }
    let isProved = proof()
    if isProved || !budget.isSpent {
      versions[version, default: KnownVersion()].isThrifty = isProved
    }
    return isProved
  }

  /// Whether two versions are known to decide requests of a kind alike, and if so what is left to be tried.
  func areAlike(_ pair: Pair) -> (Bool, untried: RulesComparison.UntriedKind?) {
    guard let known = pairs[pair], known.isAlike else { return (false, nil) }
    return (true, known.untried)
  }

  /// Notes that two versions decide requests of a kind alike as far as searches tell.
  func noteAlike(_ pair: Pair, untried: RulesComparison.UntriedKind?) {
    pairs[pair] = KnownPair(isAlike: true, seemsAlike: true, untried: untried)
  }

  /// Whether two versions seem to decide requests of a kind alike, nothing being tried; nil if nobody asked.
  func seemAlike(_ pair: Pair) -> Bool? { pairs[pair]?.seemsAlike }

  /// Notes it.
  func noteSeeming(_ pair: Pair, isAlike: Bool) {
    if pairs[pair] == nil { pairs[pair] = KnownPair(seemsAlike: isAlike) }
  }

  /// What a version says to requests, compiled; nil if nobody did that.
  func compiled(_ version: Met) -> DiffGoal.Half? { versions[version]?.half }

  /// Keeps what a version says. Nothing may be added to its propositions any more.
  func note(_ half: DiffGoal.Half, as version: Met) {
    size += half.compiler.problem.graph.count
    if size > Self.greatestSize {
      forget { _ in true }
      size = half.compiler.problem.graph.count
    }
    let tree = half.compiler.rules
    if tree !== rules, !trees.contains(where: { $0 === tree }) {
      if trees.count == Self.greatestTrees { forget { $0 !== rules } }
      trees.append(tree)
    }
    versions[version, default: KnownVersion()].half = half
  }

  /// Keeps no longer what versions say that have some trees.
  private func forget(where isMeant: (Checked) -> Bool) {
    for place in versions.values.indices {
      if let half = versions.values[place].half, isMeant(half.compiler.rules) {
        versions.values[place].half = nil
      }
    }
    trees = []
  }

  /// The tree of a version that is changed, or the file's own where requests meet no change.
  func tree(of version: Met, _ changed: Checked) -> Checked {
    version.edits.isEmpty ? rules : changed
  }

  /// What requests of a kind meet of a version that is made by changes.
  func met(_ edits: Set<TreeEdit>, by scenario: Scenario, except: [[Text?]]) -> Met {
    let kind = Kind(scenario: scenario, except: except)
    if edits.isEmpty { return Met(kind: kind, edits: edits) }
    let statements = statements(for: kind)
    var met: Set<TreeEdit> = []
    for edit in edits where isMet(edit, at: statements, by: scenario.method) { met.insert(edit) }
    return Met(kind: kind, edits: met)
  }

  private func isMet(_ edit: TreeEdit, at statements: [AllowID], by method: Method) -> Bool {
    if saysWhatStands(edit) { return false }
    switch edit {
    case .constant(let id, _), .branch(let id, _):
      return self.statements(with: id).contains { allow in
        rules.methods[allow.index].contains(method) && statements.contains(allow)
      }
    case .condition(let allow, _):
      return rules.methods[allow.index].contains(method) && statements.contains(allow)
    // Who changes what a statement is for can change it for any method.
    case .methods(let allow, _): return statements.contains(allow)
    }
  }

  /// Whether a change puts a constant where the same one stands.
  private func saysWhatStands(_ edit: TreeEdit) -> Bool {
    switch edit {
    case .constant(let id, let value): return rules.ruleset[id].kind == .literal(.bool(value))
    case .condition(let allow, let value):
      guard let condition = rules.ruleset[allow].condition else { return false }
      return rules.ruleset[condition.root].kind == .literal(.bool(value))
    case .branch, .methods: return false
    }
  }

  private func statements(for kind: Kind) -> [AllowID] {
    if let known = kinds[kind]?.statements { return known }
    let all = rules.ruleset.allows.indices.map { AllowID($0) }
    let found = all.filter { allow in
      let block = rules.ruleset[allow].match
      return kind.scenario.mayFit(rules.matches[block.index].pattern, except: kind.except)
    }
    kinds[kind, default: KnownKind()].statements = found
    return found
  }

  /// The names that the conditions mention which requests of a kind can meet; a version mentions no others.
  func names(for scenario: Scenario) -> [Text] {
    let kind = Kind(scenario: scenario, except: [])
    if let known = kinds[kind]?.names { return known }
    var vocabulary = Vocabulary(rules)
    vocabulary.addConditions(for: scenario)
    kinds[kind, default: KnownKind()].names = vocabulary.sorted
    return vocabulary.sorted
  }

  /// The rows of which a path is wanted.
  func rows(where isWanted: ([Text?]) -> Bool) -> [DiffRow] {
    let all = rows ?? DiffRow.all(from: rules, to: rules, within: Budget())
    rows = all
    return all.filter { row in row.paths.contains { isWanted($0.path) } }
  }

  /// The statements that changes can make another program of, in order.
  func statements(touchedBy edits: Set<TreeEdit>) -> [AllowID] {
    var found: Set<AllowID> = []
    for edit in edits {
      switch edit {
      case .constant(let id, _), .branch(let id, _): found.formUnion(statements(with: id))
      case .condition(let allow, _), .methods(let allow, _): found.insert(allow)
      }
    }
    return found.sorted { $0.index < $1.index }
  }

  private func statements(with id: ExprID) -> [AllowID] {
    // The last body that begins at the node or before it.
    var (low, high) = (0, owners.count)
    while low < high {
      let middle = (low + high) / 2
      if owners[middle].body.first <= id { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? [] : owners[low - 1].statements
  }
}

extension SharedComparison {
  /// A kind of request.
  struct Kind: Hashable {
    /// The requests.
    var scenario: Scenario
    /// The paths that are not meant.
    var except: [[Text?]]
  }

  /// What requests of a kind meet of a version of the file: two versions of which they meet the same are the
  /// same to them, unless conditions look at what other writes leave behind.
  struct Met: Hashable {
    /// The kind.
    var kind: Kind
    /// The changes by which the version is made, without those that the requests do not meet.
    var edits: Set<TreeEdit>
  }

  /// The same of two versions.
  struct Pair: Hashable {
    /// What they meet of the older one.
    var old: Met
    /// What they meet of the newer one.
    var new: Met
  }
}

extension SharedComparison {
  /// What is known of a kind of request.
  private struct KnownKind {
    /// The names that conditions mention.
    var names: [Text]?
    /// The statements that such requests can meet, whatever they are for.
    var statements: [AllowID]?
  }

  /// What is known of a version.
  private struct KnownVersion {
    /// Whether limits do not matter to it.
    var isThrifty: Bool?
    /// What it says, compiled.
    var half: DiffGoal.Half?
  }

  /// What is known of two versions.
  private struct KnownPair {
    /// Whether no search has found a difference.
    var isAlike = false
    /// Whether they seem to be alike, limits aside.
    var seemsAlike: Bool
    /// What is left to be tried.
    var untried: RulesComparison.UntriedKind?
  }
}
