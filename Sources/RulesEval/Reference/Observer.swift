public import RulesLang

/// Watches an evaluation, by the reference or by the machine: for traces and coverage.
///
/// An activation is one evaluation of a condition or of a function's body; the condition is
/// activation 0 of its evaluation, and each call of a function of the rules file is a further one.
public protocol Observer {
  /// A function of the rules file is being entered from a call expression.
  mutating func enter(_ activation: Int, from call: ExprID, in caller: Int)
  /// An expression has an outcome.
  mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int)
}

/// Watches nothing.
public struct NoObserver: Observer {
  /// Makes it.
  public init() {}
  /// Does nothing.
  public mutating func enter(_ activation: Int, from call: ExprID, in caller: Int) {}
  /// Does nothing.
  public mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int) {}
}

/// Remembers the outcome of every expression of one condition.
public struct Trace: Observer, Sendable {
  /// The outcome of an expression in an activation.
  public struct Event: Sendable {
    /// The expression.
    public var expression: ExprID
    /// What it gave.
    public var outcome: Outcome
    /// The activation that it was evaluated in.
    public var activation: Int
  }

  /// A call of a function of the rules file.
  public struct Call: Sendable {
    /// The activation of the function's body.
    public var activation: Int
    /// The call expression.
    public var expression: ExprID
    /// The activation that the call stands in.
    public var caller: Int
  }

  /// The outcomes in the order in which they were known: operands before what uses them.
  public private(set) var events: [Event] = []
  /// The calls, in order.
  public private(set) var calls: [Call] = []

  /// Makes an empty trace.
  public init() {}

  /// Records the call.
  public mutating func enter(_ activation: Int, from call: ExprID, in caller: Int) {
    calls.append(Call(activation: activation, expression: call, caller: caller))
  }

  /// Records the outcome.
  public mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int) {
    events.append(Event(expression: expression, outcome: outcome, activation: activation))
  }
}
