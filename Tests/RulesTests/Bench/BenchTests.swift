import Foundation
import RulesEval
import RulesLang
import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// What `bench` measures; how fast it is here says nothing, tests are not optimised.
@Suite struct BenchTests {
  private static let effort = Measurement.Effort(runs: 3, milliseconds: 1)

  @Test func theFloorAndTheMachineDecideTheUsersCollectionAsTheRuleSays() throws {
    // Throws if either decides one of the requests otherwise.
    let section = try Bench.usersCollection(Self.effort)
    #expect(section.rows.count == UsersCollection.Case.allCases.count)
    for row in section.rows {
      #expect(row.floor != nil)
      for measured in [row.decision, row.loading, row.request, row.reference] {
        #expect(measured.fastest > 0)
        #expect(measured.fastest <= measured.median && measured.median <= measured.slowest)
      }
    }
  }

  @Test(arguments: [
    "users", "lookups", "patterns", "functions", "lines-300", "blocks-10", "fields", "changes",
  ])
  func everySuiteOfTheBenchmarksPasses(_ name: String) throws {
    let folder = CommandLineCase.package.appendingPathComponent("Benchmarks")
    func source(_ file: String) throws -> SourceText {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      return SourceText(name: file, bytes: Array(data))
    }
    let checked = try #require(Checker.check(try source("\(name).rules")).checked)
    let suite = try #require(SuiteReader.read(try source("\(name).suite.json")).suite)
    #expect(suite.tests.count >= 2)
    var machine = Machine(Program(checked))
    for test in suite.tests {
      let result = machine.run(test, documents: suite.documents, now: .epoch)
      #expect(result.isPassed, "\(test.name): \(result.failures)")
    }
  }
}
