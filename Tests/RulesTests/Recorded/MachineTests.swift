import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting
@testable import rules_check_dev

/// The machine against the reference: the same decisions, costs, lookups, and errors in the same
/// words at the same places.
@Suite struct MachineTests {
  @Test func recordedExpressionsAgree() throws {
    let environments = try ConformanceData.environments()
    let cases = Wanted.sample(of: try ConformanceData.lines("expressions.jsonl"))
    let disagreements = try cases.compactMap {
      try ExpressionCase($0, environments).machineDisagreement()
    }
    report("recorded expressions", cases.count, disagreements)
  }

  @Test func recordedRuleSetsAgree() throws {
    let cases = Wanted.sample(of: try ConformanceData.lines("rulesets.jsonl"))
    let disagreements = try cases.compactMap { try RulesetCase($0).machineDisagreement() }
    report("recorded rule sets", cases.count, disagreements)
  }

  @Test func expressionsMadeUpAtRandomAgree() throws {
    try madeUpAgree("expressions", ExpressionCampaign.trials, sample: 100)
  }

  @Test func requestsMadeUpAtRandomAgree() throws {
    try madeUpAgree("requests", RequestCampaign.trials)
  }

  @Test func queriesMadeUpAtRandomAgree() throws {
    try madeUpAgree("queries", QueryCampaign.trials)
  }

  @Test func recordedQueriesAgree() throws {
    let matrix = try QueryMatrix()
    var disagreements: [String] = []
    var count = 0
    for row in Wanted.sample(of: matrix.rows) {
      guard let checked = Checker.check(SourceText(name: "matrix.rules", row.rules)).checked else {
        Issue.record("the rules do not compile: \(row.rules)")
        continue
      }
      var agreement = Agreement(checked)
      for cell in row.cells {
        count += 1
        if let found = agreement.disagreement(cell.request, on: matrix.documents) {
          disagreements.append(
            "\(String(cell.condition)) under \(String(cell.query)):\n\(found)")
        }
      }
    }
    #expect(Wanted.isWhole ? count == 3198 : count > 300)
    report("recorded queries", count, disagreements)
  }

  @Test func recordedRegressionsAgree() throws {
    var disagreements: [String] = []
    var count = 0
    for file in RegressionTests.files {
      guard let recorded = try RegressionTests.recorded(file),
        let checked = Checker.check(SourceText(name: file, recorded.trial.rules)).checked,
        let question = recorded.trial.question
      else { continue }
      var agreement = Agreement(checked)
      let request = Request(
        principal: question.principal, time: recorded.time, operation: question.operation)
      count += 1
      if let found = agreement.disagreement(request, on: question.documents) {
        disagreements.append("\(file): \(found)")
      }
    }
    report("recorded regressions", count, disagreements)
  }

  private func madeUpAgree(
    _ what: String, _ trials: (_ seed: UInt64, _ number: Int) -> [Trial], sample: Int = 300
  ) throws {
    let wanted = Wanted.number("MACHINE_CASES", usually: 2000, sample: sample)
    let seed = Wanted.seed("MACHINE_SEED", usually: 7)
    var disagreements: [String] = []
    var count = 0
    var number = 0
    var traced = (byMachine: 0, all: 0)
    while count < wanted {
      let trials = trials(seed, number)
      number += 1
      guard let rules = trials.first?.rules,
        let checked = Checker.check(SourceText(name: "trial.rules", rules)).checked
      else { continue }
      var agreement = Agreement(checked)
      #expect(agreement.unlowered == 0 && agreement.unmarked == 0)
      for trial in trials {
        guard let question = trial.question else { continue }
        count += 1
        let request = Request(
          principal: question.principal, time: ConformanceRequest.time,
          operation: question.operation)
        if let found = agreement.disagreement(request, on: question.documents) {
          disagreements.append(
            "seed \(seed) \(number - 1):\n\(rules)\n\(trial.request.compact)\n\(found)")
        }
      }
      traced.byMachine += agreement.traced.byMachine
      traced.all += agreement.traced.all
    }
    print("machine: \(traced.byMachine) of \(traced.all) statements traced without the reference")
    #expect(traced.byMachine * 5 > traced.all)
    report("\(what) made up with seed \(seed)", count, disagreements)
  }

  private func report(_ what: String, _ count: Int, _ disagreements: [String]) {
    print("machine: \(count - disagreements.count) of \(count) \(what) agree")
    #expect(count > 0)
    let shown = disagreements.prefix(20).joined(separator: "\n")
    #expect(disagreements.isEmpty, "\(disagreements.count) of \(count) disagree:\n\(shown)")
  }
}

extension Trial {
  /// The condition of the block that the request is for.
  fileprivate var condition: String {
    guard case .object(let members) = request,
      let path = members.compactMap({ member -> String? in
        if case .string(let path) = member.1, path.hasPrefix("/e") { return path }
        return nil
      }).first
    else { return "" }
    let block = path.split(separator: "/")[0]
    return rules.split(separator: "\n").first { $0.hasPrefix("match /\(block)/") }.map(String.init)
      ?? ""
  }
}
