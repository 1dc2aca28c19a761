// Sums and differences of durations and timestamps. Every operand is within its range, so plain
// addition of seconds stays far inside 64 bits; results out of range are nil.

extension Duration {
  /// The sum, or nil outside the range.
  public func adding(_ other: Duration) -> Duration? {
    Duration(seconds: seconds + other.seconds, nanos: Int64(nanos) + Int64(other.nanos))
  }

  /// The difference, or nil outside the range.
  public func subtracting(_ other: Duration) -> Duration? { adding(-other) }

  /// The duration with the opposite sign.
  public static prefix func - (operand: Duration) -> Duration {
    Duration(unchecked: -operand.seconds, nanos: -operand.nanos)
  }

  /// The length without its sign. The result of `duration.abs`.
  public var magnitude: Duration { self < .zero ? -self : self }
}

extension Timestamp {
  /// The instant later by a duration, or nil outside the range.
  public func adding(_ duration: Duration) -> Timestamp? {
    let (carry, rest) = (Int64(nanos) + Int64(duration.nanos))
      .flooredDivision(by: 1_000_000_000)
    return Timestamp(epochSeconds: epochSeconds + duration.seconds + carry, nanos: rest)
  }

  /// The instant earlier by a duration, or nil outside the range.
  public func subtracting(_ duration: Duration) -> Timestamp? { adding(-duration) }

  /// The time from another instant to this one; any two instants are near enough.
  public func since(_ other: Timestamp) -> Duration {
    let seconds = epochSeconds - other.epochSeconds
    let nanos = nanos - other.nanos
    if seconds > 0 && nanos < 0 {
      return Duration(unchecked: seconds - 1, nanos: nanos + 1_000_000_000)
    }
    if seconds < 0 && nanos > 0 {
      return Duration(unchecked: seconds + 1, nanos: nanos - 1_000_000_000)
    }
    return Duration(unchecked: seconds, nanos: nanos)
  }
}

extension Duration: CustomStringConvertible {
  /// Seconds with as many digits of fraction as needed and an `s`: `1.5s`, `-0.000000001s`, `0s`.
  public var description: String { text(inThrees: false) }

  /// Seconds with 0, 3, 6 or 9 digits of fraction, as the emulator prints them: `1.500s`.
  public var paddedDescription: String { text(inThrees: true) }

  private func text(inThrees: Bool) -> String {
    let size = magnitude
    let fraction = fractionText(Int64(size.nanos), inThrees: inThrees)
    return "\(self < .zero ? "-" : "")\(size.seconds)\(fraction)s"
  }
}
