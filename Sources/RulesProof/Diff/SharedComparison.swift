import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Versions of one file that are made by changing its tree have its blocks and its names, or fewer. What
// is true of all of them is found out once.

/// What comparisons of versions of one rules file have in common; for one thread.
final class SharedComparison {
  private let rules: Checked
  private var names: [Scenario: [Text]] = [:]
  /// The rows of the whole file, as soon as they are known.
  private var rows: [DiffRow]?
  /// Whether limits matter to the file itself, by kind of request.
  private var thrift: [Kind: Bool] = [:]

  private struct Kind: Hashable {
    var scenario: Scenario
    var except: [[Text?]]
  }

  /// What each body belongs to, by its first node.
  private var owners: [(body: Body, statements: [AllowID])] = []

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

  /// Whether it is proved that requests of a kind which the file would allow without limits exceed none.
  func isThrifty(_ scenario: Scenario, except: [[Text?]], proof: () -> Bool) -> Bool {
    let kind = Kind(scenario: scenario, except: except)
    if let known = thrift[kind] { return known }
    let isProved = proof()
    thrift[kind] = isProved
    return isProved
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
