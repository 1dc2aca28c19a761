package import RulesEval

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The wall clock and the monotonic clock.
package enum Clock {
  /// The current time to the millisecond, like the emulator's `request.time`.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    return Timestamp(milliseconds: milliseconds) ?? .epoch
  }

  /// The current time to the nanosecond, if the system has that.
  package static var moment: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(epochSeconds: Int64(time.tv_sec), nanos: Int64(time.tv_nsec)) ?? .epoch
  }

  /// The nanoseconds since a fixed moment.
  package static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The CPU nanoseconds of this thread.
  package static var computedNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
