// Days and dates. A date is found by counting days in years that begin on 1 March, so that the leap
// day is the last day of its year and month lengths repeat every five months (153 days).

/// A reason why a year, a month and a day do not make a timestamp.
public enum DateError: Error, Hashable, Sendable {
  /// The year is outside 1...9999. Reported before anything about the month or the day.
  case yearOutOfRange
  /// The month has no such day, or there is no such month.
  case invalidDate
}

extension Timestamp {
  /// Midnight UTC of a date, as `timestamp.date(int, int, int)`. (Docs/Language.md §8)
  ///
  /// Any integers may be passed.
  public static func date(
    year: Int64, month: Int64, day: Int64
  ) throws(DateError) -> Timestamp {
    guard 1...9999 ~= year else { throw .yearOutOfRange }
    guard 1...12 ~= month, 1...daysInMonth(month, of: year) ~= day else { throw .invalidDate }
    return Timestamp(
      unchecked: daysSinceEpoch(year: year, month: month, day: day) * 86_400, nanos: 0)
  }

  /// The year, 1 to 9999.
  public var year: Int64 { civilDate.year }
  /// The month, 1 to 12.
  public var month: Int64 { civilDate.month }
  /// The day of the month, 1 to 31.
  public var day: Int64 { civilDate.day }
  /// The day of the week, 1 for Monday to 7 for Sunday.
  public var dayOfWeek: Int64 { (dayNumber + 3).flooredDivision(by: 7).remainder + 1 }
  /// The day of the year, 1 to 366.
  public var dayOfYear: Int64 {
    dayNumber - Timestamp.daysSinceEpoch(year: year, month: 1, day: 1) + 1
  }
  /// The hour of the day, 0 to 23.
  public var hours: Int64 { secondOfDay / 3600 }
  /// The minute of the hour, 0 to 59.
  public var minutes: Int64 { secondOfDay / 60 % 60 }
  /// The second of the minute, 0 to 59.
  public var seconds: Int64 { secondOfDay % 60 }
  /// Midnight UTC of the same day. The result of `date()`.
  ///
  /// Within the first second of a day before 1970 it is the next midnight, as in the engine.
  public var date: Timestamp {
    let isEarly = epochSeconds < 0 && secondOfDay == 0 && nanos > 0
    return Timestamp(unchecked: epochSeconds - secondOfDay + (isEarly ? 86_400 : 0), nanos: 0)
  }
  /// The time since `date`. The result of `time()`.
  public var timeOfDay: Duration { since(date) }

  /// The number of days in a month, 1 to 12, of a year.
  static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to a date of the years 0 to 9999.
  static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let monthFromMarch = (month + 9) % 12
    let marchYear = month > 2 ? year : year - 1
    let leapDays =
      marchYear.flooredDivision(by: 4).quotient - marchYear.flooredDivision(by: 100).quotient
      + marchYear.flooredDivision(by: 400).quotient
    let daysBeforeMonth = (153 * monthFromMarch + 2) / 5
    return marchYear * 365 + leapDays + daysBeforeMonth + day - 1 - daysFromYearZeroToEpoch
  }

  /// Days from 0000-03-01 to 1970-01-01.
  private static let daysFromYearZeroToEpoch: Int64 = 719_468

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private var dayNumber: Int64 { epochSeconds.flooredDivision(by: 86_400).quotient }
  private var secondOfDay: Int64 { epochSeconds.flooredDivision(by: 86_400).remainder }

  private var civilDate: (year: Int64, month: Int64, day: Int64) {
    let days = dayNumber + Timestamp.daysFromYearZeroToEpoch
    let (era, dayOfEra) = days.flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfMarchYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfMarchYear + 2) / 153
    let day = dayOfMarchYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }
}
