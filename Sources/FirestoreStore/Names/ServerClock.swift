public import RulesEval

/// A clock of microseconds that strictly increases, even if the host's clock is set back.
public struct ServerClock: Sendable {
  /// The last returned time.
  private var last = Timestamp.epoch

  /// Creates a clock that has not returned any time.
  public init() {}

  /// Returns the time truncated to the microsecond, or the microsecond after the last returned time if that
  /// is later.
  public mutating func next(after now: Timestamp) -> Timestamp {
    last = now.orAfter(last)
    return last
  }
}

extension Timestamp {
  /// The time truncated to the millisecond, the value of `request.time` and of server timestamps.
  public var requestTime: Timestamp { Timestamp(milliseconds: milliseconds) ?? self }

  /// Microseconds since 1970, the unit of versions.
  var microseconds: Int64 { epochSeconds * 1_000_000 + Int64(nanos / 1000) }

  /// Returns the time truncated to the microsecond, or the microsecond after `other` if that is later.
  func orAfter(_ other: Timestamp) -> Timestamp {
    let own = microsecondPrecise
    return own > other ? own : other.nextMicrosecond
  }

  /// The next microsecond; the last possible time has no later one and is returned.
  private var nextMicrosecond: Timestamp {
    let nanos = Int64(microsecondPrecise.nanos) + 1000
    let next =
      nanos < 1_000_000_000
      ? Timestamp(epochSeconds: epochSeconds, nanos: nanos)
      : Timestamp(epochSeconds: epochSeconds + 1)
    return next ?? self
  }
}
