import RulesEncoding
import RulesEval
import RulesLang

// A condition in disjunctive form. The later request decides which parts on itself hold in each
// alternative.
//
// Sound: a condition is true exactly if all parts of some alternative are. A later request leaves a
// subset of the alternatives; those without parts on the request, together T, are in each subset.
// If no step makes T true, nor T or S for the state part S of any other alternative, then no step
// makes T or any set of these true: if all are false, each stays false.
//
// A string of the later request inside a path becomes a variable, although the request may lack it.
// Then the lookup fails, so the alternative depends on the request, too. Where an error need not
// fail the whole, it is not followed.

/// An alternative of a condition, as far as stored data and client decide it.
struct StateAlternative: Equatable {
  /// The condition on stored data and client; nil for none.
  var text: String?
  /// True if the later request must satisfy something, too.
  var asksOfRequest = false
  /// A part that compares the later request with stored data; the part or the effect of its change
  /// is left out.
  var mixed: SourceRange?

  /// True if stored data and client alone decide.
  var isPure: Bool { !asksOfRequest && mixed == nil }

  /// Returns the conjunction of two alternatives.
  fileprivate func joined(with other: StateAlternative) -> StateAlternative {
    let texts = [text, other.text].compactMap { $0 }
    return StateAlternative(
      text: texts.count == 2 ? "(\(texts[0]) && \(texts[1]))" : texts.first,
      asksOfRequest: asksOfRequest || other.asksOfRequest, mixed: mixed ?? other.mixed)
  }
}

extension StateText {
  /// Returns the alternatives of a condition on the claim's variables. All alternatives without
  /// parts on the request are merged into one, which comes first.
  mutating func alternatives(
    of condition: ExprID
  ) throws(StateObstacle) -> [StateAlternative] {
    try alternatives(condition, in: StateFrame(path.variables.map { .variable($0) }))
  }

  /// Returns the parts of which a condition is composed by `&&` and `||` only.
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

  /// Returns the alternatives of a condition in a frame.
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

  /// Returns a part of a condition that only counts if it is true.
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
        // A part that does not read stored data only concerns the later request.
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

  /// Merges alternatives without parts on the request and removes duplicates.
  private func limited(
    _ all: [StateAlternative], at id: ExprID
  ) throws(StateObstacle) -> [StateAlternative] {
    let pure = all.filter { $0.isPure }
    var found: [StateAlternative] = []
    // An empty condition is true of everybody.
    if pure.contains(where: { $0.text == nil }) {
      found = [StateAlternative()]
    } else if let first = pure.first?.text {
      found = [
        StateAlternative(
          text: pure.dropFirst().reduce(first) { "(\($0) || \($1.text ?? "true"))" })
      ]
    }
    for one in all where !one.isPure && !found.contains(one) { found.append(one) }
    if found.count <= Strategy.alternatives { return found }
    throw .other(
      OpenReason(
        "a condition with too many alternatives that depend on the later request is not "
          + "analysed across requests", at: rules.ruleset[id].range))
  }
}
