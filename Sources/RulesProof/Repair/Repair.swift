public import RulesLang

/// A change of rules under which a claim is proved that does not hold of them.
public struct Repair: Sendable {
  /// The rules with the change.
  public var rules: SourceText
  /// The change in a sentence.
  public var change: String
  /// The statements that it is about, as the changed rules have them.
  public var lines: [String]
  /// What it takes away, a sentence for each kind of requests that is no longer allowed.
  public var takesAway: [String]
}
