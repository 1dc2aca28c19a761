/// The comparison of a suite's decisions with a running official emulator.
package struct EmulatorComparison: Sendable {
  /// A request that both decide differently.
  package struct Disagreement: Sendable {
    /// The test.
    package var name: String
    /// Our decision, with the reason.
    package var ours: String
    /// The emulator's decision, with its message.
    package var emulator: String

    /// Creates a disagreement.
    package init(name: String, ours: String, emulator: String) {
      self.name = name
      self.ours = ours
      self.emulator = emulator
    }
  }

  /// The number of requests that both decided.
  package var compared = 0
  /// The requests that they decided differently.
  package var disagreements: [Disagreement] = []
  /// The requests that one of them could not decide, with the reason.
  package var skipped: [String] = []

  /// True if there were requests and none could be compared.
  package var isIdle: Bool { compared == 0 && !skipped.isEmpty }

  /// Creates an empty comparison.
  package init() {}
}
