package import RulesLang

/// A change of rules under which a claim is proved that does not hold of them.
package struct Repair: Sendable {
  /// The rules with the change.
  package var rules: SourceText
  /// The change in a sentence.
  package var change: String
  /// The statements that it is about, as the changed rules have them.
  package var lines: [String]
  /// What it takes away, a sentence for each kind of requests that is no longer allowed.
  package var takesAway: [String]
}
