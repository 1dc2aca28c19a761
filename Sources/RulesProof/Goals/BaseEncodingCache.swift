import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Base encodings. Most of a query does not depend on the claim: the axioms about requests of a
// kind, and the statements' conditions. Claims about the same documents differ only in their own
// conditions.

/// The base encoding of queries about one kind of request, without a claim.
struct BaseEncoding {
  /// The compiler, which holds the propositions.
  let compiler: Compiler
  /// The statements that can apply.
  let statements: [Compiler.Statement]
  /// For each statement, the condition under which it grants.
  let grants: [Ref]
  /// Maximum evaluator steps for a request to these statements.
  let stepsToDecide: Int
  /// The number of its propositions.
  var nodes: Int { compiler.problem.graph.count }

  /// Compiles the statements, without those that match no document of `path`.
  ///
  /// - Parameter keys: The possible keys of documents.
  init(
    of rules: Checked, in scene: Scene, keys: [Text], on path: ClaimPath? = nil,
    budget: Budget? = nil
  ) {
    var problem = scene.problem
    problem.budget = budget
    compiler = Compiler(rules, in: scene.terms, keys: keys, problem: problem)
    statements = compiler.statements().filter {
      !(path?.excepts(
        rules.matches[rules.ruleset[$0.allow].match.index], in: rules.database) ?? false)
    }
    var grants: [Ref] = []
    for statement in statements { grants.append(compiler.grants(statement)) }
    self.grants = grants
    stepsToDecide = compiler.stepsToDecide(by: statements)
  }

  /// Creates a copy with an independent compiler and budget.
  init(copying other: BaseEncoding, budget: Budget?) {
    compiler = Compiler(copying: other.compiler)
    compiler.problem.budget = budget
    statements = other.statements
    grants = other.grants
    stepsToDecide = other.stepsToDecide
  }
}

/// A cache of base encodings for one set of claims. Not thread-safe. Caching does not change a
/// query.
package final class BaseEncodingCache {
  private var scenes: [(scenario: Scenario, scene: Scene)] = []
  private var known: [(scenario: Scenario, keys: [Text], ground: BaseEncoding, cost: Int)] = []

  private var applicable: [ApplicableStatements] = []

  /// The encodings of the proof checker's queries.
  let checked = CheckedEncodings()
  /// The requests on which conclusions are tested.
  private var attack: Attack?
  /// The effort policy, which learns from earlier queries.
  private let policy: EffortPolicy

  /// Creates an empty cache.
  package init() { policy = EffortPolicy(isShared: false) }

  /// Creates an empty cache with a shared attack. Its queries are about one path in a fixed order,
  /// and usually stay undecided for one reason, so the effort policy learns.
  init(attacking attack: Attack) {
    self.attack = attack
    policy = EffortPolicy(isShared: true)
  }

  /// Creates an empty cache for one of several queries in a fixed order.
  init(with policy: EffortPolicy) { self.policy = policy }

  /// Maximum requests tried near unconfirmed models.
  var probes: Int { policy.probes }

  /// True if an undecided query is retried in another way.
  var retries: Bool { policy.retries }

  /// Records the result of a query after all efforts.
  func note(isOpen: Bool) { policy.note(isOpen: isOpen) }

  /// Returns a base encoding that the caller may modify. A cached one is charged at its original
  /// cost, so that results do not depend on earlier queries.
  func ground(
    of rules: Checked, for scenario: Scenario, keys: [Text], budget: Budget?
  ) -> BaseEncoding {
    let budget = budget ?? Budget()
    for one in known where one.scenario == scenario && one.keys == keys {
      budget.charge(one.cost)
      return BaseEncoding(copying: one.ground, budget: budget)
    }
    let before = budget.used
    let ground = BaseEncoding(of: rules, in: scene(scenario), keys: keys, budget: budget)
    // Incomplete encodings are not cached.
    if budget.isSpent { return ground }
    let cost = budget.used - before
    let nodes = known.reduce(ground.nodes) { $0 + $1.ground.nodes }
    if nodes > SearchStrategy.keptNodes { known = [] }
    known.append((scenario, keys, BaseEncoding(copying: ground, budget: nil), cost))
    return ground
  }

  /// Returns the attack that tests conclusions about the set.
  func attack(on set: ClaimSet) -> Attack {
    if let attack { return attack }
    let made = Attack(set)
    attack = made
    return made
  }

  /// Returns the statements that can apply to requests of a kind.
  func statements(of rules: Checked, for scenario: Scenario) -> ApplicableStatements {
    for one in applicable where one.scenario == scenario { return one }
    let scene = scene(scenario)
    let compiler = Compiler(rules, in: scene.terms, keys: [], problem: scene.problem)
    let statements = compiler.statements()
    let found = ApplicableStatements(
      scenario: scenario, allows: statements.map { $0.allow },
      stepsToDecide: compiler.stepsToDecide(by: statements))
    applicable.append(found)
    return found
  }

  private func scene(_ scenario: Scenario) -> Scene {
    for one in scenes where one.scenario == scenario { return one.scene }
    let scene = Scene(scenario)
    scenes.append((scenario, scene))
    return scene
  }
}
