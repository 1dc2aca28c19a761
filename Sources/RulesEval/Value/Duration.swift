public import RulesLang

/// A length of time in nanoseconds, positive or negative.
///
/// The whole seconds are within ±315,576,000,000 (10,000 years of 365.25 days); a fraction may come
/// on top of the last second. Inside this module and for its clients the name hides
/// `Swift.Duration`. (Docs/Language.md §8)
public struct Duration: Hashable, Comparable, Sendable {
  /// The seconds, truncated toward zero: the result of `seconds()`.
  public let seconds: Int64
  /// The rest in nanoseconds, -999,999,999 to 999,999,999, of the same sign as `seconds`.
  public let nanos: Int32

  /// The whole seconds that a duration may have.
  public static let secondsRange: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// The empty duration.
  public static let zero = Duration(unchecked: 0, nanos: 0)

  /// Creates the sum of seconds and nanoseconds, each of any sign and size; nil outside the range.
  public init?(seconds: Int64, nanos: Int64 = 0) {
    let (carry, rest) = nanos.flooredDivision(by: 1_000_000_000)
    let (whole, overflow) = seconds.addingReportingOverflow(carry)
    guard !overflow else { return nil }
    // `rest` is not negative: a negative sum with a fraction is one second nearer to zero.
    let isNegativeFraction = whole < 0 && rest > 0
    let truncated = isNegativeFraction ? whole + 1 : whole
    guard Duration.secondsRange.contains(truncated) else { return nil }
    self.init(
      unchecked: truncated, nanos: Int32(isNegativeFraction ? rest - 1_000_000_000 : rest))
  }

  /// Creates a duration from parts of one sign that the caller knows to be in range.
  init(unchecked seconds: Int64, nanos: Int32) {
    self.seconds = seconds
    self.nanos = nanos
  }

  /// Orders by length, negative ones first.
  public static func < (left: Duration, right: Duration) -> Bool {
    left.seconds == right.seconds ? left.nanos < right.nanos : left.seconds < right.seconds
  }
}

extension Duration {
  /// The units of `duration.value(int, string)`, named by its second argument.
  public enum Unit: Sendable, CaseIterable {
    /// The seven units; a day always has 24 hours.
    case weeks, days, hours, minutes, seconds, milliseconds, nanoseconds

    /// The word for the unit in rules: `w`, `d`, `h`, `m`, `s`, `ms` or `ns`.
    public var name: Text {
      switch self {
      case .weeks: "w"
      case .days: "d"
      case .hours: "h"
      case .minutes: "m"
      case .seconds: "s"
      case .milliseconds: "ms"
      case .nanoseconds: "ns"
      }
    }

    /// Creates the unit of a word; nil for any other text.
    public init?(name: Text) {
      for unit in Unit.allCases where unit.name == name {
        self = unit
        return
      }
      return nil
    }
  }

  /// A number of units, as `duration.value(int, string)`; nil outside the range.
  ///
  /// Milliseconds are counted in nanoseconds of 64 bits, so there the limit is lower:
  /// ±9,223,372,036,854 ms. (Docs/Language.md §8)
  public init?(_ count: Int64, in unit: Unit) {
    switch unit {
    case .weeks: self.init(count, timesSeconds: 604_800)
    case .days: self.init(count, timesSeconds: 86_400)
    case .hours: self.init(count, timesSeconds: 3600)
    case .minutes: self.init(count, timesSeconds: 60)
    case .seconds: self.init(seconds: count)
    case .milliseconds:
      let (nanos, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
      guard !overflow else { return nil }
      self.init(seconds: 0, nanos: nanos)
    case .nanoseconds: self.init(seconds: 0, nanos: count)
    }
  }

  private init?(_ count: Int64, timesSeconds seconds: Int64) {
    let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
    guard !overflow else { return nil }
    self.init(seconds: product)
  }

  /// The sum of four counts of any sign, as `duration.time(int, int, int, int)`.
  ///
  /// Returns nil when a count by itself, or hours with minutes, or seconds with nanoseconds, or the
  /// whole leaves the range: the emulator adds in this order and checks each step.
  /// (Docs/Language.md §8)
  public static func time(
    hours: Int64, minutes: Int64, seconds: Int64, nanos: Int64
  ) -> Duration? {
    guard let hours = Duration(hours, in: .hours), let minutes = Duration(minutes, in: .minutes),
      let seconds = Duration(seconds, in: .seconds), let nanos = Duration(nanos, in: .nanoseconds),
      let upper = hours.adding(minutes), let lower = seconds.adding(nanos)
    else { return nil }
    return upper.adding(lower)
  }
}
