public import RulesEval

/// The times of a server: microseconds that only grow, even if the host's clock goes back.
public struct ServerClock: Sendable {
  /// The last time that was given out.
  private var last = Timestamp.epoch

  /// Makes a clock that has given out no time.
  public init() {}

  /// Returns the time cut to the microsecond, or the microsecond behind the last time if that is later.
  public mutating func next(after now: Timestamp) -> Timestamp {
    last = now.orAfter(last)
    return last
  }
}

extension Timestamp {
  /// The time cut to the millisecond, which rules see as `request.time` and server timestamps have.
  public var requestTime: Timestamp { Timestamp(milliseconds: milliseconds) ?? self }

  /// Microseconds since 1970, in which versions are counted.
  var microseconds: Int64 { epochSeconds * 1_000_000 + Int64(nanos / 1000) }

  /// Returns the time cut to the microsecond, or the microsecond behind `other` if that is later.
  func orAfter(_ other: Timestamp) -> Timestamp {
    let own = microsecondPrecise
    return own > other ? own : other.nextMicrosecond
  }

  /// The next microsecond; at the end of time, the last one.
  private var nextMicrosecond: Timestamp {
    let nanos = Int64(microsecondPrecise.nanos) + 1000
    let next =
      nanos < 1_000_000_000
      ? Timestamp(epochSeconds: epochSeconds, nanos: nanos)
      : Timestamp(epochSeconds: epochSeconds + 1)
    return next ?? self
  }
}
