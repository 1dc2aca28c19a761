/// What a running official emulator said to the requests of a suite.
public struct EmulatorComparison: Sendable {
  /// A request that the two decide differently.
  public struct Disagreement: Sendable {
    /// The test.
    public var name: String
    /// What we say, with the reason.
    public var ours: String
    /// What the emulator says, with its message.
    public var emulator: String

    /// A request with what either says to it.
    public init(name: String, ours: String, emulator: String) {
      self.name = name
      self.ours = ours
      self.emulator = emulator
    }
  }

  /// The number of requests that both decided.
  public var compared = 0
  /// Those that they decided differently.
  public var disagreements: [Disagreement] = []
  /// Those that one of them could not decide, with the reason.
  public var skipped: [String] = []

  /// Whether there were requests and none could be compared, so that nothing is known.
  var isIdle: Bool { compared == 0 && !skipped.isEmpty }

  /// Nothing is compared yet.
  public init() {}
}
