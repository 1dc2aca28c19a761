/// An analysis of the types that the value of each expression can have at run time.
///
/// Unlike the `TypeChecker`, which repeats the warnings of Google's, this never excludes a type that a value
/// can have: types are derived from operands, not from expectations. An expression that can only be an error
/// has no type at all, and neither has one that uses it. Mistakes that other checks report may be anything:
/// names and members that do not exist, a wrong number of arguments.
struct ValueTypes {
  private let ruleset: Ruleset
  private let bindings: [Binding]
  private var types: [TypeSet]
  /// The record that each expression denotes, by its form.
  private var records: [Record?]
  /// The result types of each function, once they are known.
  private var results: [TypeSet?]

  /// Finds the types of every expression, by `ExprID`; with `known`, only those of functions added to these
  /// rules.
  ///
  /// - Requires: The call graph has no cycles.
  static func find(
    in ruleset: Ruleset, with bindings: [Binding], extending known: Checked? = nil
  ) -> [TypeSet] {
    var finder = ValueTypes(in: ruleset, with: bindings)
    if let known {
      finder.take(known)
      for index in known.ruleset.functions.count..<ruleset.functions.count {
        _ = finder.result(of: FunctionID(index))
      }
      return finder.types
    }
    for index in ruleset.functions.indices { _ = finder.result(of: FunctionID(index)) }
    for allow in ruleset.allows {
      guard let condition = allow.condition else { continue }
      finder.find(condition, in: Frame(captures: finder.captures(in: .match(allow.match))))
    }
    return finder.types
  }

  private init(in ruleset: Ruleset, with bindings: [Binding]) {
    self.ruleset = ruleset
    self.bindings = bindings
    types = Array(repeating: .any, count: ruleset.expressions.count)
    records = Array(repeating: nil, count: ruleset.expressions.count)
    results = Array(repeating: nil, count: ruleset.functions.count)
  }

  private mutating func take(_ known: Checked) {
    types.replaceSubrange(known.types.indices, with: known.types)
    for (index, function) in known.ruleset.functions.enumerated() {
      results[index] = types[function.result.root.index]
    }
  }

  /// The types of the names in a body.
  private struct Frame {
    var captures: [TypeSet]
    var locals: [TypeSet] = []
  }

  /// Finds the result types of a function. Recurses along calls, whose depth is limited.
  private mutating func result(of id: FunctionID) -> TypeSet {
    if let known = results[id.index] { return known }
    let function = ruleset[id]
    var frame = Frame(captures: captures(in: function.owner))
    frame.locals = function.parameters.map { _ in .any }
    for binding in function.lets {
      find(binding.value, in: frame)
      frame.locals.append(types[binding.value.root.index])
    }
    find(function.result, in: frame)
    let result = types[function.result.root.index]
    results[id.index] = result
    return result
  }

  private func captures(in owner: ScopeOwner) -> [TypeSet] {
    guard case .match(let match) = owner else { return [] }
    let around = ruleset[match].parent.map { captures(in: .match($0)) } ?? []
    return around
      + ruleset[match].pattern.filter { $0.binding != nil }.map { $0.isGlob ? .path : .string }
  }

  private mutating func find(_ body: Body, in frame: Frame) {
    for index in body.first.index...body.root.index {
      noteRecord(ExprID(index))
      types[index] = type(of: ExprID(index), frame)
    }
  }

  private mutating func noteRecord(_ id: ExprID) {
    switch (ruleset[id].kind, bindings[id.index]) {
    case (.variable, .request): records[id.index] = .request
    case (.variable, .resource): records[id.index] = .resource
    case (.parenthesized(let inner), _): records[id.index] = records[inner.index]
    case (.member(let base, let name), _):
      records[id.index] = records[base.index]?.member(name.text)?.record
    default: break
    }
  }

  private mutating func type(of id: ExprID, _ frame: Frame) -> TypeSet {
    let node = ruleset[id]
    switch node.kind {
    case .literal(let literal): return TypeSet(literal.type)
    case .variable: return type(of: bindings[id.index], frame)
    case .list: return strict(node, giving: .list)
    case .map(let entries):
      let isKeyed = entries.allSatisfy { types[$0.key.index].contains(.string) }
      return isKeyed ? strict(node, giving: .map) : []
    case .path: return typeOfPath(node)
    case .parenthesized(let inner): return types[inner.index]
    case .not(let operand): return mayDecide(operand) ? .bool : []
    case .isType: return strict(node, giving: .bool)
    case .negate: return result(of: OperandTypes.negate, node)
    // An error of one side is passed over where the other side decides.
    case .binary(.or, let left, let right), .binary(.and, let left, let right):
      return mayDecide(left) || mayDecide(right) ? .bool : []
    case .binary(let symbol, _, _): return result(of: OperandTypes.rows(symbol), node)
    case .conditional(let condition, let whenTrue, let whenFalse):
      return mayDecide(condition) ? types[whenTrue.index].union(types[whenFalse.index]) : []
    case .member(let base, let name):
      // A missing member of a record is reported elsewhere.
      guard let record = records[base.index] else { return result(of: OperandTypes.member, node) }
      return record.member(name.text)?.types ?? .any
    case .index: return result(of: OperandTypes.index, node)
    case .slice: return result(of: OperandTypes.slice, node)
    case .call: return typeOfCall(bindings[id.index], node)
    case .method(let receiver, let name, let arguments):
      return typeOfMethod(name.text, on: types[receiver.index], arguments)
    case .invalid: return .any
    }
  }

  /// True if an expression can have a bool as its value.
  private func mayDecide(_ id: ExprID) -> Bool {
    !types[id.index].isDisjoint(with: [.bool, .constraint])
  }

  /// Returns the types of a form whose operands can have any type, but not be errors.
  private func strict(_ node: Expression, giving result: TypeSet) -> TypeSet {
    node.operands.contains { types[$0.index].isEmpty } ? [] : result
  }

  private func typeOfPath(_ node: Expression) -> TypeSet {
    let segment = OperandTypes.segment[0].operands[0]
    return node.operands.contains { types[$0.index].isDisjoint(with: segment) } ? [] : .path
  }

  private func type(of binding: Binding, _ frame: Frame) -> TypeSet {
    switch binding {
    case .local(let slot): frame.locals[Int(slot)]
    case .capture(let slot): frame.captures[Int(slot)]
    case .request: .map
    case .resource: [.map, .null]
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: .any
    }
  }

  /// Returns the result types of an operation by the rows that its operands may fit; none if there is no such
  /// row.
  private func result(of rows: [OperandTypes.Row], _ node: Expression) -> TypeSet {
    // Bounds of a slice that are left out count as null.
    var operands: [TypeSet] = Array(repeating: .null, count: rows[0].operands.count)
    node.forEachPlacedOperand { operands[$0] = types[$1.index] }
    return rows.filter { $0.mayTake(operands) }.reduce([]) { $0.union($1.result) }
  }

  private mutating func typeOfCall(_ binding: Binding, _ node: Expression) -> TypeSet {
    switch binding {
    case .function(let id): result(of: id)
    case .builtin(let builtin): result(of: Builtins.entry(builtin), node.operands)
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction: .any
    }
  }

  /// Returns the result types of a function or method; a wrong number of arguments is reported elsewhere.
  private func result(of entry: Builtin.Entry, _ arguments: [ExprID]) -> TypeSet {
    let rows = entry.rows(count: arguments.count)
    let operands = arguments.map { types[$0.index] }
    return rows.isEmpty || rows.contains { $0.mayTake(operands) } ? entry.result : []
  }

  private func typeOfMethod(
    _ name: Text, on receiver: TypeSet, _ arguments: [ExprID]
  ) -> TypeSet {
    let entries = Builtins.methods(named: name)
    if entries.isEmpty { return .any }
    return entries.reduce([]) { types, entry in
      guard let owner = entry.receiver, receiver.contains(owner) else { return types }
      return types.union(result(of: entry, arguments))
    }
  }
}

extension Literal {
  /// The type of the literal.
  var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    }
  }
}
