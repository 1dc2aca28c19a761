import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A statement that grants nothing satisfies every limiting claim, but is not a repair. So for each
// changed statement, uses that the claim does not object to and the old rules allowed must remain
// possible for somebody.

/// Checks that changed rules still serve their purpose.
struct RepairUses {
  private let claim: Claim
  private let old: Engine
  private let new: Engine
  private let question: () -> Budget

  /// Prepares for a claim and the rules before and after a change.
  init(
    _ claim: Claim, from old: Engine, to new: Engine, asking question: @escaping () -> Budget
  ) {
    (self.claim, self.old, self.new, self.question) = (claim, old, new, question)
  }

  /// True if every use of the changed statements remains possible for somebody, as far as that is
  /// decided.
  func areKept(by steps: [RepairStep]) -> Bool {
    var asked: [(path: ClaimPath, method: Method)] = []
    for step in steps {
      guard let block = step.block else { return false }
      for method in step.methods.methods {
        if asked.contains(where: { $0.path == block && $0.method == method }) { continue }
        asked.append((block, method))
        if uses(of: method, in: block).contains(where: { isTakenAway($0) }) { return false }
      }
    }
    return true
  }

  /// Returns the uses that the claim does not object to, each as the claim that nobody can do it.
  private func uses(of method: Method, in block: ClaimPath) -> [Claim] {
    var found: [Claim] = []
    func add(_ path: ClaimPath, _ givens: [String], writes: [FieldPath] = []) {
      var use = Claim(name: "", path: path, methods: MethodSet(method), obligation: .never)
      use.writes = writes
      let given = givens.map { "(\($0)\n)" }.joined(separator: " && ")
      if !given.isEmpty { use.given = Claim.Condition(Text(given)) }
      found.append(use)
    }
    let limits = claim.given.map { [String($0.text)] } ?? []
    // A claim about the last request of a sequence does not limit the first one.
    let isOfOne = claim.through == nil
    if isOfOne, claim.scopeMethods.contains(method) {
      if case .onlyIf(let condition) = claim.obligation {
        let all = limits + [String(condition.text)]
        add(claim.path, all, writes: claim.writes)
        // The block's documents, all of which are the claim's.
        let isWithin = ClaimPath.covers(claim.path.steps, block.steps)
        if isWithin, let fit = PathFit(claim.path, in: block) {
          let fitting = all.compactMap { fit.text(of: Text($0)) }
          if fitting.count == all.count { add(block, fitting, writes: claim.writes) }
        }
      }
      if let limit = limits.first { add(claim.path, ["!(\(limit)\n)"]) }
      let names = claim.writes.compactMap { $0.names.first }
      if !names.isEmpty, let writes = method.writing(names) { add(claim.path, ["!\(writes)"]) }
    }
    if !isOfOne || !claim.scopeMethods.contains(method)
      || !ClaimPath.covers(claim.path.steps, block.steps)
    {
      add(block, [])
    }
    return found
  }

  /// True if somebody could do this before, and no request is known that can do it now.
  private func isTakenAway(_ use: Claim) -> Bool {
    guard case .violated(let example) = verdict(on: use, by: old) else { return false }
    if (try? new.decide(example.request, on: example.documents))?.isAllowed == true { return false }
    switch verdict(on: use, by: new) {
    case .violated, nil: return false
    case .proved, .vacuous, .undecided: return true
    }
  }

  /// Returns the verdict; nil if the claim does not compile.
  private func verdict(on use: Claim, by engine: Engine) -> Verdict? {
    guard let set = try? ClaimSet([use], about: engine.rules, profile: engine.profile) else {
      return nil
    }
    let budget = question()
    defer { budget.settle() }
    return Prover(set, within: budget).decide(0, shrinking: false, checking: false)
  }
}
