import RulesLang

/// The outcomes of one condition by place: what a trace lists, ready to be asked.
struct TraceIndex {
  /// An expression in one run of the body that it stands in.
  struct Place: Hashable {
    /// The expression, not a parenthesis.
    var expression: ExprID
    /// The run: 0 is the condition itself, every call of a function is a further one.
    var activation: Int
  }

  private var outcomes: [Place: Outcome] = [:]
  private var entered: [Place: Int] = [:]
  private var callers: [Int: Place] = [:]

  /// Sorts the events of a trace.
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

  /// What came of an expression; nil if it was not evaluated.
  func outcome(_ place: Place) -> Outcome? { outcomes[place] }

  /// The run of the function that a call has entered.
  func activation(of call: Place) -> Int? { entered[call] }

  /// The call that a run belongs to; nil for the condition itself.
  func caller(of activation: Int) -> Place? { callers[activation] }
}
