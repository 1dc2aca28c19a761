/// What a change to the text does to what is allowed.
package enum EditEffect: Sendable {
  /// The text does not compile any more.
  case invalid
  /// All requests are decided as before; proved.
  case nothing
  /// A request is decided otherwise; both evaluators have decided it.
  case something(DiffWitness, isLoosened: Bool)
  /// It is not known, and why.
  case unknown([DiffDoubt])
}
