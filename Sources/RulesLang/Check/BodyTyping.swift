/// The types of one body, found in two loops over its nodes: down, from each form to the types it expects of
/// its operands, then up, from each variable to the forms that join its uses.
///
/// Operands come before the forms that use them, so neither loop recurses.
struct BodyTyping {
  /// The role of a body, which determines what is reported.
  enum Role {
    /// The condition of an allow statement: a bool is expected.
    case condition
    /// A body of a function, checked on its own.
    case function
    /// A body of a function, checked for one call: nothing is reported.
    case quiet
  }

  /// The typing of one node.
  struct Row {
    /// True if the node is the whole body, apart from parentheses.
    var isWhole = false
    /// The types that the form around the node expects.
    var expected: TypeList = .any
    /// The types that the node can have; `any` if nothing is known or the node was reported.
    var inferred: TypeList = .any
    /// The offset where the node begins, including parentheses around it.
    var start: UInt32 = 0
    /// True if the node is the operand of a postfix form or a minus. Google's compiler does not count one
    /// pair of parentheses there as part of the operand.
    var isBase = false
    /// True if a signature of the form gives an expected type.
    var isFitting = false
    /// The uses of variables in the node.
    var uses = TypeEnvironment()
  }

  private let body: Body
  private let role: Role
  private let captures: [TypeList]
  private let expressions: ExpressionTable
  var rows: [Row]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ body: Body, as role: Role, over expressions: ExpressionTable, captures: [TypeList]) {
    self.body = body
    self.expressions = expressions
    self.role = role
    self.captures = captures
    rows = Array(repeating: Row(), count: body.root.index - body.first.index + 1)
  }

  /// The types that the whole body can have.
  var result: TypeList { rows[row(body.root)].inferred }

  /// The uses of variables in the whole body.
  var environment: TypeEnvironment { rows[row(body.root)].uses }

  /// Types every node, down and up; `checker` types the functions that are called.
  mutating func run(expecting expected: TypeList, _ checker: inout TypeChecker) {
    rows[row(body.root)].expected = expected
    rows[row(body.root)].isWhole = true
    rows[row(body.root)].start = expressions[body.root.index].range.start
    for index in (body.first.index...body.root.index).reversed() {
      expect(ExprID(index), with: &checker)
    }
    for index in body.first.index...body.root.index {
      join(ExprID(index), node: expressions[index])
    }
  }

  /// Returns the index of a node in `rows`.
  func row(_ id: ExprID) -> Int { id.index - body.first.index }

  // MARK: Down

  private mutating func expect(_ id: ExprID, with checker: inout TypeChecker) {
    let node = expressions[id.index]
    switch node.kind {
    case .literal(let literal): settle(id, node: node, to: TypeList(literal.type))
    case .variable(let name): settle(id, node: node, to: name, boundTo: checker.binding(id))
    case .list(let elements):
      for element in elements { hand(.any, to: element) }
      settle(id, node: node, to: [.list])
    case .map(let entries):
      for entry in entries {
        hand([.string], to: entry.key)
        hand(.any, to: entry.value)
      }
      settle(id, node: node, to: [.map])
    case .path(let parts):
      for part in parts {
        guard case .interpolation(let inner) = part.kind else { continue }
        hand(OperatorTyping.segment, to: inner)
      }
      settle(id, node: node, to: [.path])
    case .parenthesized(let inner):
      hand(rows[row(id)].expected, to: inner)
      if !rows[row(id)].isBase { rows[row(inner)].start = rows[row(id)].start }
      rows[row(inner)].isWhole = rows[row(id)].isWhole
    case .conditional(let condition, let whenTrue, let whenFalse):
      hand([.bool], to: condition)
      hand(rows[row(id)].expected, to: whenTrue)
      hand(rows[row(id)].expected, to: whenFalse)
    case .call, .method: expectCall(id, node: node, with: &checker)
    case .negate(let literal) where expressions[literal.index].isMinimumInt:
      // To Google's compiler the minus is a part of the literal.
      settle(id, node: node, to: [.int], isLeaf: true)
    case .not, .negate, .isType, .member, .index, .slice, .binary:
      apply(Self.signatures(of: node.kind), to: id, node: node)
    case .invalid: break
    }
  }

  /// Returns the signatures of an operator or another form with fixed operands.
  private static func signatures(of kind: Expression.Kind) -> [Signature] {
    switch kind {
    case .not: OperatorTyping.not
    case .negate: OperatorTyping.negate
    case .isType: OperatorTyping.isType
    case .member: OperatorTyping.member
    case .index: OperatorTyping.index
    case .slice: OperatorTyping.slice
    case .binary(let symbol, _, _): OperatorTyping.signatures(symbol)
    case .literal, .variable, .list, .map, .path, .parenthesized, .conditional, .call, .method,
      .invalid:
      []
    }
  }

  private mutating func expectCall(
    _ id: ExprID, node: Expression, with checker: inout TypeChecker
  ) {
    switch (checker.binding(id), node.kind) {
    case (.function(let function), .call(_, let arguments)):
      let typing = checker.typing(of: function, expecting: rows[row(id)].expected)
      let isCountRight = typing.parameters.count == arguments.count
      for (place, argument) in arguments.enumerated() {
        hand(isCountRight ? typing.parameters[place] : .any, to: argument)
      }
      if isCountRight { rows[row(id)].inferred = typing.result }
    case (.builtin(let builtin), .call(_, let arguments)):
      apply(Builtins.signatures(builtin, count: arguments.count), to: id, node: node)
    case (_, .method(_, let name, let arguments)):
      let rows = Builtins.signatures(ofMethod: name.text, count: arguments.count)
      apply(rows, to: id, node: node)
    default:
      node.forEachOperand { hand(.any, to: $0) }
    }
  }

  /// Passes the operand types of the form's fitting signatures down to the operands. Without signatures
  /// nothing is expected of them.
  private mutating func apply(
    _ signatures: [Signature], to id: ExprID, node: Expression
  ) {
    let expected = rows[row(id)].expected
    let areAllFitting = signatures.allSatisfy { !$0.result.isDisjoint(with: expected) }
    let fitting =
      areAllFitting ? signatures : signatures.filter { !$0.result.isDisjoint(with: expected) }
    node.forEachPlacedOperand { place, operand in
      let types = fitting.reduce(TypeList.none) { $0.union($1.operands[place]) }
      hand(fitting.isEmpty ? .any : types, to: operand)
      rows[row(operand)].isBase = place == 0 && node.hasBase
    }
    rows[row(id)].isFitting = !fitting.isEmpty
    guard !signatures.isEmpty else { return }
    let results = fitting.isEmpty ? signatures : fitting
    settle(id, node: node, to: results.reduce(TypeList.none) { $0.union($1.result) })
  }

  private mutating func hand(_ expected: TypeList, to operand: ExprID) {
    rows[row(operand)].expected = expected
    rows[row(operand)].start = expressions[operand.index].range.start
  }

  /// Records the types of a node, or reports that none of them is expected.
  private mutating func settle(
    _ id: ExprID, node: Expression, to types: TypeList, isLeaf: Bool = false
  ) {
    let expected = rows[row(id)].expected
    guard types.isDisjoint(with: expected) else { return rows[row(id)].inferred = types }
    let range =
      isLeaf || node.isLeaf
      ? SourceRange(start: rows[row(id)].start, end: node.range.end) : node.mark
    report(
      role == .condition && rows[row(id)].isWhole
        ? .conditionType(types, at: range) : .typeMismatch(types, expected: expected, at: range))
  }

  private mutating func settle(
    _ id: ExprID, node: Expression, to name: Name, boundTo binding: Binding
  ) {
    switch binding {
    case .capture(let slot):
      let types = captures[Int(slot)]
      settle(id, node: node, to: types)
      rows[row(id)].uses = TypeEnvironment(
        of: binding, named: name.text, types: types.intersection(rows[row(id)].expected))
    case .local, .request, .resource:
      rows[row(id)].uses = TypeEnvironment(
        of: binding, named: name.text, types: rows[row(id)].expected)
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: break
    }
  }

  /// Adds a diagnostic, unless the body is checked for a call.
  mutating func report(_ diagnostic: Diagnostic) {
    if role != .quiet { diagnostics.append(diagnostic) }
  }
}
