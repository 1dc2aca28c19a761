import RulesEncoding
import RulesEval
package import RulesLang
import RulesSolver
import RulesVerify

/// A check of both encodings of a rules file, the prover's and the checker's, on concrete requests: under a
/// request's own values each encoded condition must be true, false or an error exactly if the evaluator says
/// so, and every axiom must hold.
///
/// The encodings are made without the request. What its values do not determine is counted as open. Beside
/// whole conditions the operands of `&&`, `||`, `!` and `?:` are compared, which a condition may hide.
package struct Concretisation {
  /// The results.
  package struct Figures: Sendable {
    /// The kinds of requests whose conditions were encoded.
    package var kinds = 0
    /// The kinds that an encoder refuses as too large.
    package var refused = 0
    /// The requests.
    package var requests = 0
    /// The comparisons of an encoding with the evaluator, by the evaluator's answer: true, false, error.
    package var compared = [0, 0, 0]
    /// The comparisons of the checker's encoding among these.
    package var ofChecker = 0
    /// The comparisons of whole conditions among these.
    package var ofConditions = 0
    /// The comparisons that the request's values do not determine, of the prover's and of the checker's
    /// encoding.
    package var open = [0, 0]
    /// The axioms that were evaluated.
    package var axioms = 0
    /// The differences, in words that reproduce them.
    package var different: [String] = []

    /// Creates empty results.
    package init() {}

    /// The number of comparisons.
    package var total: Int { compared.reduce(0, +) }
  }

  private let rules: Checked
  /// Requests of each kind.
  private let count: Int

  /// Prepares to compare the conditions of a file on `count` requests of each kind.
  package init(_ rules: Checked, requests count: Int) {
    self.rules = rules
    self.count = count
  }

  /// Compares the conditions of all statements; stops after `patience` differences.
  package func run(into figures: inout Figures, patience: Int = 3) {
    let before = figures.different.count
    for row in AuditedPath.all(in: rules) {
      var path = row.path
      path.exceptions = []
      let claim = Claim(
        name: "concretisation", path: path, methods: [.read, .write],
        obligation: .noErrors)
      guard let set = try? ClaimSet([claim], about: rules),
        let stated = try? StatedClaim(claim, about: rules, profile: rules.profile)
      else { continue }
      let attack = Attack(set)
      for scenario in set.scenarios(of: set.claims[0]) where rules.mayBeAsked(scenario) {
        guard let kind = EncodedKind(scenario, of: set, stated) else {
          figures.refused += 1
          continue
        }
        figures.kinds += 1
        for candidate in attack.candidates(for: scenario, count: count) {
          kind.compare(candidate, into: &figures)
          if figures.different.count - before >= patience { return }
        }
      }
    }
  }
}

/// The conditions for one kind of request in both encodings.
private struct EncodedKind {
  /// An expression in both encodings; nil where an encoding has no such statement.
  private struct Part {
    let allow: AllowID
    let expression: ExprID
    let isWhole: Bool
    var prover: (applies: Ref, rails: Rails)?
    var checker: StatedConditions.Part?
  }

  private let goal: Goal
  private let set: ClaimSet
  private let conditions: StatedConditions
  private var parts: [Part] = []

  /// Encodes the statements for a kind of request; nil if an encoder refuses them.
  init?(_ scenario: Scenario, of set: ClaimSet, _ stated: StatedClaim) {
    self.set = set
    let rules = set.rules
    let budget = Budget(steps: Budget.questionSteps)
    goal = Goal(
      set.claims[0], in: set, for: scenario, closing: false, budget: budget)
    func operands(_ allow: AllowID) -> [ExprID] { rules.operands(of: allow) }
    guard let kind = stated.kinds.first(where: { $0.isSame(as: scenario) }),
      let conditions = try? stated.conditions(for: kind, parts: operands)
    else { return nil }
    self.conditions = conditions
    var places: [Key: Int] = [:]
    for statement in goal.statements {
      for (number, expression) in operands(statement.allow).enumerated() {
        places[Key(allow: statement.allow, expression: expression)] = parts.count
        let rails = goal.compiler.rails(of: expression, in: statement.frame)
        parts.append(
          Part(
            allow: statement.allow, expression: expression, isWhole: number == 0,
            prover: (statement.applies, rails)))
      }
    }
    for part in conditions.parts {
      let key = Key(allow: part.allow, expression: part.expression)
      if let place = places[key] {
        parts[place].checker = part
      } else {
        parts.append(
          Part(allow: part.allow, expression: part.expression, isWhole: false, checker: part))
      }
    }
    goal.compiler.close()
    if budget.isSpent { return nil }
  }

  private struct Key: Hashable {
    let allow: AllowID
    let expression: ExprID
  }

  /// Compares both encodings of all expressions with the evaluator on one request.
  func compare(_ candidate: CandidateRequest, into figures: inout Concretisation.Figures) {
    // Axioms are only true of possible requests.
    guard candidate.impossibility == nil, let prepared = candidate.prepared(for: set.engine),
      var scope = StatementScope(set.engine, for: candidate.path, in: prepared),
      var prover = Interpretation(of: candidate, in: goal.compiler),
      var checker = QuestionInterpretation(
        conditions.question, naming: conditions.keys, candidate.request, on: candidate.documents,
        of: candidate.path, in: set.rules.database)
    else { return }
    figures.requests += 1
    let (nodes, facts) = (prover.propositions(), checker.propositions())
    func holds(_ ref: Ref) -> Bool? { nodes[Int(ref.node)].map { $0 != ref.isNegated } }
    func holds(_ prop: Prop) -> Bool? { facts[prop.node].map { $0 != prop.isDenied } }
    for axiom in goal.compiler.problem.axioms where holds(axiom) == false {
      figures.different.append(
        text(candidate, "an axiom of the prover is false: \(goal.describe(axiom, in: &prover))"))
      return
    }
    for axiom in conditions.question.axioms where holds(axiom) == false {
      figures.different.append(
        text(candidate, "an axiom of the checker is false: \(checker.describe(axiom))"))
      return
    }
    figures.axioms += goal.compiler.problem.axioms.count + conditions.question.axioms.count
    for part in parts {
      let outcome = scope.outcome(of: part.expression, in: part.allow)
      let told = [
        part.prover.map { (holds($0.applies), holds($0.rails.yes), holds($0.rails.no)) },
        part.checker.map { (holds($0.applies), holds($0.yes), holds($0.no)) },
      ]
      // The block does not match, or the evaluator does not model the expression.
      guard let outcome else { continue }
      for (place, told) in told.enumerated() {
        let expected = Truth(outcome)
        let name = place == 0 ? "prover" : "checker"
        guard let told else {
          figures.different.append(
            text(candidate, "\(words(for: part)): the \(name) has no such statement"))
          return
        }
        figures.compared[expected.rawValue] += 1
        if place == 1 { figures.ofChecker += 1 }
        if part.isWhole { figures.ofConditions += 1 }
        let rails = (expected == .yes, expected == .no)
        if told.0 == false || (told.1 ?? rails.0) != rails.0 || (told.2 ?? rails.1) != rails.1 {
          figures.different.append(
            text(
              candidate,
              "\(words(for: part)) is \(expected.word), to the \(name) "
                + "it applies \(Self.word(told.0)), is true \(Self.word(told.1)), "
                + "is false \(Self.word(told.2))"))
          return
        }
        if told.1 == nil || told.2 == nil { figures.open[place] += 1 }
      }
    }
  }

  private static func word(_ value: Bool?) -> String {
    value.map { $0 ? "certainly" : "never" } ?? "perhaps"
  }

  private func words(for part: Part) -> String {
    let ruleset = set.rules.ruleset
    let range = ruleset[part.expression].range
    return "line \(ruleset.source.line(of: range.start)): \(ruleset.source.string(range))"
  }

  private func text(_ candidate: CandidateRequest, _ problem: String) -> String {
    let test = SuiteWriter.test(
      name: "", candidate.request, on: candidate.documents, expect: .allow)
    let scenario = goal.scenario
    return "\(scenario.method.word) \(scenario.access): \(problem)\n\(JSONText(test).compact)"
  }
}

/// The answer of the evaluator to a condition.
private enum Truth: Int {
  case yes, no, error

  init(_ outcome: Outcome) {
    switch outcome {
    case .value(.bool(let isTrue)): self = isTrue ? .yes : .no
    case .value, .error: self = .error
    }
  }

  var word: String {
    switch self {
    case .yes: "true"
    case .no: "false"
    case .error: "an error"
    }
  }
}

extension RequestKind {
  /// True if the kind is the prover's scenario.
  fileprivate func isSame(as scenario: Scenario) -> Bool {
    guard method == scenario.method, path == scenario.path else { return false }
    switch (access, scenario.access) {
    case (.document, .document), (.query, .query), (.namedQuery, .namedQuery): return true
    case (.group(let one), .group(let other)): return one == other
    default: return false
    }
  }
}

extension Checked {
  /// Returns the condition of a statement, then the operands of `&&`, `||`, `!` and `?:` that it is made of.
  fileprivate func operands(of allow: AllowID) -> [ExprID] {
    guard let condition = ruleset[allow].condition else { return [] }
    var found = [ruleset.unparenthesized(condition.root)]
    var place = 0
    while place < found.count {
      switch ruleset[found[place]].kind {
      case .not(let operand): found.append(ruleset.unparenthesized(operand))
      case .binary(.and, let left, let right), .binary(.or, let left, let right):
        found += [left, right].map { ruleset.unparenthesized($0) }
      case .conditional(let condition, let one, let other):
        found += [condition, one, other].map { ruleset.unparenthesized($0) }
      default: break
      }
      place += 1
    }
    return found
  }
}
