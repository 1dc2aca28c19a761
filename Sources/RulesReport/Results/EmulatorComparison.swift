/// What a running official emulator said to the requests of a suite.
package struct EmulatorComparison: Sendable {
  /// A request that the two decide differently.
  package struct Disagreement: Sendable {
    /// The test.
    package var name: String
    /// What we say, with the reason.
    package var ours: String
    /// What the emulator says, with its message.
    package var emulator: String

    /// A request with what either says to it.
    package init(name: String, ours: String, emulator: String) {
      self.name = name
      self.ours = ours
      self.emulator = emulator
    }
  }

  /// The number of requests that both decided.
  package var compared = 0
  /// Those that they decided differently.
  package var disagreements: [Disagreement] = []
  /// Those that one of them could not decide, with the reason.
  package var skipped: [String] = []

  /// Whether there were requests and none could be compared, so that nothing is known.
  package var isIdle: Bool { compared == 0 && !skipped.isEmpty }

  /// Nothing is compared yet.
  package init() {}
}
