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
  private var names: [Scenario: [Text]] = [:]
  /// The rows of the whole file, as soon as they are known.
  private var rows: [DiffRow]?
  /// Whether limits matter to a version, by what its requests meet.
  private var thrift: [Met: Bool] = [:]
  /// Between which versions no search has found a difference, by what their requests meet, with what is
  /// left to be tried there.
  private var alike: [Pair: RulesComparison.UntriedKind?] = [:]
  /// Whether two versions seem to be alike, by what their requests meet; limits aside.
  private var seeming: [Pair: Bool] = [:]
  /// What versions say, compiled.
  private var compiled: [Met: DiffGoal.Half] = [:]
  /// The propositions of all of them.
  private var size = 0
  /// So many propositions are kept.
  private static let greatestSize = 500_000
  /// The trees of other versions that are kept with them.
  private var trees: [Checked] = []
  /// So many of them are kept, each of which is as large as the file.
  private static let greatestTrees = 8
  /// The statements that requests of a kind can meet, whatever they are for.
  private var meant: [Kind: Set<AllowID>] = [:]

  /// What each body belongs to, by its first node.
  private var owners: [(body: Body, statements: [AllowID])] = []
  /// What each expression is an operand of, and what calls each function, as soon as that is asked for.
  var users: Users?

  /// Takes the file.
  init(_ rules: Checked) {
    self.rules = rules
    var callers: [FunctionID: [AllowID]] = [:]
    for index in rules.ruleset.allows.indices {
      let allow = AllowID(index)
      guard let condition = rules.ruleset[allow].condition else { continue }
      owners.append((condition, [allow]))
      for function in rules.functions(reachedFrom: [allow]) {
        callers[function, default: []].append(allow)
      }
    }
    for index in rules.ruleset.functions.indices {
      for body in rules.ruleset[FunctionID(index)].bodies {
        owners.append((body, callers[FunctionID(index)] ?? []))
      }
    }
    owners.sort { $0.body.first < $1.body.first }
  }

  /// Whether it is proved that requests of a kind which a version would allow without limits exceed none.
  /// That a question had not enough left for the proof is not remembered.
  func isThrifty(_ version: Met, within budget: Budget, proof: () -> Bool) -> Bool {
    if let known = thrift[version] { return known }
    let isProved = proof()
    if isProved || !budget.isSpent { thrift[version] = isProved }
    return isProved
  }

  /// Whether two versions are known to decide requests of a kind alike, and if so what is left to be tried.
  func areAlike(_ pair: Pair) -> (Bool, untried: RulesComparison.UntriedKind?) {
    guard let known = alike[pair] else { return (false, nil) }
    return (true, known)
  }

  /// Notes that two versions decide requests of a kind alike as far as searches tell.
  func noteAlike(_ pair: Pair, untried: RulesComparison.UntriedKind?) {
    alike[pair] = .some(untried)
  }

  /// Whether two versions seem to decide requests of a kind alike, nothing being tried; nil if nobody asked.
  func seemAlike(_ pair: Pair) -> Bool? { alike[pair] == nil ? seeming[pair] : true }

  /// Notes it.
  func noteSeeming(_ pair: Pair, isAlike: Bool) { seeming[pair] = isAlike }

  /// What a version says to requests, compiled; nil if nobody did that.
  func compiled(_ version: Met) -> DiffGoal.Half? { compiled[version] }

  /// Keeps what a version says. Nothing may be added to its propositions any more.
  func note(_ half: DiffGoal.Half, as version: Met) {
    size += half.compiler.problem.graph.count
    if size > Self.greatestSize {
      (compiled, trees, size) = ([:], [], half.compiler.problem.graph.count)
    }
    let tree = half.compiler.rules
    if tree !== rules, !trees.contains(where: { $0 === tree }) {
      if trees.count == Self.greatestTrees {
        compiled = compiled.filter { $0.value.compiler.rules === rules }
        trees = []
      }
      trees.append(tree)
    }
    compiled[version] = half
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

  private func isMet(_ edit: TreeEdit, at statements: Set<AllowID>, by method: Method) -> Bool {
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

  private func statements(for kind: Kind) -> Set<AllowID> {
    if let known = meant[kind] { return known }
    let all = rules.ruleset.allows.indices.map { AllowID($0) }
    let found = all.filter { allow in
      let block = rules.ruleset[allow].match
      return kind.scenario.mayFit(rules.matches[block.index].pattern, except: kind.except)
    }
    meant[kind] = Set(found)
    return Set(found)
  }

  /// The names that the conditions mention which requests of a kind can meet; a version mentions no others.
  func names(for scenario: Scenario) -> [Text] {
    if let known = names[scenario] { return known }
    var vocabulary = Vocabulary(rules)
    vocabulary.addConditions(for: scenario)
    names[scenario] = vocabulary.sorted
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
