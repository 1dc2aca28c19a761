/// An instant on the proleptic Gregorian calendar in UTC, without leap seconds, to the nanosecond.
///
/// The range is 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z; the initialisers refuse anything
/// outside. (Docs/Language.md §8)
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let epochSeconds: Int64
  /// Nanoseconds after `epochSeconds`, 0 to 999,999,999. The result of `nanos()`.
  public let nanos: Int32

  /// The seconds of the first and the last instant, each since 1970.
  public static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The first instant: 0001-01-01T00:00:00Z.
  public static let earliest = Timestamp(unchecked: secondsRange.lowerBound, nanos: 0)
  /// The last instant: 9999-12-31T23:59:59.999999999Z.
  public static let latest = Timestamp(unchecked: secondsRange.upperBound, nanos: 999_999_999)
  /// 1970-01-01T00:00:00Z.
  public static let epoch = Timestamp(unchecked: 0, nanos: 0)

  /// Creates an instant from seconds since 1970 and nanoseconds after them.
  ///
  /// Returns nil when the seconds leave the range or the nanoseconds are not in 0..<1,000,000,000.
  public init?(epochSeconds: Int64, nanos: Int64 = 0) {
    guard Timestamp.secondsRange.contains(epochSeconds), 0 <= nanos, nanos < 1_000_000_000 else {
      return nil
    }
    self.init(unchecked: epochSeconds, nanos: Int32(nanos))
  }

  /// Creates an instant from milliseconds since 1970, as `timestamp.value(int)` does.
  ///
  /// Returns nil outside the range.
  public init?(milliseconds: Int64) {
    let (seconds, rest) = milliseconds.flooredDivision(by: 1000)
    self.init(epochSeconds: seconds, nanos: rest * 1_000_000)
  }

  /// Creates an instant from parts that the caller knows to be in range.
  init(unchecked epochSeconds: Int64, nanos: Int32) {
    self.epochSeconds = epochSeconds
    self.nanos = nanos
  }

  /// Milliseconds since 1970, rounded down. The result of `toMillis()`.
  public var milliseconds: Int64 { epochSeconds * 1000 + Int64(nanos / 1_000_000) }

  /// The time truncated to microseconds.
  package var microsecondPrecise: Timestamp {
    Timestamp(unchecked: epochSeconds, nanos: nanos / 1000 * 1000)
  }

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.epochSeconds == right.epochSeconds
      ? left.nanos < right.nanos : left.epochSeconds < right.epochSeconds
  }
}

extension Int64 {
  /// The quotient rounded down and the remainder, which is in 0..<`divisor`; the divisor is positive.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
