import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Most of a question has nothing to do with the claim: what is true of every request of a kind, and
// when each statement grants. Claims about the same documents differ only in their own conditions.

/// What a question about the requests of one kind begins with, before the claim comes in.
struct Ground {
  /// Holds the propositions so far.
  let compiler: Compiler
  /// The statements that can apply.
  let statements: [Compiler.Statement]
  /// When each of them grants.
  let grants: [Ref]
  /// At most so many steps it takes to decide a request by the statements.
  let stepsToDecide: Int

  /// Compiles the statements; `keys` are the names that may be keys of documents. Those whose blocks are for
  /// no document of `path` are left out.
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

  /// Makes a copy whose compiler goes its own way, at the cost of another question.
  init(copying other: Ground, budget: Budget?) {
    compiler = Compiler(copying: other.compiler)
    compiler.problem.budget = budget
    statements = other.statements
    grants = other.grants
    stepsToDecide = other.stepsToDecide
  }
}

/// The grounds of one set of claims, each compiled once; for one thread.
///
/// A question on a shared ground is exactly the question that it is by itself.
package final class Grounds {
  private var scenes: [(scenario: Scenario, scene: Scene)] = []
  private var known: [(scenario: Scenario, keys: [Text], ground: Ground, cost: Int)] = []

  /// The requests that conclusions are tried on.
  private var attack: Attack?
  /// What questions learn from those before them.
  private let patience: Patience

  /// Of more grounds the memory would cost more than the time.
  private static let greatestCount = 100
  /// Nor are grounds kept that together cost more steps, each some bytes at most.
  private static let greatestCost = 20_000_000

  /// Knows none.
  package init() { patience = Patience(isShared: false) }

  /// Knows none, and tries conclusions on the requests of an attack that others share. The questions are
  /// about one path, in one order: what keeps one of them open mostly keeps the next one open, too.
  init(attacking attack: Attack) {
    self.attack = attack
    patience = Patience(isShared: true)
  }

  /// Knows none, for one of several questions that are asked in one order.
  init(with patience: Patience) { self.patience = patience }

  /// So many requests near models that were not confirmed are tried.
  var probes: Int { patience.probes }

  /// Whether what stays open is asked once more in another way.
  var asksAgain: Bool { patience.asksAgain }

  /// Notes what came of a question for which all was tried.
  func note(isOpen: Bool) { patience.note(isOpen: isOpen) }

  /// A ground that the caller may change. It costs as much whether it is known already or not, so that
  /// what comes of a question does not depend on those before it.
  func ground(
    of rules: Checked, for scenario: Scenario, keys: [Text], budget: Budget?
  ) -> Ground {
    let budget = budget ?? Budget()
    for one in known where one.scenario == scenario && one.keys == keys {
      budget.charge(one.cost)
      return Ground(copying: one.ground, budget: budget)
    }
    let before = budget.used
    let ground = Ground(of: rules, in: scene(scenario), keys: keys, budget: budget)
    // What was given up halfway is nothing for others.
    if budget.isSpent { return ground }
    let cost = budget.used - before
    let isTooMuch = known.reduce(cost) { $0 + $1.cost } > Self.greatestCost
    if known.count == Self.greatestCount || isTooMuch { known = [] }
    known.append((scenario, keys, Ground(copying: ground, budget: nil), cost))
    return ground
  }

  /// What conclusions about the claims of the set are tried on.
  func attack(on set: ClaimSet) -> Attack {
    if let attack { return attack }
    let made = Attack(set)
    attack = made
    return made
  }

  private func scene(_ scenario: Scenario) -> Scene {
    for one in scenes where one.scenario == scenario { return one.scene }
    let scene = Scene(scenario)
    if scenes.count == Self.greatestCount { scenes = [] }
    scenes.append((scenario, scene))
    return scene
  }
}
