import RulesLang

@testable import RulesEval

/// Decides requests by the reference and by the machine, and tells where they differ.
struct Agreement: ~Copyable {
  fileprivate let engine: Engine
  private var machine: Machine
  /// The machine with a marked program.
  private var observing: Machine
  /// How many statements were traced by the machine itself, and how many in all.
  private(set) var traced = (byMachine: 0, all: 0)
  /// How many statements the reference evaluated in the machine's place: too large ones.
  let unlowered: Int
  /// The same in the marked program.
  let unmarked: Int

  init(_ checked: Checked, profile: Profile = .emulator) {
    engine = Engine(checked, profile: profile)
    let program = Program(checked)
    let marked = Program(checked, isMarked: true)
    unlowered = Self.unlowered(program)
    unmarked = Self.unlowered(marked)
    machine = Machine(program, profile: profile)
    observing = Machine(marked, profile: profile)
  }

  private static func unlowered(_ program: Program) -> Int {
    zip(program.statements, program.rules.ruleset.allows).filter { statement, allow in
      statement == nil && allow.condition != nil
    }.count
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
    return tracedDisagreement(request, documents) ?? loadedDisagreement(request, documents)
  }

  /// The same with what every expression comes to, in the order in which it is known.
  private mutating func tracedDisagreement(_ request: Request, _ documents: Documents) -> String? {
    var expected: Decision?
    var actual: Decision?
    let wanted = Self.describe { () throws(RequestProblem) in
      let decision = try engine.decide(request, on: documents, tracing: true)
      expected = decision
      return decision
    }
    let found = Self.describe { () throws(RequestProblem) in
      let decision = try observing.decide(request, on: documents, tracing: true)
      actual = decision
      return decision
    }
    if wanted != found { return "reference: \(wanted)\nobserved:  \(found)" }
    guard let expected, let actual else { return nil }
    for trace in expected.tried.compactMap(\.trace) {
      traced.all += 1
      if !trace.events.contains(where: { $0.outcome.error != nil }) { traced.byMachine += 1 }
    }
    return Self.traceDifference(expected, actual)
  }

  /// What differs in the traces of two decisions that try the same statements; nil if nothing does.
  static func traceDifference(_ expected: Decision, _ actual: Decision) -> String? {
    for (one, two) in zip(expected.tried, actual.tried) {
      guard let first = one.trace, let second = two.trace else {
        return "no trace of \(one.allow.raw)"
      }
      if let difference = first.difference(from: second) {
        return "trace of \(one.allow.raw): \(difference)"
      }
    }
    return nil
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
    case .failed(let error): describe(error)
    }
  }

  fileprivate static func describe(_ error: EvaluationError) -> String {
    "\(error.reason.message ?? "unknown") of \(error.expression.raw) at \(error.site.start)"
      + "..\(error.site.end) \(error.isAtBeginning)"
  }
}

extension Agreement {
  /// What a request costs.
  func expressions(_ request: Request, on documents: Documents) -> Int? {
    try? engine.decide(request, on: documents).expressions
  }
}

extension Trace {
  /// The first thing in which two traces differ; nil if they are the same.
  fileprivate func difference(from other: Trace) -> String? {
    for (one, two) in zip(events, other.events) where !one.isSame(as: two) {
      // Values are large and mostly alike.
      let (first, second) = (one.text, two.text)
      let common = zip(first, second).prefix { $0 == $1 }.count
      return "expression \(one.expression.raw): \(first.dropFirst(common).prefix(200)) and "
        + "\(second.dropFirst(common).prefix(200))"
    }
    if events.count != other.events.count {
      return "\(events.count) and \(other.events.count) events"
    }
    let calls = self.calls.map { [$0.activation, $0.expression.index, $0.caller] }
    let others = other.calls.map { [$0.activation, $0.expression.index, $0.caller] }
    return calls == others ? nil : "calls \(calls) and \(others)"
  }
}

extension Trace.Event {
  fileprivate var text: String {
    switch outcome {
    case .value(let value): "\(JSONText(value).compact) in \(activation)"
    case .error(let error): "\(Agreement.describe(error)) in \(activation)"
    }
  }

  fileprivate func isSame(as other: Trace.Event) -> Bool {
    guard expression == other.expression, activation == other.activation else { return false }
    switch (outcome, other.outcome) {
    case (.value(let one), .value(let two)):
      // A NaN is identical to nothing, but the same outcome as any other.
      return Value.areIdentical(one, two) || text == other.text
    case (.error(let one), .error(let two)):
      return Agreement.describe(one) == Agreement.describe(two)
    case (.value, .error), (.error, .value): return false
    }
  }
}

extension Outcome {
  fileprivate var error: EvaluationError? {
    if case .error(let error) = self { return error }
    return nil
  }
}
