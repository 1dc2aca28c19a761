import RulesEval
import RulesHost

/// Compares sequences of calls on the official emulator and on ours, message by message.
struct CallCampaign {
  private let official: CallComparison.Official
  private let seed: UInt64
  /// The number of used projects. Each is used once, because forgotten transactions keep their locks.
  private var projects = 0
  private let run: UInt64
  private var worlds = 0
  private var kinds: [String: Int] = [:]
  private var outcomes: [String: Int] = [:]
  private var allowed: [CallAllowance: Int] = [:]
  private var differences: [String: Int] = [:]
  private var passing: [UInt64] = []

  /// Milliseconds without a message after which listeners are assumed to have sent everything. Of 7,475 gaps
  /// between the messages of the official emulator about 300 commits, with a load of 15 on two processors,
  /// half were below 0.06 ms and nine tenths below 0.9; 339 were longer than this. A world that differs
  /// because of such a gap is played again.
  private static let quiet = 8
  /// Milliseconds without a message when a world with a difference is played again; 37 of these gaps were
  /// longer.
  private static let longQuiet = 80
  /// Maximum kinds of differences that are minimised, as many as a reader goes through; others are counted.
  private static let mostShrunk = 30

  /// Creates a campaign whose worlds have the seeds from `seed` on.
  init(with official: CallComparison.Official, seed: UInt64) {
    self.official = official
    self.seed = seed
    run = Clock.nanoseconds >> 10 & 0xFFFF_FFFF
  }

  /// The number of calls that were compared.
  var compared: Int { kinds.values.reduce(0, +) }

  /// True if calls were compared and only accepted differences were found.
  var isGood: Bool { compared > 0 && differences.isEmpty && passing.isEmpty }

  /// Plays worlds until `wanted` calls were compared, at least one.
  ///
  /// - Parameter report: Takes the text of each kind of difference.
  mutating func run(
    _ wanted: Int, report: (String) -> Void
  ) throws(EmulatorClient.Problem) {
    repeat {
      let world = CallWorld(seed: seed &+ UInt64(worlds))
      worlds += 1
      let comparison = try play(world, quiet: Self.quiet)
      kinds.merge(comparison.kinds, uniquingKeysWith: +)
      outcomes.merge(comparison.outcomes, uniquingKeysWith: +)
      allowed.merge(comparison.allowed, uniquingKeysWith: +)
      guard let first = comparison.difference else { continue }
      var cut = world
      cut.steps = Array(world.steps.prefix(first.place + 1))
      guard let again = try play(cut, quiet: Self.longQuiet).difference else {
        passing.append(world.seed)
        continue
      }
      differences[again.kind, default: 0] += 1
      if differences[again.kind] == 1, differences.count <= Self.mostShrunk {
        report(try shrink(cut, again))
      }
    } while compared < wanted
  }

  private mutating func play(
    _ world: CallWorld, quiet: Int
  ) throws(EmulatorClient.Problem) -> CallComparison {
    projects += 1
    return try CallComparison(
      world, with: official, project: "calls-\(run)-\(projects)", quiet: quiet)
  }

  /// Removes calls, in halves and smaller parts, as long as the kind of difference stays.
  private mutating func shrink(
    _ world: CallWorld, _ found: CallComparison.Difference
  ) throws(EmulatorClient.Problem) -> String {
    var (best, last) = (world, found)
    best.steps = Array(world.steps.prefix(found.place + 1))
    var size = best.steps.count / 2
    while size > 0 {
      var start = 0
      while start < best.steps.count - 1 {
        var fewer = best
        fewer.steps.removeSubrange(start..<min(start + size, best.steps.count - 1))
        if let difference = try play(fewer, quiet: Self.longQuiet).difference,
          difference.kind == found.kind
        {
          fewer.steps = Array(fewer.steps.prefix(difference.place + 1))
          (best, last) = (fewer, difference)
        } else {
          start += size
        }
      }
      size /= 2
    }
    return text(of: last, in: best)
  }

  private func text(of difference: CallComparison.Difference, in world: CallWorld) -> String {
    let lines =
      ["", "world of --seed \(world.seed) --calls 1: \(difference.kind)", world.rules]
      + difference.requests.map { "  " + $0 } + difference.official.lines.map { "official " + $0 }
      + difference.ours.lines.map { "ours     " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The results as text.
  var summary: String {
    var lines = ["\(compared) calls in \(worlds) worlds: " + Self.list(kinds)]
    lines.append("answers: " + Self.list(outcomes))
    for allowance in CallAllowance.allCases {
      lines.append("\(allowed[allowance] ?? 0) differ on purpose: \(allowance.rawValue)")
    }
    for (kind, count) in differences.sorted(by: { $0.key < $1.key }) {
      lines.append("\(count) DIFFER: \(kind)")
    }
    for seed in passing { lines.append("DIFFERED ONCE, and not again: world of --seed \(seed)") }
    let count = differences.values.reduce(0, +) + passing.count
    lines.append(count == 0 ? "no other difference" : "\(count) worlds differ")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }
}
