import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Durations: range, units, sums and the text form.
@Suite struct DurationTests {
  @Test func partsOfAnySignAreBroughtToOne() {
    #expect(Duration(seconds: 1, nanos: -1) == Duration(seconds: 0, nanos: 999_999_999))
    #expect(Duration(seconds: -1, nanos: 1)?.nanos == -999_999_999)
    #expect(Duration(seconds: -1, nanos: 1)?.seconds == 0)
    #expect(Duration(seconds: -1, nanos: -1_500_000_000)?.description == "-2.5s")
    #expect(Duration(seconds: 0, nanos: .min)?.description == "-9223372036.854775808s")
  }

  @Test func durationsOutsideTheRangeAreRefused() {
    #expect(Duration(seconds: 315_576_000_000, nanos: 999_999_999) != nil)
    #expect(Duration(seconds: 315_576_000_000, nanos: 1_000_000_000) == nil)
    #expect(Duration(seconds: -315_576_000_000, nanos: -999_999_999) != nil)
    #expect(Duration(seconds: -315_576_000_001, nanos: 0) == nil)
    #expect(Duration(seconds: -315_576_000_001, nanos: 1) != nil)
    #expect(Duration(seconds: .max, nanos: .max) == nil)
    #expect(Duration(seconds: .min, nanos: .min) == nil)
  }

  @Test func theExtremesOfIntegersDoNotTrap() {
    let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max]
    for first in extremes {
      for unit in Duration.Unit.allCases { _ = Duration(first, in: unit) }
      for second in extremes {
        _ = Duration.time(hours: first, minutes: second, seconds: second, nanos: first)
        _ = Duration.time(hours: 0, minutes: 0, seconds: first, nanos: second)
      }
    }
    #expect(Duration.time(hours: .min, minutes: .max, seconds: .min, nanos: .max) == nil)
  }

  @Test func theTextFormIsShortOrInThrees() {
    #expect(Duration.zero.description == "0s")
    #expect(Duration(1500, in: .milliseconds)?.description == "1.5s")
    #expect(Duration(1500, in: .milliseconds)?.paddedDescription == "1.500s")
    #expect(Duration(-1, in: .nanoseconds)?.description == "-0.000000001s")
    #expect(Duration(1, in: .weeks)?.paddedDescription == "604800s")
  }

  @Test func durationsAnswerAsTheEmulatorDoes() throws {
    for row in try ConformanceRow.all(of: "durations.tsv") {
      let answers: [String]
      switch row[0] {
      case "value":
        let count = try row.int(1)
        let duration = Duration.Unit(name: try row.text(2)).map { Duration(count, in: $0) }
        answers = [duration.map(text) ?? "unit"]
      case "time":
        let duration = Duration.time(
          hours: try row.int(1), minutes: try row.int(2), seconds: try row.int(3),
          nanos: try row.int(4))
        answers = [text(duration)]
      case "pair": answers = try pair(row)
      case "instants": answers = try instants(row)
      default: answers = ["unknown kind of row"]
      }
      #expect(answers == Array(row.fields.suffix(answers.count)), "\(row)")
    }
  }

  private func text(_ duration: Duration?) -> String { duration?.paddedDescription ?? "error" }

  private func pair(_ row: ConformanceRow) throws -> [String] {
    let one = try #require(Duration(seconds: row.int(1), nanos: row.int(2)))
    let two = try #require(Duration(seconds: row.int(3), nanos: row.int(4)))
    return [
      text(one.adding(two)), text(one.subtracting(two)), text(-one), text(one.magnitude),
      "\(one < two)", "\(one.seconds)", "\(one.nanos)",
    ]
  }

  private func instants(_ row: ConformanceRow) throws -> [String] {
    let one = try #require(Timestamp(milliseconds: row.int(1)))
    let two = try #require(Timestamp(milliseconds: row.int(2)))
    let duration = try #require(Duration(seconds: row.int(3), nanos: row.int(4)))
    return [
      one.adding(duration)?.description ?? "error",
      one.subtracting(duration)?.description ?? "error",
      text(one.since(two)), "\(one < two)",
    ]
  }
}
