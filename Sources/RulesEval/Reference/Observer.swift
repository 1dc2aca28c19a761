package import RulesLang

/// Watches an evaluation, by the reference or by the machine: for traces and coverage.
///
/// An activation is one evaluation of a condition or of a function's body; the condition is
/// activation 0 of its evaluation, and each call of a function of the rules file is a further one.
package protocol Observer {
  /// A function of the rules file is being entered from a call expression.
  mutating func enter(_ activation: Int, from call: ExprID, in caller: Int)
  /// An expression has an outcome.
  mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int)
}

/// Watches nothing.
package struct NoObserver: Observer {
  /// Makes it.
  package init() {}
  /// Does nothing.
  package mutating func enter(_ activation: Int, from call: ExprID, in caller: Int) {}
  /// Does nothing.
  package mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int) {}
}

/// Remembers the outcome of every expression of one condition.
package struct Trace: Observer, Sendable {
  /// The outcome of an expression in an activation.
  package struct Event: Sendable {
    /// The expression.
    package var expression: ExprID
    /// What it gave.
    package var outcome: Outcome
    /// The activation that it was evaluated in.
    package var activation: Int
  }

  /// A call of a function of the rules file.
  package struct Call: Sendable {
    /// The activation of the function's body.
    package var activation: Int
    /// The call expression.
    package var expression: ExprID
    /// The activation that the call stands in.
    package var caller: Int
  }

  /// The outcomes in the order in which they were known: operands before what uses them.
  package private(set) var events: [Event] = []
  /// The calls, in order.
  package private(set) var calls: [Call] = []

  /// Makes an empty trace.
  package init() {}

  /// Records the call.
  package mutating func enter(_ activation: Int, from call: ExprID, in caller: Int) {
    calls.append(Call(activation: activation, expression: call, caller: caller))
  }

  /// Records the outcome.
  package mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int) {
    events.append(Event(expression: expression, outcome: outcome, activation: activation))
  }
}
