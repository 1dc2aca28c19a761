package import RulesLang

/// A change of rules under which a violated claim is proved.
package struct Repair: Sendable {
  /// The rules with the change.
  package var rules: SourceText
  /// The change in a sentence.
  package var change: String
  /// The changed statements, as in the changed rules.
  package var lines: [String]
  /// The accesses that are lost, a sentence for each kind of request.
  package var takesAway: [String]
}
