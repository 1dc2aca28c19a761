// The one way to change rules. A version of rules is the checked tree with an overlay, a set of edits:
// `Checked.changed(by:)` makes it, and evaluator, encoder and comparison read it like any other rules. Text
// is only patched to be printed (`Sources/RulesProof/Patch`), and is read and compared again before that.

/// A change of the syntax tree of checked rules.
public enum RulesEdit: Hashable, Sendable {
  /// Replaces an expression by a constant.
  case constant(ExprID, Bool)
  /// Replaces `question ? answer : answer` by one of its answers.
  case branch(ExprID, keepsFirst: Bool)
  /// Replaces a statement's condition by a constant; `false` disables the statement.
  case condition(AllowID, Bool)
  /// Removes a statement's condition.
  case unconditional(AllowID)
  /// Replaces the methods of a statement.
  case methods(AllowID, MethodSet)
  /// Rewrites an expression.
  case rewritten(ExprID, Rewriting)
  /// Replaces a whole expression by a formula over expressions of its function or statement.
  case replaced(BodyPlace, Formula)

  /// The edited part of a condition or function; nil for edits of a whole condition or function.
  var expression: ExprID? {
    switch self {
    case .constant(let id, _), .branch(let id, _), .rewritten(let id, _): id
    case .condition, .unconditional, .methods, .replaced: nil
    }
  }
}

/// The replacement of an expression.
public enum Rewriting: Hashable, Sendable {
  /// An operand of the expression.
  case operand(ExprID)
  /// The operation with another operator of the same kind. `&&` and `||` are regrouped by precedence with the
  /// operators beside them, as in a changed text.
  case symbol(BinaryOperator)
  /// An integer.
  case int(Int64)
  /// A call of another method.
  case method(Text)
  /// The list literal without the element at an index.
  case without(Int)
  /// `resource` for `request.resource`, or the other way round.
  case otherResource
  /// `a ? true : b && true` for `a || b`: an error of `a` is not absorbed.
  case strict
}

/// A formula over expressions of the rules.
public indirect enum Formula: Hashable, Sendable {
  /// An expression.
  case expression(ExprID)
  /// A constant.
  case constant(Bool)
  /// A negation.
  case not(Formula)
  /// A conjunction, from left to right.
  case and(Formula, Formula)
  /// A disjunction, from left to right.
  case or(Formula, Formula)

  /// Returns the conjunction of formulas, from left to right; true if there are none.
  public static func all(_ parts: [Formula]) -> Formula {
    guard let first = parts.first else { return .constant(true) }
    return parts.dropFirst().reduce(first) { .and($0, $1) }
  }
}

/// The edits that make a version of rules, none of them inside a part that another one replaces.
public struct Overlay: Hashable, Sendable {
  /// The edits.
  public let edits: Set<RulesEdit>

  /// An overlay without edits.
  public static let none = Overlay([])

  /// Takes edits of which none lies inside another one and no two replace the same part.
  public init(_ edits: Set<RulesEdit>) { self.edits = edits }

  /// Combines edits. Of two that replace the same part the first one counts; edits inside a part that
  /// another one replaces are dropped.
  public init(_ edits: [RulesEdit], of ruleset: Ruleset) {
    var replaced: [AllowID: RulesEdit] = [:]
    var kept: [RulesEdit] = []
    for edit in edits {
      switch edit {
      case .condition(let allow, _), .unconditional(let allow):
        if replaced[allow] == nil { replaced[allow] = edit }
      case .constant, .branch, .methods, .rewritten, .replaced:
        if !kept.contains(edit) { kept.append(edit) }
      }
    }
    let inner = kept.filter { $0.expression != nil }
    self.edits = Set(replaced.values).union(
      kept.enumerated().filter { place, edit in
        guard let id = edit.expression else { return true }
        return !replaced.keys.contains { allow in
          ruleset[allow].condition.map { $0.first <= id && id <= $0.root } ?? false
        } && !inner.contains { $0 != edit && ruleset.takesOut(id, by: $0) }
      }.map { $0.element })
  }

  /// Returns this overlay with another one on top of it.
  public func with(_ other: Overlay, of ruleset: Ruleset) -> Overlay {
    other.edits.isEmpty ? self : Overlay(Array(edits) + Array(other.edits), of: ruleset)
  }
}

extension Ruleset {
  /// True if an edit takes out an expression or a part that it belongs to.
  fileprivate func takesOut(_ id: ExprID, by edit: RulesEdit) -> Bool {
    switch edit {
    case .constant(let whole, _): return whole != id && isPart(id, of: whole)
    case .branch(let whole, let keepsFirst):
      guard case .conditional(let question, let one, let other) = self[whole].kind else {
        return false
      }
      return isPart(id, of: question) || isPart(id, of: keepsFirst ? other : one)
    case .condition, .unconditional, .methods, .rewritten, .replaced: return false
    }
  }

  private func isPart(_ id: ExprID, of whole: ExprID) -> Bool {
    let (inner, outer) = (self[id].range, self[whole].range)
    return outer.start <= inner.start && inner.end <= outer.end
  }
}

extension Checked {
  /// Returns the rules with an overlay; nil if an expression is then nested deeper than rules may be.
  ///
  /// Expressions keep their IDs and their source ranges, in the old text, except for those of rewritten
  /// bodies, which are copied to the end of the tree. The result equals the checked rules of a changed text,
  /// except that warnings are missing and types are those of the old text.
  public func changed(by overlay: Overlay) -> Checked? {
    var tree = EditedTree(self)
    var bodies: [BodyPlace: [(ExprID, Rewriting)]] = [:]
    var places: [BodyPlace] = []
    for edit in overlay.edits.sorted(by: { $0.order < $1.order }) {
      guard case .rewritten(let id, let rewriting) = edit else {
        tree.apply(edit)
        continue
      }
      guard let place = ruleset.place(of: id) else { continue }
      if bodies[place] == nil { places.append(place) }
      bodies[place, default: []].append((id, rewriting))
    }
    for place in places {
      let new = BodyCopy(of: tree, at: place).made(bodies[place] ?? [], in: self)
      tree.replace(tree.ruleset.body(at: place), at: place, by: new)
    }
    // Only copies can be nested deeper than the parts that they were made of.
    let added = NestingCheck.run(tree.ruleset, after: ruleset.expressions.count)
    return added.isEmpty ? tree.checked(self) : nil
  }
}

extension RulesEdit {
  /// The position among the edits of an overlay, so that a version has the same numbers in each run.
  fileprivate var order: (Int, Int, Int) {
    switch self {
    case .constant(let id, _): (0, id.index, 0)
    case .branch(let id, _): (1, id.index, 0)
    case .condition(let allow, _): (2, allow.index, 0)
    case .unconditional(let allow): (3, allow.index, 0)
    case .methods(let allow, _): (4, allow.index, 0)
    case .rewritten(let id, _): (5, id.index, 0)
    case .replaced(.condition(let allow), _): (6, allow.index, 0)
    case .replaced(.binding(let function, let place), _): (7, function.index, place)
    case .replaced(.result(let function), _): (8, function.index, 0)
    }
  }
}
