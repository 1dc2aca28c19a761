import RulesLang

// The forms that decide which expressions are evaluated.

extension Lowering {
  /// Lowers `a && b && c`, which parses to the left, as one row of operands: the first operand that decides
  /// ends it; else the first error is the result, as in the reference, which goes pair by pair.
  mutating func junction(
    _ id: ExprID, by op: BinaryOperator, in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    var row: [ExprID] = []
    var left = id
    while case .binary(op, let first, let second) = rules.ruleset[left].kind {
      // The lowered node is charged; the nodes inside are entered with it.
      if left != id { try pay(1) }
      row.append(second)
      left = rules.ruleset.unparenthesized(first)
      if isMarked { break }
    }
    row.append(left)
    row.reverse()
    let isAnd = op == .and
    let outerPayer = payer
    var jumps: [Int] = []
    var mark: Int?
    let result = try newRegister()
    for (place, operand) in row.enumerated() {
      let register = try lower(operand, in: frame)
      if place == row.count - 1 {
        try emit(Instruction(operation: isAnd ? .andLast : .orLast, target: result, a: register))
        break
      }
      let operation: Instruction.Operation =
        place == 0 ? (isAnd ? .andFirst : .orFirst) : (isAnd ? .andNext : .orNext)
      let jump = try emit(Instruction(operation: operation, target: result, a: register))
      jumps.append(jump)
      payer = jump
      try pay(1)
      if mark == nil { mark = known.mark }
    }
    for jump in jumps { land(jump) }
    known.forget(since: mark ?? known.mark)
    payer = outerPayer
    return result
  }

  /// Lowers `condition ? whenTrue : whenFalse`.
  mutating func conditional(
    _ condition: ExprID, then whenTrue: ExprID, else whenFalse: ExprID, in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    try pay(1)
    let test = try lower(condition, in: frame)
    let outerPayer = payer
    let mark = known.mark
    let result = try newRegister()
    let branch = try emit(Instruction(operation: .branch, target: result, a: test))
    payer = branch
    let first = try lower(whenTrue, in: frame)
    try emit(Instruction(operation: .move, target: result, a: first))
    known.forget(since: mark)
    // The branch goes here on an error, and behind it on false.
    let jump = try emit(Instruction(operation: .jump))
    land(branch)
    let charge = try emit(Instruction(operation: .charge))
    payer = charge
    try pay(2)
    let second = try lower(whenFalse, in: frame)
    try emit(Instruction(operation: .move, target: result, a: second))
    known.forget(since: mark)
    land(jump)
    payer = outerPayer
    return result
  }

  // MARK: Calls

  /// Lowers a call without a receiver.
  mutating func call(
    _ id: ExprID, with arguments: [ExprID], in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    let registers = try lowerAll(arguments, in: frame)
    switch rules.binding(id) {
    case .function(let function): return try inline(function, with: registers, at: id, in: frame)
    case .builtin(let builtin):
      if builtin.isLookup { noteLookup() }
      if builtin.isLookup, registers.count == 1 {
        return try lookup(rules.calledName(of: builtin, at: id), of: registers[0])
      }
      return try compute(
        Instruction(
          operation: .call, a: UInt16(registers.count), b: UInt16(builtin.rawValue),
          immediate: tables.operands.place(of: registers)))
    case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction:
      return try constant(nil)
    }
  }

  /// Lowers a lookup of the path in a register.
  private mutating func lookup(_ builtin: Builtin, of path: UInt16) throws(TooLarge) -> UInt16 {
    var lookup = Instruction(operation: .lookup, a: path, b: UInt16(builtin.rawValue))
    guard let register = known.register(of: lookup) else { return try compute(lookup) }
    // The result is the same, but a missing document is charged at each read.
    if builtin.meaning == .get || builtin == .getAfter {
      lookup.target = register
      lookup.immediate = 1
      try emit(lookup)
    }
    return register
  }

  /// Lowers a call of a function of the rules: inlines its body, with the arguments in registers.
  private mutating func inline(
    _ function: FunctionID, with arguments: [UInt16], at call: ExprID, in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    guard arguments.count == rules.ruleset[function].parameters.count else {
      return try constant(nil)
    }
    var inner = Frame(
      locals: arguments, captures: frame.captures,
      activation: try newActivation(of: call, from: frame))
    let body = try rules.enter(function, arguments: arguments.count, &inner) {
      (value, inner) throws(TooLarge) in
      try pay(1)
      inner.locals.append(try lower(value, in: inner))
    }
    guard let body else { return try constant(nil) }
    return try lower(body, in: inner)
  }

  /// Lowers a call of a method.
  mutating func method(
    of receiver: ExprID, named name: Text, with arguments: [ExprID], in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    if !isMarked, name == "hasOnly", arguments.count == 1, isConstant(arguments[0]),
      case .method(let inner, let keys, let none) = form(receiver), keys.text == "affectedKeys",
      none.isEmpty, case .method(let after, let diff, let before) = form(inner),
      diff.text == "diff", before.count == 1
    {
      return try changesOnly(after: after, before: before[0], list: arguments[0], in: frame)
    }
    let base = try lower(receiver, in: frame)
    let registers = try lowerAll(arguments, in: frame)
    if name == "get", registers.count == 2, let key = stringConstant(arguments[0]) {
      return try compute(
        Instruction(
          operation: .fetch, a: base, b: registers[1], immediate: symbols.intern(key).raw))
    }
    if name == "matches", registers.count == 1, let text = stringConstant(arguments[0]),
      let pattern = patternNumber(text)
    {
      return try compute(Instruction(operation: .matches, a: base, immediate: pattern))
    }
    return try compute(methodCall(name, on: [base] + registers))
  }

  private func form(_ id: ExprID) -> Expression.Kind {
    rules.ruleset[rules.ruleset.unparenthesized(id)].kind
  }

  /// Lowers `after.diff(before).affectedKeys().hasOnly(list)`, which half of all rules end with, to one
  /// instruction, followed by the three calls for operands that the one instruction does not support.
  private mutating func changesOnly(
    after: ExprID, before: ExprID, list: ExprID, in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    // For `diff` and `affectedKeys`, which are not lowered by themselves.
    try pay(2)
    let one = try lower(after, in: frame)
    let two = try lower(before, in: frame)
    let allowed = try lower(list, in: frame)
    var all = Instruction(operation: .changesOnly, a: one, b: two, immediate: UInt32(allowed))
    if let known = known.register(of: all) { return known }
    let diff = try newRegister()
    let keys = try newRegister()
    all.target = try newRegister()
    try emit(all)
    // Not recorded: they mostly do not run.
    try emit(methodCall("diff", on: [one, two], into: diff))
    try emit(methodCall("affectedKeys", on: [diff], into: keys))
    try emit(methodCall("hasOnly", on: [keys, allowed], into: all.target))
    known.record(all)
    return all.target
  }

  private mutating func methodCall(
    _ name: Text, on registers: [UInt16], into target: UInt16 = 0
  ) -> Instruction {
    Instruction(
      operation: .method, target: target, a: UInt16(registers.count), b: methodName(name),
      immediate: tables.operands.place(of: registers))
  }
}
