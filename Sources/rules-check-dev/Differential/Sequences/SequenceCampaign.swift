import RulesEncoding
import RulesEval
import RulesLang
import RulesProof
import RulesSolver

/// Compares claims over sequences with a search through all states and requests of a small world, in which a
/// proved claim must have no request that makes its condition true.
struct SequenceCampaign {
  /// The number of each verdict.
  private(set) var counts: [String: Int] = [:]
  /// The number of rule sets with a request that makes the condition true.
  private(set) var unstable = 0
  /// The number of those with such a request after requests that begin with no documents, and the number of
  /// these with the verdict violated.
  private(set) var reached = (all: 0, violated: 0)
  /// The number that an audit calls stable.
  private(set) var stable = 0
  /// The wrong verdicts, each as text that reproduces it.
  private(set) var failures: [String] = []
  /// The reasons for open questions, with their number.
  private(set) var reasons: [String: Int] = [:]

  private let seed: UInt64

  /// Prepares a campaign; its questions depend on the seed alone.
  init(seed: UInt64) { self.seed = seed }

  /// True if no verdict was wrong, and each kind occurred.
  var isGood: Bool {
    failures.isEmpty && counts["proved", default: 0] > 0 && counts["violated", default: 0] > 0
  }

  /// The results.
  var summary: String {
    let verdicts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return verdicts.joined(separator: ", ")
      + "; \(unstable) with a request that makes the condition true, \(reached.all) of them from nothing "
      + "(\(reached.violated) violated); an audit calls \(stable) stable; \(failures.count) wrong\n"
  }

  /// Decides claims about some rule sets.
  mutating func run(_ numbers: Range<Int>) {
    for number in numbers {
      var dice = Dice(seed: seed, 9, UInt64(number))
      ask(SmallWorld(&dice), number: number)
    }
  }

  private mutating func ask(_ world: SmallWorld, number: Int) {
    guard let rules = Checker.check(SourceText(name: "world.rules", world.rules)).checked,
      let claimed = Checker.check(SourceText(name: "world.rules", world.claimed)).checked,
      let path = ClaimPath(Text(world.path))
    else { return count("rules that do not compile") }
    var claim = Claim(
      name: "", path: path, methods: MethodSet(world.method),
      obligation: .onlyIf(Claim.Condition(Text(world.condition))))
    claim.through = .any
    claim.writes = world.fields
    guard let set = try? ClaimSet([claim], about: rules) else { return count("claims refused") }
    let verdict = Prover(set, within: Budget(steps: Budget.questionSteps)).decide(0)
    count(verdict.word)
    let search = StateSearch(world, set.engine, claimed: Engine(claimed))
    var reach = Self.reach(of: [])
    if case .proved(let proof) = verdict { reach = Self.reach(of: proof.notes) }
    let flip = search.flip(.claim, from: Array(world.states), reach)
    if flip != nil {
      unstable += 1
      if search.flip(.claim, from: search.reached(), reach) != nil {
        reached.all += 1
        if case .violated = verdict { reached.violated += 1 }
      }
    }
    let asked = EscalationSearch(rules).all().first { $0.allow == world.asked(in: rules) }
    if let asked, asked.isStable {
      stable += 1
      let reach = Self.reach(of: [asked.message])
      // A message with these words leaves out comparisons of the request with stored data.
      let leavesRequestOut = asked.message.contains("comparison of the request with stored data")
      if !leavesRequestOut,
        let flip = search.flip(.statement, from: Array(world.states), reach)
      {
        failures.append("case \(number): called stable, but \(flip)\n\(world.rules)\n")
      }
    }
    switch verdict {
    case .proved:
      // A hidden name has different meanings in the claim and the statement.
      if let flip, !world.hidesNames {
        failures.append(
          "case \(number): proved, but \(flip)\n\(world.claim)\n\(world.rules)\n")
      }
    case .violated(let found):
      if found.steps.isEmpty, world.hidesNames { return }
      if let wrong = Self.mistake(in: found, of: set) {
        failures.append("case \(number): violated, but \(wrong)\n\(world.claim)\n\(world.rules)\n")
      }
    case .undecided(let openReasons):
      for openReason in openReasons.prefix(1) {
        let kind = (flip == nil ? "stable: " : "unstable: ") + Self.kind(of: openReason.reason)
        reasons[kind, default: 0] += 1
      }
    case .vacuous: failures.append("case \(number): vacuous\n\(world.rules)\n")
    }
  }

  /// Returns the requests that a verdict covers, according to its notes about those it leaves out.
  private static func reach(of notes: [String]) -> StateSearch.Reach {
    StateSearch.Reach(
      hasOtherAccounts: !notes.contains { $0.contains("by another account") },
      hasParents: !notes.contains { $0.contains("creates a deleted one again") })
  }

  /// Returns a reason without its details.
  private static func kind(of reason: String) -> String {
    let known = ["but no request is known that stores", "and the condition is true"]
    return known.first { reason.contains($0) } ?? String(reason.prefix(70))
  }

  private mutating func count(_ word: String) { counts[word, default: 0] += 1 }

  /// Returns the mistake in a sequence; nil if there is none.
  private static func mistake(in found: Counterexample, of set: ClaimSet) -> String? {
    guard let first = found.steps.first else { return "the claim holds for one request" }
    var state = first.documents
    guard let early = try? set.engine.decide(found.request, on: state), !early.isAllowed else {
      return "the client could do it at first"
    }
    for step in found.steps {
      guard let decision = try? set.engine.decide(step.request, on: state), decision.isAllowed,
        case .commit(let writes) = step.request.operation,
        state.commit(writes, at: StateSearch.time) == nil
      else { return "a step is not allowed" }
    }
    let last = try? set.engine.decide(found.request, on: state)
    return last?.isAllowed == true ? nil : "the last request is denied"
  }
}
