import Foundation
import Testing

@testable import RulesTesting

/// What becomes of the files that a command line names which is not understood.
@Suite struct RefusedUsageTests {
  private static let suite = "{ \"rules\": \"app.rules\", \"tests\": [] }\n"

  /// A suite that was named by mistake is no report, and neither is any other file: whatever is there stays.
  @Test(arguments: [
    "test app.suite.json --bogus --format json --output app.suite.json",
    "simulate app.rules get --data @data.json --format json --output data.json",
    "check --fail-on nothing --format json --output=older.json",
  ])
  func noFileThatIsThereIsReplaced(_ command: String) throws {
    let script = try Script()
    defer { script.remove() }
    let files = ["app.suite.json", "data.json", "older.json", "app.rules"]
    for file in files { try script.write(Self.suite, to: file) }
    let run = try script.run("\"$PROGRAM\" \(command)")
    #expect(run.exit == 2)
    #expect(run.output.isEmpty)
    for file in files { #expect(try script.read(file) == Self.suite) }
  }

  @Test func aNewReportSaysWhatIsWrong() throws {
    let script = try Script()
    defer { script.remove() }
    let run = try script.run(
      "\"$PROGRAM\" test --bogus --format json --output new.json --format junit")
    #expect(run.exit == 2)
    #expect(run.complaints.hasPrefix("rules-check: `test` has no option `--bogus`\n"))
    #expect(run.output.contains("<error type=\"usage\" message=\"`test` has no option `--bogus`\""))
    let json = try script.read("new.json")
    #expect(
      json.contains("\"code\": \"usage\",\n      \"message\": \"`test` has no option `--bogus`\""))
  }
}
