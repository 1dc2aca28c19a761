public import RulesLang

/// Why a condition came out as it did: values pinned to places in the source.
public struct Explanation: Sendable {
  /// How a note is to be shown.
  public enum Tone: Sendable {
    case isTrue, isFalse, value, error, skipped
  }

  /// The value of one sub-expression.
  public struct Note: Sendable {
    /// The character that the note hangs from.
    public var anchor: UInt32
    /// What to say.
    public var text: String
    /// How to show it.
    public var tone: Tone
  }

  /// The notes, sorted by place.
  public var notes: [Note]

  /// Explains a condition by the trace of its evaluation.
  ///
  /// Of a chain such as `request.auth.uid` only the whole is noted, and its parts where the whole
  /// failed; literals are not noted; a part that was not evaluated is noted once, at its top.
  public init(of condition: Body, _ trace: Trace, in rules: Ruleset) {
    var outcomes: [ExprID: Outcome] = [:]
    for event in trace.events where event.activation == 0 {
      outcomes[event.expression] = event.outcome
    }
    var builder = Builder(rules: rules, outcomes: outcomes)
    builder.visit(condition.root, isInsideChain: false)
    notes = builder.notes.sorted { $0.anchor < $1.anchor }
  }

  private struct Builder {
    let rules: Ruleset
    let outcomes: [ExprID: Outcome]
    var notes: [Note] = []

    mutating func visit(_ id: ExprID, isInsideChain: Bool) {
      let id = rules.unparenthesized(id)
      let node = rules[id]
      if isConstant(id) { return }
      guard let outcome = outcomes[id] else {
        return add(node.anchor, "not evaluated", .skipped)
      }
      if !isInsideChain { note(node, outcome, id) }
      let receiver = node.receiver
      var hasFailed = false
      if case .error(let error) = outcome { hasFailed = error.expression == id }
      var operands: [ExprID] = []
      node.forEachOperand { operands.append($0) }
      for operand in operands {
        let isLink = operand == receiver && node.isChainLink
        visit(operand, isInsideChain: isLink && !hasFailed)
      }
    }

    /// Whether the node is written out in full, so that its value can be read off the source.
    private func isConstant(_ id: ExprID) -> Bool {
      switch rules[id].kind {
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

    private mutating func note(_ node: Expression, _ outcome: Outcome, _ id: ExprID) {
      switch outcome {
      case .value(.bool(let flag)):
        add(node.anchor, flag ? "true" : "false", flag ? .isTrue : .isFalse)
      case .value(let value): add(node.anchor, ValueText.short(value), .value)
      case .error(let error):
        // An error is told where it arose; above that it is only passed on.
        let text = error.expression == id ? error.reason.message ?? "unknown" : "error"
        add(node.anchor, text, .error)
      }
    }

    private mutating func add(_ anchor: UInt32, _ text: String, _ tone: Tone) {
      notes.append(Note(anchor: anchor, text: text, tone: tone))
    }
  }
}

extension Expression {
  /// Whether the node continues a chain whose earlier links need no note of their own.
  fileprivate var isChainLink: Bool {
    switch kind {
    case .member, .index, .slice: true
    case .method, .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary,
      .isType, .conditional, .call, .invalid:
      false
    }
  }

  /// The character that stands for the node: the operator, the last name of a chain, else the first.
  fileprivate var anchor: UInt32 {
    switch kind {
    case .member(_, let name), .method(_, let name, _): name.range.start
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .index, .slice, .call, .invalid:
      mark.start
    }
  }
}
