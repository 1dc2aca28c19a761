import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Timestamps: the calendar, the range and the text form.
@Suite struct TimestampTests {
  /// A date as a calendar on the wall tells it: the next day, month and year by counting.
  private struct WallCalendar {
    var year: Int64 = 1
    var month: Int64 = 1
    var day: Int64 = 1
    var dayOfYear: Int64 = 1
    var dayOfWeek: Int64 = 1

    mutating func advance() {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      dayOfWeek = dayOfWeek % 7 + 1
      day += 1
      dayOfYear += 1
      if day > lengths[Int(month) - 1] { (day, month) = (1, month + 1) }
      if month > 12 { (month, year, dayOfYear) = (1, year + 1, 1) }
    }
  }

  @Test func everyDayOfTheCalendarIsTheDayAfterTheOneBefore() throws {
    var calendar = WallCalendar()
    var seconds = Timestamp.earliest.epochSeconds
    let end = Timestamp.latest.year
    let last = Int64(Wanted.cases(2005, of: Int(end)))
    while calendar.year <= last {
      let isBorder = calendar.day == 1 || calendar.day >= 28
      if isBorder || calendar.dayOfYear % 37 == 0 {
        let time = try #require(Timestamp(epochSeconds: seconds + 86_399, nanos: 999_999_999))
        let matches =
          time.year == calendar.year && time.month == calendar.month && time.day == calendar.day
          && time.dayOfYear == calendar.dayOfYear && time.dayOfWeek == calendar.dayOfWeek
          && time.date.epochSeconds == seconds
        if !matches { Issue.record("\(time) is not \(calendar)") }
        let date = try Timestamp.date(
          year: calendar.year, month: calendar.month, day: calendar.day)
        if date.epochSeconds != seconds { Issue.record("\(calendar) is not \(date)") }
      }
      calendar.advance()
      seconds += 86_400
    }
    #expect(last < end || seconds == Timestamp.latest.epochSeconds + 1)
  }

  @Test func instantsOutsideTheRangeAreRefused() {
    #expect(Timestamp(epochSeconds: -62_135_596_801) == nil)
    #expect(Timestamp(epochSeconds: 253_402_300_800) == nil)
    #expect(Timestamp(epochSeconds: 0, nanos: -1) == nil)
    #expect(Timestamp(epochSeconds: 0, nanos: 1_000_000_000) == nil)
    #expect(Timestamp(epochSeconds: .min, nanos: .max) == nil)
    #expect(Timestamp(milliseconds: .min) == nil)
    #expect(Timestamp(milliseconds: .max) == nil)
    #expect(Timestamp.earliest.adding(Duration(unchecked: 0, nanos: -1)) == nil)
    #expect(Timestamp.latest.adding(Duration(unchecked: 0, nanos: 1)) == nil)
  }

  @Test func theTextFormHasThreeSixOrNineDigitsOfFraction() throws {
    #expect(Timestamp.epoch.description == "1970-01-01T00:00:00Z")
    #expect(Timestamp.earliest.description == "0001-01-01T00:00:00Z")
    #expect(Timestamp.latest.description == "9999-12-31T23:59:59.999999999Z")
    for (nanos, fraction): (Int64, String) in [
      (1, ".000000001"), (1000, ".000001"), (100_000_000, ".100"), (120_000, ".000120"),
    ] {
      let time = try #require(Timestamp(epochSeconds: 0, nanos: nanos))
      #expect(time.description == "1970-01-01T00:00:00\(fraction)Z")
    }
  }

  @Test func theTextFormReadsBackAsTheSameInstant() throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<2000 {
      let time = try #require(
        Timestamp(
          epochSeconds: Int64.random(in: Timestamp.secondsRange, using: &generator),
          nanos: Int64.random(in: 0..<1_000_000_000, using: &generator)))
      #expect(Timestamp(rfc3339: Text(time.description)) == time)
    }
  }

  @Test func theOrderIsTheOrderInTime() {
    let times = [
      Timestamp.earliest, Timestamp(milliseconds: -1), .epoch, Timestamp(milliseconds: 1), .latest,
    ].compactMap { $0 }
    #expect(times.count == 5)
    #expect(times == times.sorted())
    #expect(times.map { $0.since(.epoch) } == times.map { $0.since(.epoch) }.sorted())
  }

  @Test func timestampsAnswerAsTheEmulatorDoes() throws {
    for row in try ConformanceRow.all(of: "timestamps.tsv") {
      switch row[0] {
      case "text":
        let answer = Timestamp(lenient: try row.text(1))?.description ?? "error"
        #expect(answer == row[2], "\(row)")
        let strict = Timestamp(rfc3339: try row.text(1))?.description ?? "error"
        #expect(strict == (row[3].isEmpty ? row[2] : row[3]), "\(row)")
      case "millis":
        let time = Timestamp(milliseconds: try row.int(1))
        #expect(answers(of: time) == Array(row.fields.dropFirst(2)), "\(row)")
      case "date":
        let answer = date(try row.int(1), try row.int(2), try row.int(3))
        #expect(answer == row[4], "\(row)")
      default:
        Issue.record("unknown kind of row: \(row)")
      }
    }
  }

  private func answers(of time: Timestamp?) -> [String] {
    guard let time else { return ["error"] }
    let numbers = [
      time.year, time.month, time.day, time.dayOfWeek, time.dayOfYear, time.hours, time.minutes,
      time.seconds, Int64(time.nanos), time.milliseconds,
    ]
    return [time.description] + numbers.map(\.description)
      + [time.date.description, time.timeOfDay.paddedDescription]
  }

  private func date(_ year: Int64, _ month: Int64, _ day: Int64) -> String {
    do {
      return try Timestamp.date(year: year, month: month, day: day).description
    } catch {
      switch error {
      case .yearOutOfRange: return "year"
      case .invalidDate: return "date"
      }
    }
  }
}
