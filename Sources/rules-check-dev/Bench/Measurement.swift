import RulesHost

/// The time of an operation in nanoseconds, over several runs.
struct Measurement {
  /// The median of the runs.
  var median: Double
  /// The fastest run.
  var fastest: Double
  /// The slowest run.
  var slowest: Double

  /// The number and length of measurements.
  struct Effort {
    /// The number of runs, of which the median counts.
    var runs: Int
    /// The approximate length of a run.
    var milliseconds: Int
  }

  /// Measures an operation, which `body` performs a number of times, in processor time.
  static func of(_ effort: Effort, body: (_ times: Int) -> Void) -> Measurement {
    var times = 1
    let wanted = UInt64(effort.milliseconds) * 1_000_000
    var taken = time(times, of: body)
    while taken < wanted / 8, times < 1 << 30 {
      times *= taken < wanted / 64 ? 8 : 2
      taken = time(times, of: body)
    }
    times = max(1, Int(Double(times) * Double(wanted) / Double(max(taken, 1))))
    let results = (0..<effort.runs).map { _ in Double(time(times, of: body)) / Double(times) }
      .sorted()
    return Measurement(
      median: results[results.count / 2], fastest: results[0],
      slowest: results[results.count - 1])
  }

  private static func time(_ times: Int, of body: (Int) -> Void) -> UInt64 {
    let start = Clock.computedNanoseconds
    body(times)
    return Clock.computedNanoseconds - start
  }
}
