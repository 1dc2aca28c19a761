/// How much is asked before the absence of models counts as a proof.
public struct Scrutiny: Sendable {
  /// Whether requests are made that nearly meet the condition, and decided (`Attack`).
  public var attacks: Bool
  /// Whether models are searched for. Without it every question looks as if it had none: a stand-in
  /// for any mistake of the compiler and the search, to test that the attack finds it.
  public var searches: Bool

  /// Asks for a search, an attack, or both.
  public init(attacks: Bool = true, searches: Bool = true) {
    self.attacks = attacks
    self.searches = searches
  }
}
