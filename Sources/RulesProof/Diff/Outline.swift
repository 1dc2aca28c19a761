import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// The logical outline of conditions: conjunctions and disjunctions over the comparisons and calls as
// written. Functions and `let` names are expanded, and a negation swaps which outcome is wanted below
// it, so no node is a negation. The truth of these nodes in a model explains, in words of the rules,
// why a request is granted or refused.

/// The scope of an expression: the values of its names.
final class OutlineScope {
  /// An argument or the value of a `let`: an expression of another scope.
  struct Local {
    var id: ExprID
    var scope: OutlineScope
  }

  /// The values of the names as encoded.
  let frame: SymbolicFrame
  /// The source expressions that parameters and lets stand for.
  let locals: [Local]

  init(_ frame: SymbolicFrame, locals: [Local]) {
    self.frame = frame
    self.locals = locals
  }
}

/// The outlines of the conditions of one rules file for one request class.
final class Outline {
  /// A node of an outline.
  struct Node {
    /// The proposition "the node holds".
    var ref: Ref
    /// The structure of the node.
    var form: Form
  }

  /// The structure of a node.
  enum Form {
    /// An expression with the outcome that is wanted.
    case leaf(Leaf)
    /// The path matches a block.
    case place(MatchID)
    /// All of these nodes hold.
    case all([Int])
    /// One of these nodes holds.
    case any([Int])
    /// A statement that grants the same in both files grants the request.
    case common
  }

  /// An expression that is not expanded further.
  struct Leaf {
    var id: ExprID
    var scope: OutlineScope
    /// True if the expression is to be true; false if it is to be false.
    var isTrue: Bool
  }

  /// The compiler that makes the propositions.
  let compiler: Compiler
  private(set) var nodes: [Node] = []
  private var opened: [OpenedKey: Int] = [:]
  /// The nodes by expression, scope and wanted outcome: an expression that is used twice, such as the
  /// question of `? :`, has one node.
  private var joined: [JoinedKey: Int] = [:]
  /// The scopes of `joined`, kept alive so that no other scope gets their identifiers.
  private var scopes: [OutlineScope] = []

  /// The key of an expanded function body, or of an expression that a name stands for.
  private struct OpenedKey: Hashable {
    var id: ExprID
    var frame: SymbolicFrame
    var isTrue: Bool
  }

  private struct JoinedKey: Hashable {
    var id: ExprID
    var scope: ObjectIdentifier
    var isTrue: Bool
  }

  init(_ compiler: Compiler) { self.compiler = compiler }

  /// Adds the outline of "the statement grants".
  func add(_ statement: Compiler.Statement) -> Int {
    let allow = compiler.rules.ruleset[statement.allow]
    let place = add(statement.applies, as: .place(allow.match))
    guard let condition = allow.condition else { return place }
    let scope = OutlineScope(statement.frame, locals: [])
    return all([place, add(condition.root, isTrue: true, in: scope)])
  }

  /// Adds the outline of "one of these holds".
  func any(_ parts: [Int]) -> Int {
    let ref = compiler.problem.graph.or(parts.map { nodes[$0].ref })
    return add(ref, as: .any(parts))
  }

  /// Adds the outline of "a statement that grants the same in both files allows the request", whose
  /// proposition the caller supplies.
  func common(_ ref: Ref) -> Int { add(ref, as: .common) }

  private func all(_ parts: [Int]) -> Int {
    let ref = compiler.problem.graph.and(parts.map { nodes[$0].ref })
    return add(ref, as: .all(parts))
  }

  private func add(_ ref: Ref, as form: Form) -> Int {
    nodes.append(Node(ref: ref, form: form))
    return nodes.count - 1
  }

  private func add(_ id: ExprID, isTrue: Bool, in scope: OutlineScope) -> Int {
    let id = compiler.rules.ruleset.unparenthesized(id)
    let key = JoinedKey(id: id, scope: ObjectIdentifier(scope), isTrue: isTrue)
    if let known = joined[key] { return known }
    // Without budget, expressions stay leaves.
    let node =
      compiler.problem.goesOn(20)
      ? expand(id, isTrue: isTrue, in: scope) : leaf(id, isTrue: isTrue, in: scope)
    if scopes.last !== scope { scopes.append(scope) }
    joined[key] = node
    return node
  }

  private func expand(_ id: ExprID, isTrue: Bool, in scope: OutlineScope) -> Int {
    switch compiler.rules.ruleset[id].kind {
    case .not(let operand): return add(operand, isTrue: !isTrue, in: scope)
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      let parts = [add(left, isTrue: isTrue, in: scope), add(right, isTrue: isTrue, in: scope)]
      var isAnd = false
      if case .binary(.and, _, _) = compiler.rules.ruleset[id].kind { isAnd = true }
      return isAnd == isTrue ? all(parts) : any(parts)
    case .conditional(let condition, let one, let other):
      return any([
        all([add(condition, isTrue: true, in: scope), add(one, isTrue: isTrue, in: scope)]),
        all([add(condition, isTrue: false, in: scope), add(other, isTrue: isTrue, in: scope)]),
      ])
    case .call(_, let arguments):
      guard case .function(let function) = compiler.rules.binding(id) else { break }
      return call(function, with: arguments, isTrue: isTrue, in: scope)
        ?? leaf(id, isTrue: isTrue, in: scope)
    case .variable:
      guard case .local(let slot) = compiler.rules.binding(id),
        Int(slot) < scope.locals.count
      else { break }
      let local = scope.locals[Int(slot)]
      return open(local.id, isTrue: isTrue, in: local.scope)
    default: break
    }
    return leaf(id, isTrue: isTrue, in: scope)
  }

  private func leaf(_ id: ExprID, isTrue: Bool, in scope: OutlineScope) -> Int {
    let rails = compiler.rails(of: id, in: scope.frame)
    return add(
      isTrue ? rails.yes : rails.no, as: .leaf(Leaf(id: id, scope: scope, isTrue: isTrue)))
  }

  private func call(
    _ function: FunctionID, with arguments: [ExprID], isTrue: Bool, in scope: OutlineScope
  ) -> Int? {
    var frame = SymbolicFrame(
      captures: scope.frame.captures, locals: [], seesDocument: scope.frame.seesDocument)
    var locals: [OutlineScope.Local] = []
    for argument in arguments {
      frame.locals.append(compiler.cases(of: argument, in: scope.frame))
      locals.append(OutlineScope.Local(id: argument, scope: scope))
    }
    let body = compiler.rules.enter(function, arguments: arguments.count, &frame) { value, frame in
      let inner = OutlineScope(frame, locals: locals)
      frame.locals.append(compiler.cases(of: value.root, in: frame))
      locals.append(OutlineScope.Local(id: value.root, scope: inner))
    }
    guard let body else { return nil }
    let inner = OutlineScope(frame, locals: locals)
    return open(body.root, isTrue: isTrue, in: inner)
  }

  private func open(_ id: ExprID, isTrue: Bool, in scope: OutlineScope) -> Int {
    let key = OpenedKey(id: id, frame: scope.frame, isTrue: isTrue)
    if let known = opened[key] { return known }
    let node = add(id, isTrue: isTrue, in: scope)
    opened[key] = node
    return node
  }
}
