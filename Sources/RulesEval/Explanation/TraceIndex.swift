import RulesLang

/// A trace's outcomes indexed by place.
struct TraceIndex {
  /// An expression in one activation of the body that contains it.
  struct Place: Hashable {
    /// The expression, not a parenthesis.
    var expression: ExprID
    /// The activation: 0 is the condition itself, every call of a function is a further one.
    var activation: Int
  }

  private var outcomes: [Place: Outcome] = [:]
  private var entered: [Place: Int] = [:]
  private var callers: [Int: Place] = [:]

  /// Indexes the events of a trace.
  init(_ trace: Trace) {
    for event in trace.events {
      let place = Place(expression: event.expression, activation: event.activation)
      outcomes[place] = event.outcome
    }
    for call in trace.calls {
      let place = Place(expression: call.expression, activation: call.caller)
      entered[place] = call.activation
      callers[call.activation] = place
    }
  }

  /// Returns the outcome of an expression; nil if it was not evaluated.
  func outcome(_ place: Place) -> Outcome? { outcomes[place] }

  /// Returns the activation that a call has entered.
  func activation(of call: Place) -> Int? { entered[call] }

  /// Returns the call of an activation; nil for the condition itself.
  func caller(of activation: Int) -> Place? { callers[activation] }
}
