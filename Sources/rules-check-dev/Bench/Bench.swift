import RulesEval
import RulesLang

/// Measures how long decisions take.
struct Bench: ~Copyable {
  private let engine: Engine
  private var machine: Machine
  private let effort: Measurement.Effort

  /// The reason why something cannot be measured.
  struct Problem: Error {
    var message: String
  }

  init(_ rules: Checked, profile: Profile, effort: Measurement.Effort) {
    engine = Engine(rules, profile: profile)
    machine = Machine(Program(rules), profile: profile)
    self.effort = effort
  }

  /// Measures the built-in case and its hand-written floor.
  static func usersCollection(_ effort: Measurement.Effort) throws(Problem) -> BenchReport.Section {
    let source = SourceText(name: "users", UsersCollection.rules)
    guard let checked = Checker.check(source).checked else {
      throw Problem(message: "the built-in rules do not compile")
    }
    var bench = Bench(checked, profile: .emulator, effort: effort)
    var rows: [BenchReport.Row] = []
    for kind in UsersCollection.Case.allCases {
      let updates = UsersCollection.updates(kind)
      var numbers: [String: Int32] = [:]
      let requests = updates.map { FloorRequest($0, numbering: &numbers) }
      guard requests.allSatisfy({ $0.isAllowed() == kind.isAllowed }) else {
        throw Problem(message: "the floor decides otherwise: \(kind.name)")
      }
      let floor = Measurement.of(effort) { times in
        var count = 0
        for time in 0..<times where requests[time % requests.count].isAllowed() { count += 1 }
        precondition(count == (kind.isAllowed ? times : 0))
      }
      var row = try bench.row(
        named: kind.name, asking: updates.map { $0.question }, isAllowed: kind.isAllowed)
      row.floor = floor
      rows.append(row)
    }
    return BenchReport.Section(name: "users collection, 8 strings, 64 requests", rows: rows)
  }

  /// Measures one case: requests with the same expected decision.
  mutating func row(
    named name: String, asking questions: [(request: Request, documents: Documents)],
    isAllowed: Bool
  ) throws(Problem) -> BenchReport.Row {
    machine.forget()
    var loaded: [LoadedRequest] = []
    for (request, documents) in questions {
      do throws(RequestProblem) {
        loaded.append(try machine.load(request, on: documents))
      } catch {
        throw Problem(message: "\(name): not modelled")
      }
    }
    for place in loaded.indices where machine.isAllowed(&loaded[place]) != isAllowed {
      throw Problem(message: "\(name): a decision is not the expected one")
    }
    let count = loaded.count
    let decision = measure { (machine: inout Machine, place: Int) in
      machine.isAllowed(&loaded[place % count])
    }
    let loading = measure { (machine: inout Machine, place: Int) in
      machine.forget()
      machine.reload(&loaded[place % count])
      return machine.isAllowed(&loaded[place % count])
    }
    let request = measure { (machine: inout Machine, place: Int) in
      let question = questions[place % count]
      return (try? machine.decide(question.request, on: question.documents))?.isAllowed ?? false
    }
    let engine = engine
    let reference = measure { (_: inout Machine, place: Int) in
      let question = questions[place % count]
      return (try? engine.decide(question.request, on: question.documents))?.isAllowed ?? false
    }
    return BenchReport.Row(
      name: name, decision: decision, loading: loading, request: request, reference: reference)
  }

  private mutating func measure(_ decide: (inout Machine, Int) -> Bool) -> Measurement {
    var allowed = 0
    let measurement = Measurement.of(effort) { times in
      for place in 0..<times where decide(&machine, place) { allowed += 1 }
    }
    // Uses the count, so that nothing measured can be left out.
    precondition(allowed >= 0)
    return measurement
  }
}
