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
  private var rows: [Row]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ body: Body, _ role: Role, captures: [TypeList]) {
    self.body = body
    self.role = role
    self.captures = captures
    rows = Array(repeating: Row(), count: body.root.index - body.first.index + 1)
  }

  /// What the whole body gives.
  var result: TypeList { self[body.root].inferred }

  /// The uses of variables in the whole body.
  var environment: TypeEnvironment { self[body.root].uses }

  /// Looks at every node, twice; calls of functions ask `checker` about them.
  mutating func run(expecting expected: TypeList, _ checker: inout TypeChecker) {
    let ruleset = checker.ruleset
    self[body.root].expected = expected
    self[body.root].isWhole = true
    self[body.root].start = ruleset[body.root].range.start
    for index in (body.first.index...body.root.index).reversed() {
      expect(ExprID(index), &checker)
    }
    for index in body.first.index...body.root.index {
      join(ExprID(index), ruleset.expressions[index])
    }
  }

  private subscript(id: ExprID) -> Row {
    get { rows[id.index - body.first.index] }
    set { rows[id.index - body.first.index] = newValue }
  }

  // MARK: Down

  private mutating func expect(_ id: ExprID, _ checker: inout TypeChecker) {
    let node = checker.ruleset[id]
    switch node.kind {
    case .literal(let literal): settle(id, node, TypeList(TypeSet(literal.type)))
    case .variable(let name): settle(id, node, name, checker.binding(id))
    case .list(let elements):
      for element in elements { hand(.any, to: element, checker.ruleset) }
      settle(id, node, [.list])
    case .map(let entries):
      for entry in entries {
        hand([.string], to: entry.key, checker.ruleset)
        hand(.any, to: entry.value, checker.ruleset)
      }
      settle(id, node, [.map])
    case .path(let parts):
      for part in parts {
        guard case .interpolation(let inner) = part.kind else { continue }
        hand(OperatorTyping.segment, to: inner, checker.ruleset)
      }
      settle(id, node, [.path])
    case .parenthesized(let inner):
      hand(self[id].expected, to: inner, checker.ruleset)
      if !self[id].isBase { self[inner].start = self[id].start }
      self[inner].isWhole = self[id].isWhole
    case .conditional(let condition, let whenTrue, let whenFalse):
      hand([.bool], to: condition, checker.ruleset)
      hand(self[id].expected, to: whenTrue, checker.ruleset)
      hand(self[id].expected, to: whenFalse, checker.ruleset)
    case .call, .method: expectCall(id, node, &checker)
    case .negate(let literal) where checker.ruleset[literal].isMinimumInt:
      // To Google's compiler the minus is a part of the literal.
      settle(id, node, [.int], isLeaf: true)
    case .not, .negate, .isType, .member, .index, .slice, .binary:
      apply(Self.signatures(of: node.kind), id, node, checker.ruleset)
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
    default: []
    }
  }

  private mutating func expectCall(
    _ id: ExprID, _ node: Expression, _ checker: inout TypeChecker
  ) {
    switch (checker.binding(id), node.kind) {
    case (.function(let function), .call(_, let arguments)):
      let typing = checker.typing(of: function, expecting: self[id].expected)
      let isCountRight = typing.parameters.count == arguments.count
      for (place, argument) in arguments.enumerated() {
        hand(isCountRight ? typing.parameters[place] : .any, to: argument, checker.ruleset)
      }
      if isCountRight { self[id].inferred = typing.result }
    case (.builtin(let builtin), .call(_, let arguments)):
      apply(Builtins.signatures(builtin, count: arguments.count), id, node, checker.ruleset)
    case (_, .method(_, let name, let arguments)):
      let rows = Builtins.signatures(ofMethod: name.text, count: arguments.count)
      apply(rows, id, node, checker.ruleset)
    default:
      node.forEachOperand { hand(.any, to: $0, checker.ruleset) }
    }
  }

  /// Hands down what the rows expect that give what is expected of the form; without any rows
  /// nothing is known about the form.
  private mutating func apply(
    _ signatures: [Signature], _ id: ExprID, _ node: Expression, _ ruleset: Ruleset
  ) {
    let expected = self[id].expected
    let fitting = signatures.filter { !$0.result.isDisjoint(with: expected) }
    node.forEachPlacedOperand { place, operand in
      let types = fitting.reduce(TypeList([])) { $0.union($1.operands[place]) }
      hand(fitting.isEmpty ? .any : types, to: operand, ruleset)
      self[operand].isBase = place == 0 && node.hasBase
    }
    self[id].isFitting = !fitting.isEmpty
    guard !signatures.isEmpty else { return }
    let results = fitting.isEmpty ? signatures : fitting
    settle(id, node, results.reduce(TypeList([])) { $0.union($1.result) })
  }

  private mutating func hand(_ expected: TypeList, to operand: ExprID, _ ruleset: Ruleset) {
    self[operand].expected = expected
    self[operand].start = ruleset[operand].range.start
  }

  /// Notes what a node gives, or reports that it is not what is expected.
  private mutating func settle(
    _ id: ExprID, _ node: Expression, _ types: TypeList, isLeaf: Bool = false
  ) {
    let expected = self[id].expected
    guard types.isDisjoint(with: expected) else { return self[id].inferred = types }
    let range =
      isLeaf || node.isLeaf ? SourceRange(self[id].start, node.range.end) : node.mark
    report(
      role == .condition && self[id].isWhole
        ? .conditionType(types, at: range) : .typeMismatch(types, expected: expected, at: range))
  }

  private mutating func settle(
    _ id: ExprID, _ node: Expression, _ name: Name, _ binding: Binding
  ) {
    switch binding {
    case .capture(let slot):
      let types = captures[Int(slot)]
      settle(id, node, types)
      self[id].uses = TypeEnvironment(binding, name.text, types.intersection(self[id].expected))
    case .local, .request, .resource:
      self[id].uses = TypeEnvironment(binding, name.text, self[id].expected)
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: break
    }
  }

  private mutating func report(_ diagnostic: Diagnostic) {
    if role != .quiet { diagnostics.append(diagnostic) }
  }

  // MARK: Up

  private mutating func join(_ id: ExprID, _ node: Expression) {
    var uses = self[id].uses
    node.forEachCheckedOperand(isFitting: self[id].isFitting) { operand in
      uses.formIntersection(self[operand].uses)
    }
    for name in uses.removeContradictions() {
      report(.contradictoryUse(name, at: SourceRange(self[id].start, node.range.end)))
    }
    self[id].uses = uses
    switch node.kind {
    case .parenthesized(let inner): self[id].inferred = self[inner].inferred
    case .binary(.equal, let left, let right):
      compare(id, node, left, right, isAlways: false)
    case .binary(.notEqual, let left, let right):
      compare(id, node, left, right, isAlways: true)
    case .conditional(_, let whenTrue, let whenFalse):
      if self[whenTrue].inferred.isDisjoint(with: self[whenFalse].inferred) {
        report(.differentBranches(at: node.mark))
      }
    case .literal, .variable, .list, .map, .path, .not, .negate, .binary, .isType, .member,
      .index, .slice, .call, .method, .invalid:
      break
    }
  }

  /// Reports a comparison of types that are never equal, unless it was itself reported.
  private mutating func compare(
    _ id: ExprID, _ node: Expression, _ left: ExprID, _ right: ExprID, isAlways: Bool
  ) {
    let (one, other) = (self[left].inferred.set.asNumbers, self[right].inferred.set.asNumbers)
    if one.isDisjoint(with: other), self[id].expected.set.contains(.bool) {
      report(.constantComparison(isAlways: isAlways, at: node.mark))
    }
  }
}

extension TypeSet {
  /// The set with int and float together or not at all: they compare with each other.
  fileprivate var asNumbers: TypeSet {
    let numbers: TypeSet = [.int, .float]
    return isDisjoint(with: numbers) ? self : union(numbers)
  }
}

extension Expression {
  /// Whether it is the literal that only exists below a minus.
  fileprivate var isMinimumInt: Bool {
    if case .literal(.int(.min)) = kind { return true }
    return false
  }

  /// Whether a report about the whole expression points at its beginning, with parentheses.
  fileprivate var isLeaf: Bool {
    switch kind {
    case .literal, .variable, .list, .map, .path: true
    case .parenthesized, .not, .negate, .binary, .isType, .conditional, .member, .index, .slice,
      .call, .method, .invalid:
      false
    }
  }

  /// Calls `body` with each operand in the order in which Google's checker looks at them, which
  /// shows in the order of types: the keys of a map before its values, and the receiver of a
  /// method, also of an index or of `in`, after the arguments if the method fits.
  fileprivate func forEachCheckedOperand(isFitting: Bool, _ body: (ExprID) -> Void) {
    if case .map(let entries) = kind {
      for entry in entries { body(entry.key) }
      for entry in entries { body(entry.value) }
      return
    }
    var last: ExprID? = receiver
    if case .binary(.in, _, let container) = kind { last = container }
    guard let last else { return forEachOperand(body) }
    if !isFitting { body(last) }
    forEachOperand { if $0 != last { body($0) } }
    if isFitting { body(last) }
  }

  /// Whether the first operand is a postfix expression in the grammar.
  fileprivate var hasBase: Bool {
    switch kind {
    case .negate, .member, .index, .slice, .method: true
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .binary, .isType,
      .conditional, .call, .invalid:
      false
    }
  }

  /// Calls `body` with each operand and its place in a signature; only slices leave places empty.
  fileprivate func forEachPlacedOperand(_ body: (Int, ExprID) -> Void) {
    if case .slice(let base, let from, let to) = kind {
      body(0, base)
      if let from { body(1, from) }
      if let to { body(2, to) }
    } else {
      var place = 0
      forEachOperand { operand in
        body(place, operand)
        place += 1
      }
    }
  }
}
