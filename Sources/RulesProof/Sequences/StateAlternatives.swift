import RulesEncoding
import RulesEval
import RulesLang

// A condition as alternatives, of each of which the later request decides whether its own parts hold.
//
// Sound: a condition is true exactly if all parts of one alternative are. Which alternatives a later
// request leaves is one of their subsets; those without parts on the request, together T, are in each of
// them. If no step makes T true, nor T or S for what any one of the others, S, asks of the state, then none
// makes T or any number of them true: where all are false, each of these is, and stays so.
//
// A text of the later request inside a path is a variable, though the request may have no such text. Then
// what looks the path up fails, so the request has a part in it, too. Where an error need not fail the
// whole, it is not followed.

/// A way for a condition to be true, as far as what is stored and the client decide.
struct StateAlternative: Equatable {
  /// What they must satisfy; nil if it is nothing.
  var text: String?
  /// Whether the later request must do something, too.
  var asksOfRequest = false
  /// A part that compares the later request with what is stored: it is left out, or what its change
  /// means is.
  var mixed: SourceRange?

  /// Whether what is stored and the client decide alone.
  var isPure: Bool { !asksOfRequest && mixed == nil }

  /// Both at once.
  fileprivate func joined(with other: StateAlternative) -> StateAlternative {
    let texts = [text, other.text].compactMap { $0 }
    return StateAlternative(
      text: texts.count == 2 ? "(\(texts[0]) && \(texts[1]))" : texts.first,
      asksOfRequest: asksOfRequest || other.asksOfRequest, mixed: mixed ?? other.mixed)
  }
}

extension StateText {
  /// So many alternatives are told apart; each junction writes what is around it once more for every one of
  /// them.
  private static let greatestAlternatives = 8

  /// Takes a condition apart in which the claim's variables are parameters, or captures alone. All that
  /// the request has no part in is one alternative, which comes first.
  mutating func alternatives(
    of condition: ExprID
  ) throws(StateObstacle) -> [StateAlternative] {
    try alternatives(condition, in: StateFrame(path.variables.map { .variable($0) }))
  }

  /// The parts that a condition is made of by `&&` and `||` alone: it is true or not as they are.
  mutating func parts(
    of condition: ExprID
  ) throws(StateObstacle) -> [(id: ExprID, frame: StateFrame)] {
    try parts(condition, in: StateFrame(path.variables.map { .variable($0) }))
  }

  private mutating func parts(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> [(id: ExprID, frame: StateFrame)] {
    let (id, frame) = resolved(id, in: frame)
    try pay(id)
    if case .binary(let op, let left, let right) = rules.ruleset[id].kind,
      op == .and || op == .or
    {
      return try parts(left, in: frame) + (try parts(right, in: frame))
    }
    if let (body, inner) = opened(id, in: frame) { return try parts(body, in: inner) }
    return [(id, frame)]
  }

  /// Takes a condition apart whose names stand for what the frame says.
  mutating func alternatives(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> [StateAlternative] {
    let (id, frame) = resolved(id, in: frame)
    if case .binary(let op, let left, let right) = rules.ruleset[id].kind,
      op == .and || op == .or
    {
      let one = try alternatives(left, in: frame)
      let other = try alternatives(right, in: frame)
      if op == .or { return try limited(one + other, at: id) }
      return try limited(
        one.flatMap { part in other.map { part.joined(with: $0) } }, at: id)
    }
    if let (body, inner) = opened(id, in: frame) {
      try pay(id)
      return try alternatives(body, in: inner)
    }
    return [try part(id, in: frame)]
  }

  /// A part of a condition that counts only if it is true.
  private mutating func part(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> StateAlternative {
    let known = (documents, isAboutOwn, requestTexts)
    let before = uses
    leftOut = nil
    do throws(StateObstacle) {
      isWholePart = true
      defer { isWholePart = false }
      let text = try text(id, in: frame)
      let hasLater = uses.later > before.later
      if let leftOut {
        // A part that asks of nothing stored is the later request's alone.
        guard speaksOfState(id, in: frame, depth: 0) else {
          return StateAlternative(text: nil, asksOfRequest: true)
        }
        return StateAlternative(text: text, asksOfRequest: hasLater, mixed: leftOut)
      }
      if hasLater, uses.lazy > before.lazy { throw .request(rules.ruleset[id].range) }
      return StateAlternative(text: text, asksOfRequest: hasLater)
    } catch {
      if let token = tokenPart(id, in: frame) {
        return StateAlternative(text: token)
      }
      guard case .request(let range) = error else { throw error }
      let isMixed = speaksOfState(id, in: frame, depth: 0)
      if isMixed, !leavesOut { throw error }
      (documents, isAboutOwn, requestTexts) = known
      return StateAlternative(
        text: nil, asksOfRequest: !isMixed, mixed: isMixed ? range : nil)
    }
  }

  /// The same with what is alike told once.
  private func limited(
    _ all: [StateAlternative], at id: ExprID
  ) throws(StateObstacle) -> [StateAlternative] {
    let pure = all.filter { $0.isPure }
    var found: [StateAlternative] = []
    // Nothing asked is true of everybody.
    if pure.contains(where: { $0.text == nil }) {
      found = [StateAlternative()]
    } else if let first = pure.first?.text {
      found = [
        StateAlternative(
          text: pure.dropFirst().reduce(first) { "(\($0) || \($1.text ?? "true"))" })
      ]
    }
    for one in all where !one.isPure && !found.contains(one) { found.append(one) }
    if found.count <= Self.greatestAlternatives { return found }
    throw .other(
      Doubt(
        "a condition with so many alternatives that the later request decides between is not "
          + "followed over several requests", at: rules.ruleset[id].range))
  }
}
