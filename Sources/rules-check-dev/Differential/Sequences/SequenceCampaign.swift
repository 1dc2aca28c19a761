import RulesEncoding
import RulesEval
import RulesLang
import RulesProof
import RulesSolver

/// Claims over sequences beside a search through all states and requests of a small world: a claim that
/// is proved there must have no request that makes its condition true.
struct SequenceCampaign {
  /// How often each verdict came out.
  private(set) var counts: [String: Int] = [:]
  /// How many rule sets have a request that makes the condition true.
  private(set) var unstable = 0
  /// The wrong verdicts, each as text that shows it again.
  private(set) var failures: [String] = []
  /// Why questions stayed open.
  private(set) var reasons: [String: Int] = [:]

  private let seed: UInt64

  /// Prepares a campaign; what is asked depends on the seed alone.
  init(seed: UInt64) { self.seed = seed }

  /// Whether no verdict was wrong, and there were some of each kind.
  var isGood: Bool {
    failures.isEmpty && counts["proved", default: 0] > 0 && counts["violated", default: 0] > 0
  }

  /// What came of it.
  var summary: String {
    let verdicts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return verdicts.joined(separator: ", ")
      + "; \(unstable) with a request that makes the condition true; \(failures.count) wrong\n"
  }

  /// Asks about some rule sets.
  mutating func run(_ numbers: Range<Int>) {
    for number in numbers {
      var dice = Dice(seed: seed, 9, UInt64(number))
      ask(SmallWorld(&dice), number: number)
    }
  }

  private mutating func ask(_ world: SmallWorld, number: Int) {
    guard let rules = Checker.check(SourceText(name: "world.rules", world.rules)).checked,
      let path = ClaimPath("/d/{x}")
    else { return count("rules that do not compile") }
    var claim = Claim(
      name: "", path: path, methods: MethodSet(world.method),
      obligation: .onlyIf(Claim.Condition(Text(world.condition))))
    claim.through = .any
    guard let set = try? ClaimSet([claim], about: rules) else { return count("claims refused") }
    let verdict = Prover(set, within: Budget(steps: Budget.questionSteps)).decide(0)
    count(verdict.word)
    let flip = Self.flip(of: set, in: world)
    if flip != nil { unstable += 1 }
    switch verdict {
    case .proved:
      if let flip { failures.append("case \(number): proved, but \(flip)\n\(world.rules)\n") }
    case .violated(let found):
      if let wrong = Self.mistake(in: found, of: set) {
        failures.append("case \(number): violated, but \(wrong)\n\(world.rules)\n")
      }
    case .undecided(let doubts):
      for doubt in doubts.prefix(1) {
        let kind = (flip == nil ? "stable: " : "unstable: ") + Self.kind(of: doubt.reason)
        reasons[kind, default: 0] += 1
      }
    case .vacuous: failures.append("case \(number): vacuous\n\(world.rules)\n")
    }
  }

  /// A reason without what is only in this case.
  private static func kind(of reason: String) -> String {
    let known = ["but no request is known that stores", "and the condition is true"]
    return known.first { reason.contains($0) } ?? String(reason.prefix(70))
  }

  private mutating func count(_ word: String) { counts[word, default: 0] += 1 }

  // MARK: All states and requests

  private static let time = Timestamp(epochSeconds: 1_761_037_200, nanos: 0) ?? .epoch

  /// The requests of a client that the condition is about.
  private static func asked(by client: Principal?, in world: SmallWorld) -> [Request] {
    if world.method == .get {
      return [Request(principal: client, time: time, operation: .get([SmallWorld.document]))]
    }
    return SmallWorld.contents.map { content in
      let write = Write(
        to: SmallWorld.document, .set(content, mask: nil), precondition: .exists)
      return Request(principal: client, time: time, operation: .commit([write]))
    }
  }

  private static func isAllowed(_ request: Request, on state: Documents, in set: ClaimSet) -> Bool {
    (try? set.engine.decide(request, on: state))?.isAllowed ?? false
  }

  /// An allowed commit after which the condition, which is that of the only statement for these requests,
  /// is true of one for which it was false before; the document itself is not created by it.
  private static func flip(of set: ClaimSet, in world: SmallWorld) -> String? {
    let states = (0..<SmallWorld.stateCount).map { SmallWorld.state($0) }
    let isThere = states.map { $0[SmallWorld.document] != nil }
    for client in SmallWorld.clients {
      for asked in asked(by: client, in: world) {
        let isTrue = states.indices.map { number in
          (isThere[number] || world.method == .get)
            && isAllowed(asked, on: states[number], in: set)
        }
        for number in states.indices where !isTrue[number] {
          for commit in SmallWorld.commits {
            let left = SmallWorld.state(after: commit, on: number)
            guard isTrue[left], isThere[number] || !isThere[left] else { continue }
            let request = Request(
              principal: client, time: time, operation: .commit(SmallWorld.writes(of: commit)))
            guard isAllowed(request, on: states[number], in: set) else { continue }
            let who = client.map { "\($0.uid)" } ?? "nobody"
            return "\(who) may turn \(states[number].all) into \(states[left].all)"
          }
        }
      }
    }
    return nil
  }

  /// What is wrong with a sequence.
  private static func mistake(in found: Counterexample, of set: ClaimSet) -> String? {
    guard let first = found.steps.first else { return "the claim holds for one request" }
    var state = first.documents
    guard let early = try? set.engine.decide(found.request, on: state), !early.isAllowed else {
      return "the client could do it at first"
    }
    for step in found.steps {
      guard let decision = try? set.engine.decide(step.request, on: state), decision.isAllowed,
        case .commit(let writes) = step.request.operation, state.commit(writes, at: time) == nil
      else { return "a step is not allowed" }
    }
    let last = try? set.engine.decide(found.request, on: state)
    return last?.isAllowed == true ? nil : "the last request is denied"
  }
}
