import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A statement of a general block, such as `match /{document=**}`, is tried for the documents of most other
// blocks, too. Where a change leaves it the same by itself, nothing else has to be looked at for each of
// them: of all these kinds of requests only some are compared as a whole.

extension RulesComparison {
  /// Of more statements it is not asked.
  private static let greatestStatements = 2
  /// A question about one of them may take so many conflicts.
  private static let conflictsAlone = 300

  /// Whether each of the statements in which two versions of one file differ grants the same requests by
  /// itself, and is for documents of other blocks, too, so that it is of use to know; false if that is not
  /// known.
  ///
  /// With errors it also meets none in the newer version that it does not meet in the older one. Limits are
  /// left out of account, and so is what makes a commit pass: kinds that depend on these are compared
  /// whatever is said here (`AloneKinds`).
  func areAlikeAlone(withErrors: Bool = false) -> Bool {
    guard let shared, let edits, scrutiny.searches else { return false }
    let statements = shared.statements(touchedBy: changes(edits))
    if statements.count > Self.greatestStatements {
      return isFunctionAlike(for: statements, withErrors: withErrors, among: shared)
    }
    if statements.isEmpty { return false }
    return statements.allSatisfy { allow in
      old.rules.methods[allow.index] == new.rules.methods[allow.index]
        && isForOthers(allow) && isAlikeAlone(allow, withErrors: withErrors, among: shared)
    }
  }

  /// What is changed in one of two versions alone.
  func changes(
    _ edits: (old: SharedComparison.VersionEdits, new: SharedComparison.VersionEdits)
  ) -> Set<TreeEdit> {
    edits.old.own.all.symmetricDifference(edits.new.own.all)
  }

  private func isForOthers(_ allow: AllowID) -> Bool {
    let pattern = old.rules.matches[old.rules.ruleset[allow].match.index].pattern
    if case .literal? = pattern.dropFirst(DatabaseName.rootCount).first { return false }
    return true
  }

  private func isAlikeAlone(
    _ allow: AllowID, withErrors: Bool, among shared: SharedComparison
  ) -> Bool {
    let paths = shared.paths(of: allow)
    if paths.isEmpty || !usesOfGlobs(allow).isEmpty { return false }
    var vocabulary = Vocabulary(shared.rules)
    vocabulary.add(allow)
    let keys = vocabulary.sorted
    let methods = old.rules.methods[allow.index].methods
    // Paths of any length stand for longer ones here as they do in rows, so that no less is left open.
    let pattern = old.rules.matches[old.rules.ruleset[allow].match.index].pattern
    let open = pattern.contains { $0.isGlob } ? paths.last?.count : nil
    return Scenario.all(with: methods, on: paths, open: open, rules: old.rules).allSatisfy {
      isAlikeAlone(allow, withErrors: withErrors, in: $0, keys: keys)
    }
  }

  /// What tells the lengths of paths apart, of which not all are looked at.
  func usesOfGlobs(_ allow: AllowID) -> [SourceRange] {
    [old.rules, new.rules].flatMap { rules -> [SourceRange] in
      var uses = PathUses(rules)
      guard let condition = rules.ruleset[allow].condition else { return [] }
      uses.add(
        condition, globs: rules.matches[rules.ruleset[allow].match.index].globs, local: nil)
      return uses.places
    }
  }

  private func isAlikeAlone(
    _ allow: AllowID, withErrors: Bool, in scenario: Scenario, keys: [Text]
  ) -> Bool {
    if budget.isSpent { return false }
    var problem = Problem()
    problem.budget = budget
    budget.charge(3000 + 6 * old.rules.matches.count)
    let scene = ScenarioTerms(of: scenario, in: &problem)
    let first = Compiler(old.rules, in: scene, keys: keys, problem: problem)
    let before = first.outcome(of: allow, withErrors: withErrors)
    let second = Compiler(new.rules, continuing: first)
    second.problem.budget = budget
    let after = second.outcome(of: allow, withErrors: withErrors)
    guard first.unmodelledPlaces.isEmpty, second.unmodelledPlaces.isEmpty else { return false }
    if before == after { return true }
    let goal = Goal(scenario, compiler: second)
    let differences = [
      [before.grants, !after.grants], [after.grants, !before.grants], [after.fails, !before.fails],
    ]
    return differences.allSatisfy { isImpossible($0, in: goal) }
  }

  /// True if a short search proves that no request is like that.
  func isImpossible(_ roots: [Ref], in goal: Goal) -> Bool {
    goal.search(for: roots, within: SearchBudget(conflicts: Self.conflictsAlone)).result
      == .unsatisfiable
  }
}

/// Which kinds of requests need not be compared as a whole, since the statements that are changed grant the
/// same by themselves.
struct AloneKinds {
  /// Of so many kinds with the same method each is compared.
  private static let fewest = 2

  private let areAlike: () -> Bool
  private var isAlike: Bool?
  /// The methods of the kinds there were.
  private var methods: [Method] = []

  /// Asks once there are many kinds.
  init(_ areAlike: @escaping () -> Bool) { self.areAlike = areAlike }

  /// True if the class need not be compared.
  mutating func leavesOut(
    _ scenario: Scenario, except: [[Text?]], of shared: SharedComparison?
  ) -> Bool {
    guard let shared, !shared.looksAhead(scenario, except: except) else { return false }
    if methods.count(where: { $0 == scenario.method }) < Self.fewest {
      methods.append(scenario.method)
      return false
    }
    let isAlike = isAlike ?? areAlike()
    self.isAlike = isAlike
    return isAlike && shared.isFrugal(scenario, except: except)
  }
}

extension Compiler {
  /// What a statement comes to.
  fileprivate struct Outcome: Equatable {
    /// When it grants, wherever its block matches.
    var grants: Ref
    /// When its condition ends in an error, if that was asked for.
    var fails = Ref.no
  }

  /// Compiles one of the statements.
  fileprivate func outcome(of allow: AllowID, withErrors: Bool) -> Outcome {
    let statements = statements().filter { $0.allow == allow }
    let grants = statements.map { self.grants($0) }
    return Outcome(
      grants: problem.graph.or(grants),
      fails: withErrors ? fails(statements, grants: grants) : .no)
  }
}
