import RulesHost

/// How long something takes: nanoseconds for one time, over several runs.
struct Measurement {
  /// The run in the middle.
  var median: Double
  /// The fastest run.
  var fastest: Double
  /// The slowest run.
  var slowest: Double

  /// How often and how long to measure.
  struct Effort {
    /// The number of runs, of which the median counts.
    var runs: Int
    /// How long a run takes, about.
    var milliseconds: Int
  }

  /// Measures something that `body` does a number of times; the time is that of the processor.
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
