public import RulesLang

/// The explanation of a condition's outcome, or of a called function's: values pinned to places in the
/// source.
public struct Explanation: Sendable {
  /// The emphasis of a note.
  public enum Tone: Sendable {
    case isTrue, isFalse, value, error, skipped
  }

  /// The value of one sub-expression.
  public struct Note: Sendable {
    /// The sub-expression.
    public var expression: ExprID
    /// The character that the note hangs from.
    public var anchor: UInt32
    /// The words of the note.
    public var text: String
    /// The emphasis.
    public var tone: Tone
    /// The outcome; nil if it was not evaluated.
    public var outcome: Outcome?
  }

  /// A function of the rules file that was entered.
  public struct Call: Sendable {
    /// The function.
    public var function: FunctionID
    /// The call expression.
    public var expression: ExprID
    /// The explanation of the function's body.
    public var inside: Explanation
  }

  /// The notes, sorted by place.
  public var notes: [Note]
  /// The functions entered, in order of their calls in the source.
  public var calls: [Call]

  /// Explains a condition by the trace of its evaluation.
  ///
  /// A chain such as `request.auth.uid` is noted as a whole, and its parts only if the whole failed. Literals
  /// are not noted. A part that was not evaluated is noted once, at its top.
  public init(of condition: Body, _ trace: Trace, in rules: Checked) {
    self.init(
      of: [condition.root], activation: 0, from: ExplanationSource(rules, trace: TraceIndex(trace)))
  }

  init(of roots: [ExprID], activation: Int, from source: ExplanationSource) {
    var builder = ExplanationBuilder(source: source, activation: activation)
    for root in roots { builder.visit(root, isInsideChain: false) }
    notes = builder.notes.sorted { $0.anchor < $1.anchor }
    calls = builder.calls.sorted { $0.expression < $1.expression }
  }
}

/// The input of an explanation: the rules and the trace of an evaluation.
struct ExplanationSource {
  let rules: Checked
  let trace: TraceIndex

  init(_ rules: Checked, trace: TraceIndex) {
    self.rules = rules
    self.trace = trace
  }
}

private struct ExplanationBuilder {
  let source: ExplanationSource
  let activation: Int
  var notes: [Explanation.Note] = []
  var calls: [Explanation.Call] = []

  mutating func visit(_ outer: ExprID, isInsideChain: Bool) {
    let id = source.rules.ruleset.unparenthesized(outer)
    let node = source.rules.ruleset[id]
    if source.rules.ruleset.isConstant(id) { return }
    let place = TraceIndex.Place(expression: id, activation: activation)
    guard let outcome = source.trace.outcome(place) else {
      notes.append(
        Explanation.Note(
          expression: id, anchor: node.anchor, text: "not evaluated", tone: .skipped))
      return
    }
    if !isInsideChain { note(node, with: outcome, at: id) }
    if let entered = source.trace.activation(of: place) { enter(place, activation: entered) }
    let receiver = node.receiver
    var hasFailed = false
    if case .error(let error) = outcome { hasFailed = error.expression == id }
    for operand in node.operands {
      let isLink = operand == receiver && node.isChainLink
      visit(operand, isInsideChain: isLink && !hasFailed)
    }
  }

  private mutating func enter(_ call: TraceIndex.Place, activation entered: Int) {
    guard case .function(let id) = source.rules.binding(call.expression) else { return }
    let roots = source.rules.ruleset[id].bodies.map { $0.root }
    calls.append(
      Explanation.Call(
        function: id, expression: call.expression,
        inside: Explanation(of: roots, activation: entered, from: source)))
  }

  private mutating func note(_ node: Expression, with outcome: Outcome, at id: ExprID) {
    let text: String
    let tone: Explanation.Tone
    switch outcome {
    case .value(.bool(let flag)):
      text = flag ? "true" : "false"
      tone = flag ? .isTrue : .isFalse
    case .value(let value):
      text = ValueText.short(value)
      tone = .value
    case .error(let error):
      // An error is described where it arose; above that it is only passed on.
      text = error.expression == id ? error.reason.words ?? "unknown" : "error"
      tone = .error
    }
    notes.append(
      Explanation.Note(
        expression: id, anchor: node.anchor, text: text, tone: tone, outcome: outcome))
  }
}

extension Ruleset {
  /// True if an expression is a literal throughout, so that its value can be read off the source.
  func isConstant(_ id: ExprID) -> Bool {
    switch self[id].kind {
    case .literal: return true
    case .list(let elements): return elements.allSatisfy { isConstant($0) }
    case .map(let entries):
      return entries.allSatisfy { isConstant($0.key) && isConstant($0.value) }
    case .parenthesized(let inner), .negate(let inner): return isConstant(inner)
    case .variable, .path, .not, .binary, .isType, .conditional, .member, .index, .slice, .call,
      .method, .invalid:
      return false
    }
  }
}

extension Expression {
  /// True if the node continues a chain whose earlier links need no note of their own.
  var isChainLink: Bool {
    switch kind {
    case .member, .index, .slice: true
    case .method, .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary,
      .isType, .conditional, .call, .invalid:
      false
    }
  }

  /// The character that marks the node: the operator, the last name of a chain, otherwise the first one.
  fileprivate var anchor: UInt32 {
    switch kind {
    case .member(_, let name), .method(_, let name, _): name.range.start
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .index, .slice, .call, .invalid:
      mark.start
    }
  }
}
