import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Versions of a file made by editing its syntax tree have the file's match blocks and no names that the
// file lacks. Results that hold for all of them are computed once.

/// Results shared by comparisons of versions of one rules file. Not thread-safe.
final class SharedComparison {
  /// The unchanged file.
  let rules: Checked
  /// For each statement: true if its condition looks at the state after the commit.
  private var looksAheadByStatement: [Bool]
  /// The budget for shared results, whichever query needs them first.
  private let budget: Budget
  /// The request classes met so far.
  private var kinds: [KnownKind] = []
  /// The index of each class in `kinds`.
  private var numbers: [Kind: Int] = [:]
  /// The index of the class asked about last.
  private var last = 0
  /// The rows of the whole file, once computed.
  private var rows: [DiffRow]?
  /// Results about versions, by the edits that requests reach.
  private var versions: [RelevantEdits: KnownVersion] = [:]
  /// Results about pairs of versions, by the edits that requests reach.
  private var pairs: [Pair: KnownPair] = [:]
  /// The versions whose compiled halves are kept.
  private var held: [RelevantEdits] = []
  /// The number of propositions in the kept halves.
  private var size = 0
  /// The statements that use each body, sorted by the body's first node.
  private var owners: [(body: Body, statements: [AllowID])] = []
  /// The uses of expressions and functions, once computed.
  var users: Users?

  /// Prepares for versions of a file.
  ///
  /// - Parameter budget: The budget of shared results.
  init(_ rules: Checked, within budget: Budget = Budget()) {
    self.rules = rules
    self.budget = budget
    looksAheadByStatement = Array(repeating: false, count: rules.ruleset.allows.count)
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
    for owner in owners where owner.body.nodes.contains(where: { rules.looksAhead($0) }) {
      for allow in owner.statements { looksAheadByStatement[allow.index] = true }
    }
  }

  /// True if requests of the class reach conditions, in some version, that look at the state after
  /// a commit.
  func looksAhead(_ scenario: Scenario, except: [[Text?]]) -> Bool {
    kinds[number(of: scenario, except: except)].looksAhead
  }

  /// Returns the answer of `proof`, or a known one: true if it is proved that no request of the class
  /// which the version would allow without limits exceeds one. A failed proof is not remembered if the
  /// query's budget ran out.
  func staysWithinLimits(_ version: RelevantEdits, within budget: Budget, proof: () -> Bool) -> Bool
  {
    if let known = versions[version]?.staysWithinLimits { return known }
    let isProved = proof()
    if isProved || !budget.isSpent {
      versions[version, default: KnownVersion()].staysWithinLimits = isProved
    }
    return isProved
  }

  /// True if limits are proved irrelevant to the version, false if a proof failed; nil if neither is
  /// known.
  func isKnownWithinLimits(_ version: RelevantEdits) -> Bool? {
    versions[version]?.staysWithinLimits
  }

  /// True if searches proved two versions equivalent; with the attack that is still pending, if any.
  func areAlike(_ pair: Pair) -> (Bool, untried: RulesComparison.PendingValidation?) {
    guard let known = pairs[pair], known.isAlike else { return (false, nil) }
    return (true, known.untried)
  }

  /// Stores that searches proved two versions equivalent, and the attack that is still pending.
  func noteAlike(_ pair: Pair, untried: RulesComparison.PendingValidation?) {
    pairs[pair] = KnownPair(isAlike: true, seemsAlike: true, untried: untried)
  }

  /// Stores that the attack that was pending on two equivalent versions found nothing.
  func noteAttacked(_ pair: Pair) { pairs[pair]?.untried = nil }

  /// True if a search proved two versions equivalent, limits and attacks aside, false if it did not;
  /// nil if none ran.
  func seemAlike(_ pair: Pair) -> Bool? { pairs[pair]?.seemsAlike }

  /// Stores the answer of `seemAlike`, unless something is known of the pair.
  func noteSeeming(_ pair: Pair, isAlike: Bool) {
    if pairs[pair] == nil { pairs[pair] = KnownPair(seemsAlike: isAlike) }
  }

  /// The compiled half of a version; nil if there is none.
  func compiled(_ version: RelevantEdits) -> DiffGoal.Half? { versions[version]?.half }

  /// Keeps the compiled half of a version, dropping others if there are too many. Nothing may be added
  /// to its graph afterwards.
  func note(_ half: DiffGoal.Half, as version: RelevantEdits) {
    let added = size(of: half)
    size += added
    if size > SearchStrategy.keptNodes {
      // The half of the unchanged file is needed most.
      forget { $0 !== rules }
      if size > SearchStrategy.keptNodes / 2 { forget { _ in true } }
      size += added
    }
    if versions[version]?.half == nil { held.append(version) }
    versions[version, default: KnownVersion()].half = half
  }

  /// Drops the compiled halves of versions with certain trees, and the searches based on them.
  private func forget(where isMeant: (Checked) -> Bool) {
    size = 0
    held.removeAll { version in
      guard let half = versions[version]?.half else { return true }
      if isMeant(half.compiler.rules) {
        versions[version]?.half = nil
        if version.isItself { kinds[version.kind].search = nil }
        return true
      }
      size += size(of: half)
      return false
    }
  }

  /// The number of propositions kept for a version.
  private func size(of half: DiffGoal.Half) -> Int { half.compiler.problem.graph.count }

  /// Returns the tree that is compiled for a version: the unchanged file's if the requests reach no
  /// edit.
  func tree(of version: RelevantEdits, _ changed: Checked) -> Checked {
    version.isItself ? rules : changed
  }

  /// Returns the edits of a version that requests of the class reach, and those that other writes of
  /// the commit reach.
  func met(_ version: VersionEdits, by scenario: Scenario, except: [[Text?]]) -> RelevantEdits {
    let kind = number(of: scenario, except: except)
    var others: Set<RulesEdit> = []
    if kinds[kind].looksAhead {
      for allow in reached(from: scenario) {
        others.formUnion(version.others.byStatement[allow.index])
      }
    }
    return RelevantEdits(
      kind: kind, edits: met(version.own, by: scenario, of: kind), others: others)
  }

  private func met(
    _ edits: ArrangedEdits, by scenario: Scenario, of kind: Int
  ) -> Set<RulesEdit> {
    var met: Set<RulesEdit> = []
    for allow in kinds[kind].statements {
      let isForMethod = rules.methods[allow.index].contains(scenario.method)
      for edit in edits.byStatement[allow.index] {
        // An edit of a statement's methods can concern any method.
        if case .methods = edit { met.insert(edit) } else if isForMethod { met.insert(edit) }
      }
    }
    return met
  }

  /// Arranges the edits of a version; `others` has those for the other writes of a commit if they differ.
  func edits(_ overlay: Overlay, others: Overlay? = nil) -> VersionEdits {
    let own = arranged(overlay)
    return VersionEdits(own: own, others: others.map { arranged($0) } ?? own)
  }

  /// Arranges edits by the statements that reach them, leaving out edits that change nothing.
  private func arranged(_ overlay: Overlay) -> ArrangedEdits {
    let edits = overlay.edits
    var arranged = ArrangedEdits(
      all: edits, byStatement: Array(repeating: [], count: rules.ruleset.allows.count))
    arranged.widens = edits.contains { edit in
      guard case .methods(let allow, let methods) = edit else { return false }
      return !methods.isSubset(of: rules.methods[allow.index])
    }
    for edit in edits where !saysWhatStands(edit) {
      for allow in statements(with: edit) { arranged.byStatement[allow.index].append(edit) }
    }
    return arranged
  }

  /// True if an edit replaces a constant by an equal one.
  private func saysWhatStands(_ edit: RulesEdit) -> Bool {
    switch edit {
    case .constant(let id, let value): return rules.ruleset[id].kind == .literal(.bool(value))
    case .condition(let allow, let value):
      guard let condition = rules.ruleset[allow].condition else { return false }
      return rules.ruleset[condition.root].kind == .literal(.bool(value))
    case .branch, .unconditional, .methods, .rewritten, .replaced: return false
    }
  }

  private func number(of scenario: Scenario, except: [[Text?]]) -> Int {
    // Both sides of a comparison have the same class, so the last one is usually asked for again.
    if last < kinds.count, kinds[last].kind.scenario == scenario, kinds[last].kind.except == except
    {
      return last
    }
    let kind = Kind(scenario: scenario, except: except)
    if let known = numbers[kind] {
      last = known
      return known
    }
    let found = rules.ruleset.allows.indices.map { AllowID($0) }.filter { allow in
      let block = rules.ruleset[allow].match
      return scenario.mayFit(rules.matches[block.index], except: except)
    }
    // No version that is compiled here adds a method to a statement (`ArrangedEdits.widens`).
    let looksAhead =
      scenario.method.isWrite
      && found.contains {
        looksAheadByStatement[$0.index] && rules.methods[$0.index].contains(scenario.method)
      }
    last = kinds.count
    numbers[kind] = last
    kinds.append(KnownKind(kind: kind, statements: found, looksAhead: looksAhead))
    return last
  }

  /// Returns the names in conditions that requests of the class can reach; no version has others.
  func names(for scenario: Scenario) -> [Text] {
    let kind = number(of: scenario, except: [])
    if let known = kinds[kind].names { return known }
    var vocabulary = Vocabulary(rules)
    vocabulary.addConditions(for: scenario)
    kinds[kind].names = vocabulary.sorted
    kinds[kind].reached = Array(vocabulary.added)
    return vocabulary.sorted
  }

  /// Returns the statements that requests of the class, or other writes of their commits, can reach.
  private func reached(from scenario: Scenario) -> [AllowID] {
    _ = names(for: scenario)
    return kinds[number(of: scenario, except: [])].reached
  }

  /// Returns the rows with at least one wanted path.
  func rows(where isWanted: ([Text?]) -> Bool) -> [DiffRow] {
    let all = rows ?? DiffRow.all(from: rules, to: rules, within: Budget())
    rows = all
    return all.filter { row in row.paths.contains { isWanted($0.path) } }
  }

  /// Returns the compiled half of the unchanged file; nil if the budget does not suffice.
  private func itself(_ kind: Int) -> DiffGoal.Half? {
    let itself = RelevantEdits(kind: kind, edits: [], others: [])
    if let known = compiled(itself) { return known }
    if kinds[kind].isTooLarge { return nil }
    let part = budget.question(steps: Strategy.sideSteps)
    defer { part.settle() }
    let half = compiled(kinds[kind].kind, within: part)
    kinds[kind].isTooLarge = part.isSpent
    if part.isSpent { return nil }
    note(half, as: itself)
    return half
  }

  /// Returns the search shared by all versions for a request class; nil if the budget does not suffice.
  /// Only versions compiled after the first call can use it, since it makes the file's problem their
  /// common prefix.
  func search(of kind: Int) -> KindSearch? {
    if let known = kinds[kind].search { return known }
    guard let half = itself(kind) else { return nil }
    let made = KindSearch(of: half, in: kinds[kind].kind.scenario, within: budget)
    kinds[kind].search = made
    return made
  }

  /// The paths left out of the request class.
  func except(of met: RelevantEdits) -> [[Text?]] { kinds[met.kind].kind.except }

  private func compiled(_ kind: Kind, within budget: Budget) -> DiffGoal.Half {
    budget.charge(3000 + 6 * rules.matches.count)
    var problem = Problem()
    problem.budget = budget
    let scene = ScenarioTerms(of: kind.scenario, in: &problem)
    let compiler = Compiler(rules, in: scene, keys: names(for: kind.scenario), problem: problem)
    compiler.keepParts(of: rules)
    var half = DiffGoal.Half(compiler, except: kind.except)
    half.compile(inWords: false, withErrors: false)
    if looksAhead(kind.scenario, except: kind.except) {
      half.askOthers(.own, in: compiler)
    }
    // Every version needs these propositions, so they belong to the common prefix.
    for path in kind.except { _ = compiler.isAt(path) }
    return half
  }

  /// The statements whose program the edits may change, in order.
  func statements(touchedBy edits: Set<RulesEdit>) -> [AllowID] {
    var found: Set<AllowID> = []
    for edit in edits { found.formUnion(statements(with: edit)) }
    return found.sorted { $0.index < $1.index }
  }

  private func statements(with edit: RulesEdit) -> [AllowID] {
    switch edit {
    case .constant(let id, _), .branch(let id, _), .rewritten(let id, _): statements(with: id)
    case .condition(let allow, _), .unconditional(let allow), .methods(let allow, _): [allow]
    case .replaced(let place, _): statements(with: rules.ruleset.body(at: place).root)
    }
  }

  /// The statements whose conditions contain the expression, directly or through calls.
  private func statements(with id: ExprID) -> [AllowID] {
    owner(of: id)?.statements ?? []
  }

  /// The body that contains the expression, with the statements that use it.
  func owner(of id: ExprID) -> (body: Body, statements: [AllowID])? {
    // The last body that begins at the node or before it.
    var (low, high) = (0, owners.count)
    while low < high {
      let middle = (low + high) / 2
      if owners[middle].body.first <= id { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : owners[low - 1]
  }
}

extension SharedComparison {
  /// A request class.
  struct Kind: Hashable {
    /// The scenario of the requests.
    var scenario: Scenario
    /// The paths that are left out.
    var except: [[Text?]]
  }

  /// The edits of a version that requests of a class reach. Versions with equal edits decide these
  /// requests alike, unless conditions look at what other writes of the commit leave behind.
  struct RelevantEdits: Hashable {
    /// The index of the class.
    var kind: Int
    /// The edits that the requests reach.
    var edits: Set<RulesEdit>
    /// The edits that other writes of the commit can reach, if the requests look at these writes.
    var others: Set<RulesEdit>

    /// True if the requests reach no edit.
    var isItself: Bool { edits.isEmpty && others.isEmpty }
  }

  /// The edits of a version, arranged by the statements that reach them.
  struct ArrangedEdits {
    /// All edits.
    let all: Set<RulesEdit>
    /// The edits that change something, by statement.
    fileprivate(set) var byStatement: [[RulesEdit]]
    /// True if a statement gets more methods.
    fileprivate(set) var widens = false
  }

  /// The edits that make a version.
  struct VersionEdits {
    /// The edits that apply to the document in question.
    var own: ArrangedEdits
    /// The edits that apply to the other writes of its commit.
    var others: ArrangedEdits
  }

  /// The edits that requests reach in two versions.
  struct Pair: Hashable {
    /// The edits reached in the older version.
    var old: RelevantEdits
    /// The edits reached in the newer version.
    var new: RelevantEdits

    /// True if the requests reach the same edits. Differences in other writes of a commit show in the
    /// classes of these writes.
    var isSameProgram: Bool { old.edits == new.edits }
  }
}

extension SharedComparison {
  /// Results about one request class.
  private struct KnownKind {
    /// The request class.
    let kind: Kind
    /// The statements that the requests can reach, whatever their methods.
    let statements: [AllowID]
    /// True if conditions look at the state after the commits of these requests.
    let looksAhead: Bool
    /// The field names that conditions mention, once computed.
    var names: [Text]?
    /// The statements that requests of the class, or other writes of their commits, can reach.
    var reached: [AllowID] = []
    /// The incremental search of the class.
    var search: KindSearch?
    /// True if the unchanged file takes too long to compile for this class.
    var isTooLarge = false
  }

  /// Results about one version.
  private struct KnownVersion {
    /// True if limits are proved irrelevant; nil if that was not asked.
    var staysWithinLimits: Bool?
    /// The compiled half.
    var half: DiffGoal.Half?
  }

  /// Results about a pair of versions.
  private struct KnownPair {
    /// True if a full search found no difference and left nothing open.
    var isAlike = false
    /// True if the versions seem equivalent, limits aside.
    var seemsAlike: Bool
    /// The attack that is pending.
    var untried: RulesComparison.PendingValidation?
  }
}
