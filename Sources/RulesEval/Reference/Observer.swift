public import RulesLang

/// An observer of an evaluation by the reference or the machine, for traces and coverage.
///
/// An activation is one evaluation of a condition or of a function's body; the condition is activation 0 of
/// its evaluation, and each call of a function of the rules file is a further one.
public protocol Observer {
  /// Records that a call expression enters a function of the rules file.
  mutating func enter(_ activation: Int, from call: ExprID, in caller: Int)
  /// Records the outcome of an expression.
  mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int)
}

/// An observer that does nothing.
public struct NoObserver: Observer {
  /// Creates an observer.
  public init() {}
  /// Does nothing.
  public mutating func enter(_ activation: Int, from call: ExprID, in caller: Int) {}
  /// Does nothing.
  public mutating func evaluated(_ expression: ExprID, as outcome: Outcome, in activation: Int) {}
}

/// An observer that records the outcome of every expression of one condition.
public struct Trace: Observer, Sendable {
  /// The outcome of an expression in an activation.
  public struct Event: Sendable {
    /// The expression.
    public var expression: ExprID
    /// The outcome.
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
    /// The activation that contains the call.
    public var caller: Int
  }

  /// The outcomes in order of evaluation: operands before the expressions that use them.
  public private(set) var events: [Event] = []
  /// The calls, in order.
  public private(set) var calls: [Call] = []

  /// Creates an empty trace.
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
