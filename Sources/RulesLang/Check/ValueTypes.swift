/// Finds out which types the value of each expression can have at run time.
///
/// Unlike the `TypeChecker`, which repeats what Google's warns of, this never excludes a type that
/// a value can have: what an expression is expected to be does not count, only what it is made of.
/// An expression that can only be an error has whatever types are convenient.
struct ValueTypes {
  private let ruleset: Ruleset
  private let bindings: [Binding]
  private var types: [TypeSet]
  /// What each function returns, once it is known.
  private var results: [TypeSet?]

  /// The types of every expression, by `ExprID`. Call graphs must be free of cycles.
  static func find(in ruleset: Ruleset, with bindings: [Binding]) -> [TypeSet] {
    var finder = ValueTypes(in: ruleset, with: bindings)
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
    results = Array(repeating: nil, count: ruleset.functions.count)
  }

  /// What the names in a body stand for.
  private struct Frame {
    var captures: [TypeSet]
    var locals: [TypeSet] = []
  }

  /// Recurses along calls, whose depth is limited.
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
      types[index] = type(of: ExprID(index), frame)
    }
  }

  private mutating func type(of id: ExprID, _ frame: Frame) -> TypeSet {
    switch ruleset[id].kind {
    case .literal(let literal): TypeSet(literal.type)
    case .variable: type(of: bindings[id.index], frame)
    case .list: .list
    case .map: .map
    case .path: .path
    case .parenthesized(let inner): types[inner.index]
    case .not, .isType: .bool
    case .negate(let operand): narrowed([.int, .float, .duration], to: types[operand.index])
    case .binary(let symbol, let left, let right):
      result(
        of: OperatorTyping.signatures(symbol), left: types[left.index], right: types[right.index])
    case .conditional(_, let whenTrue, let whenFalse):
      types[whenTrue.index].union(types[whenFalse.index])
    case .member, .index, .invalid: .any
    case .slice(let base, _, _): narrowed([.string, .list, .path], to: types[base.index])
    case .call: typeOfCall(bindings[id.index])
    case .method(let receiver, let name, _):
      typeOfMethod(name.text, on: types[receiver.index])
    }
  }

  private func narrowed(_ types: TypeSet, to operand: TypeSet) -> TypeSet {
    types.isDisjoint(with: operand) ? types : types.intersection(operand)
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

  private func result(
    of signatures: [Signature], left: TypeSet, right: TypeSet
  ) -> TypeSet {
    var result: TypeSet = []
    for row in signatures
    where !row.operands[0].members.isDisjoint(with: left)
      && !row.operands[1].members.isDisjoint(with: right)
    {
      result.formUnion(row.result.members)
    }
    return result.isEmpty ? .any : result
  }

  private mutating func typeOfCall(_ binding: Binding) -> TypeSet {
    switch binding {
    case .function(let id): result(of: id)
    case .builtin(let builtin): Builtins.entry(builtin).result
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction: .any
    }
  }

  private func typeOfMethod(_ name: Text, on receiver: TypeSet) -> TypeSet {
    var result: TypeSet = []
    for entry in Builtins.methods(named: name) {
      guard let owner = entry.receiver, receiver.contains(owner) else { continue }
      result.formUnion(entry.result)
    }
    return result.isEmpty ? .any : result
  }
}

extension Literal {
  /// The type of the constant.
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
