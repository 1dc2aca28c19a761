/// The effect of an edit on the decisions of a rules file, or the difference between two edits of it.
package enum EditEffect: Sendable {
  /// An edited text does not compile.
  case invalid
  /// All requests are proved to be decided as before.
  case nothing
  /// A request is decided differently, as confirmed by both evaluators.
  case something(DiffWitness, isLoosened: Bool)
  /// The effect is unknown, for the given reasons.
  case unknown([DiffOpenReason])
}
