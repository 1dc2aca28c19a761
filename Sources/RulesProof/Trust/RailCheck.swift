import RulesEncoding
import RulesEval
package import RulesLang
import RulesSolver

/// Differential check of the prover's encoding against the evaluator on one request.
///
/// Every proposition with a known value must agree with the evaluator, and no axiom may be false.
/// Uninterpreted propositions have no value, so a condition that is not encoded never disagrees.
package struct RailCheck: Sendable {
  /// The result for one condition.
  package enum Finding: Sendable {
    /// The propositions agree with the evaluator.
    case same
    /// The propositions are not interpreted for this request.
    case open
    /// The propositions disagree.
    case different(String)
    /// The rules do not compile, or the request is not decided.
    case refused
  }

  private let method: Method
  private let candidate: CandidateRequest

  /// Prepares the request of a method.
  package init(_ method: Method) {
    self.method = method
    candidate = PinnedRequest.candidate(method)
  }

  private func rules(_ condition: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {
    function same(x) { return x; }
    function first(x, y) { let z = y; return x; }
    match /c/{id} { allow \(method.word): if \(condition); }
    } }
    """
  }

  /// Compares the propositions of a condition with the evaluator.
  package func propositions(of condition: String) -> Finding {
    guard let set = set(of: condition, obligation: .noErrors) else { return .refused }
    for scenario in set.scenarios(of: set.claims[0]) where scenario.access == candidate.access {
      let goal = Goal(set.claims[0], in: set, for: scenario)
      goal.compiler.close()
      return Self.compare(candidate, with: goal, of: set)
    }
    return .refused
  }

  /// Compares the prover's verdicts with the request: none may be PROVED that it refutes, or
  /// VACUOUS.
  package func verdicts(on condition: String) -> Finding {
    guard let set = set(of: condition, obligation: .never) else { return .refused }
    guard let rails = outcome(set) else { return .refused }
    let goals: [(Claim.Obligation, Bool)] = [
      (.never, rails.yes), (.alwaysIf(Claim.Condition("true")), !rails.yes),
      (.noErrors, !rails.yes && !rails.no),
    ]
    var isOpen = false
    for (obligation, isRefuted) in goals {
      guard let set = self.set(of: condition, obligation: obligation) else { continue }
      switch Prover(set).decide(0, shrinking: false, checking: false) {
      case .proved where isRefuted: return .different("proved, but the request refutes it")
      case .vacuous: return .different("vacuous, but the request is in scope")
      case .proved, .violated: continue
      case .undecided(let openReasons):
        if openReasons.contains(where: { $0.replay != nil }) {
          return .different(openReasons[0].reason)
        }
        isOpen = true
      }
    }
    return isOpen ? .open : .same
  }

  private func set(of condition: String, obligation: Claim.Obligation) -> ClaimSet? {
    let source = SourceText(name: "shapes", rules(condition))
    guard let checked = Checker.check(source).checked, let path = ClaimPath("/c/{id}") else {
      return nil
    }
    let claim = Claim(
      name: "shape", path: path, methods: MethodSet(method), obligation: obligation)
    return try? ClaimSet([claim], about: checked)
  }

  /// Returns the rails of the condition on the request.
  private func outcome(_ set: ClaimSet) -> (yes: Bool, no: Bool)? {
    let decision = try? set.engine.decide(candidate.request, on: candidate.documents)
    return decision?.accesses.first?.tried.first.map { Self.rails($0.result) }
  }

  // MARK: Propositions

  /// Compares the propositions of a goal with one request.
  static func compare(_ candidate: CandidateRequest, with goal: Goal, of set: ClaimSet) -> Finding {
    // Axioms are only true of possible requests.
    guard candidate.impossibility == nil,
      var world = Interpretation(of: candidate, in: goal.compiler),
      let decision = try? set.engine.decide(candidate.request, on: candidate.documents)
    else { return .refused }
    let holds = world.propositions()
    func value(_ ref: Ref) -> Bool? { holds[Int(ref.node)].map { $0 != ref.isNegated } }
    for axiom in goal.compiler.problem.axioms where value(axiom) == false {
      return .different("a fact does not hold: \(goal.describe(axiom, in: &world))")
    }
    var isOpen = false
    for tried in decision.accesses.first?.tried ?? [] {
      guard let place = goal.statements.firstIndex(where: { $0.allow == tried.allow }),
        let condition = set.rules.ruleset[tried.allow].condition
      else { continue }
      let rails = goal.compiler.rails(of: condition.root, in: goal.statements[place].frame)
      // The condition is compiled already, so this creates no nodes.
      guard Int(rails.yes.node) < holds.count, Int(rails.no.node) < holds.count else {
        return .different("compiling again gives something else")
      }
      let expected = Self.rails(tried.result)
      let actual = (value(rails.yes), value(rails.no))
      if (actual.0 ?? expected.yes) != expected.yes || (actual.1 ?? expected.no) != expected.no {
        return .different(
          "line \(set.engine.line(of: tried.allow)): \(Self.word(tried.result)), but true is "
            + "\(Self.word(actual.0)) and false is \(Self.word(actual.1))")
      }
      if actual.0 == nil || actual.1 == nil { isOpen = true }
    }
    return isOpen ? .open : .same
  }

  private static func rails(_ result: Tried.Result) -> (yes: Bool, no: Bool) {
    switch result {
    case .granted: (true, false)
    case .refused: (false, true)
    case .failed: (false, false)
    }
  }

  private static func word(_ result: Tried.Result) -> String {
    switch result {
    case .granted: "true"
    case .refused: "false"
    case .failed: "an error"
    }
  }

  private static func word(_ value: Bool?) -> String {
    value.map { $0 ? "certain" : "impossible" } ?? "open"
  }
}

extension Goal {
  /// Returns a proposition with the values of its atoms, for messages.
  func describe(_ ref: Ref, in world: inout Interpretation) -> String {
    let graph = compiler.problem.graph
    let sign = ref.isNegated ? "!" : ""
    if let atom = graph.atoms[Int(ref.node)] {
      var values = ""
      for term in atom.terms {
        values += " \(term.raw)=\(world.value(term).map { ValueText.short($0) } ?? "?")"
      }
      return sign + atom.term.raw.description + values
    }
    var parts: [String] = []
    for child in graph.children(of: Int(ref.node)) { parts.append(describe(child, in: &world)) }
    return sign + "(" + parts.joined(separator: " & ") + ")"
  }
}
