import RulesEval

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's clock, for requests that set no time.
enum SystemClock {
  /// The current time to the second.
  static var now: Timestamp { Timestamp(epochSeconds: Int64(time(nil))) ?? .epoch }
}
