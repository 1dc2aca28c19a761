import RulesLang

@testable import RulesEval

/// Decides requests by the reference and by the machine, and tells where they differ.
struct Agreement: ~Copyable {
  fileprivate let engine: Engine
  private var machine: Machine
  /// How many statements the reference evaluated in the machine's place: too large ones.
  let unlowered: Int

  init(_ checked: Checked, profile: Profile = .emulator) {
    engine = Engine(checked, profile: profile)
    let program = Program(checked)
    unlowered =
      zip(program.statements, checked.ruleset.allows).filter { statement, allow in
        statement == nil && allow.condition != nil
      }.count
    machine = Machine(program, profile: profile)
  }

  /// What differs in the decision of a request; nil if nothing does.
  mutating func disagreement(_ request: Request, on documents: Documents) -> String? {
    let expected = Self.describe { () throws(RequestProblem) in
      try engine.decide(request, on: documents)
    }
    let actual = Self.describe { () throws(RequestProblem) in
      try machine.decide(request, on: documents)
    }
    if expected != actual { return "reference: \(expected)\nmachine:   \(actual)" }
    return loadedDisagreement(request, documents)
  }

  /// The same for a request that is loaded before and decided twice, and for one that is loaded again
  /// and looked into only where it is read.
  private mutating func loadedDisagreement(_ request: Request, _ documents: Documents) -> String? {
    guard let decision = try? engine.decide(request, on: documents),
      var loaded = try? machine.load(request, on: documents)
    else { return nil }
    defer { machine.forget() }
    for _ in 0..<2 where machine.isAllowed(&loaded) != decision.isAllowed {
      return "loaded: \(!decision.isAllowed), the reference \(decision.isAllowed)"
    }
    machine.forget()
    machine.reload(&loaded)
    for _ in 0..<2 where machine.isAllowed(&loaded) != decision.isAllowed {
      return "loaded again: \(!decision.isAllowed), the reference \(decision.isAllowed)"
    }
    return nil
  }

  /// Everything that a decision says.
  private static func describe(_ decide: () throws(RequestProblem) -> Decision) -> String {
    do throws(RequestProblem) {
      let decision = try decide()
      let accesses = decision.accesses.map { access in
        let tried = access.tried.map { "\($0.allow.raw) \(describe($0.result))" }
        return "\(access.isGranted) \(access.expressions) \(tried)"
      }
      return "\(decision.isAllowed) \(decision.lookups) \(accesses) \(decision.notes)"
    } catch {
      return "\(error)"
    }
  }

  private static func describe(_ result: Tried.Result) -> String {
    switch result {
    case .granted: "granted"
    case .refused: "refused"
    case .failed(let error):
      "\(error.reason.message ?? "unknown") of \(error.expression.raw) at \(error.site.start)"
        + "..\(error.site.end) \(error.isAtBeginning)"
    }
  }
}

extension Agreement {
  /// What a request costs.
  func expressions(_ request: Request, on documents: Documents) -> Int? {
    try? engine.decide(request, on: documents).expressions
  }
}
