/// The types of one body, found in two loops over its nodes: down, from each form to what it
/// expects of its operands, then up, from each variable to the forms that join its uses.
///
/// Operands come before the forms that use them, so neither loop recurses.
struct BodyTyping {
  /// What the body is, and so what is reported.
  enum Role {
    /// The condition of an allow statement: a bool is expected.
    case condition
    /// A part of a function, looked at for its own sake.
    case function
    /// A part of a function, looked at for the sake of a call.
    case quiet
  }

  /// One node's row.
  struct Row {
    /// Whether the node is the whole body, but for parentheses.
    var isWhole = false
    /// What the form around the node expects of it.
    var expected: TypeList = .any
    /// What the node gives; `any` if nothing is known or if it was reported.
    var inferred: TypeList = .any
    /// Where the node begins, parentheses around it included.
    var start: UInt32 = 0
    /// Whether the node is what a postfix form or a minus is applied to. Google's compiler does not
    /// count one pair of parentheses there as part of what is inside.
    var isBase = false
    /// Whether any row of the form gives what is expected of it.
    var isFitting = false
    /// The uses of variables inside.
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

  /// What the whole body gives.
  var result: TypeList { rows[row(body.root)].inferred }

  /// The uses of variables in the whole body.
  var environment: TypeEnvironment { rows[row(body.root)].uses }

  /// Looks at every node, twice; calls of functions ask `checker` about them.
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

  /// The place of a node in `rows`.
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

  /// The rows of an operator or another form with fixed operands.
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

  /// Hands down what the rows expect that give what is expected of the form; without any rows
  /// nothing is known about the form.
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

  /// Notes what a node gives, or reports that it is not what is expected.
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

  /// Keeps a report, unless the body is only looked at for a call.
  mutating func report(_ diagnostic: Diagnostic) {
    if role != .quiet { diagnostics.append(diagnostic) }
  }
}
