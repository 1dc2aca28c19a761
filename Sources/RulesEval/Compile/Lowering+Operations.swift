import RulesLang

// The strict forms: every operand is evaluated, then the operation.

extension Lowering {
  /// Lowers an operator or a postfix form.
  mutating func operation(_ node: Expression, in frame: Frame) throws(TooLarge) -> UInt16 {
    switch node.kind {
    case .not(let operand):
      return try compute(Instruction(operation: .not, a: try lower(operand, in: frame)))
    case .negate(let operand):
      return try compute(Instruction(operation: .negate, a: try lower(operand, in: frame)))
    case .binary(.in, let left, let right):
      let element = try lower(left, in: frame)
      let container = try lower(right, in: frame)
      if let key = stringConstant(left) {
        return try compute(
          Instruction(
            operation: .has, a: element, b: container, immediate: symbols.intern(key).raw))
      }
      return try compute(Instruction(operation: .isIn, a: element, b: container))
    case .binary(let op, let left, let right):
      let one = try lower(left, in: frame)
      let two = try lower(right, in: frame)
      return try compute(Instruction(operation: op.operation, a: one, b: two))
    case .isType(let operand, let word):
      try pay(1)
      return try compute(
        Instruction(
          operation: .isType, a: try lower(operand, in: frame), immediate: word.accepts.rawValue))
    case .member(let base, let name):
      return try compute(
        Instruction(
          operation: .member, a: try lower(base, in: frame),
          immediate: symbols.intern(name.text).raw))
    case .index(let base, let key):
      return try index(base, by: key, in: frame)
    case .slice(let base, let from, let to):
      let value = try lower(base, in: frame)
      let lower = try bound(from, in: frame)
      let upper = try bound(to, in: frame)
      return try compute(
        Instruction(operation: .slice, immediate: tables.operands.place(of: [value, lower, upper])))
    case .literal, .variable, .list, .map, .path, .parenthesized, .conditional, .call, .method,
      .invalid:
      return try constant(nil)
    }
  }

  private mutating func index(
    _ base: ExprID, by key: ExprID, in frame: Frame
  ) throws(TooLarge) -> UInt16 {
    let value = try lower(base, in: frame)
    let place = try lower(key, in: frame)
    if let name = stringConstant(key) {
      // A value without the member has no such index either, and all failures are alike here.
      return try compute(
        Instruction(operation: .member, a: value, immediate: symbols.intern(name).raw))
    }
    return try compute(Instruction(operation: .index, a: value, b: place))
  }

  /// Lowers a bound of a slice; an omitted one costs as much as a literal.
  private mutating func bound(_ id: ExprID?, in frame: Frame) throws(TooLarge) -> UInt16 {
    if let id { return try lower(id, in: frame) }
    try pay(1)
    return try constant(.null)
  }

  /// Lowers a list, map or path literal.
  mutating func collection(_ node: Expression, in frame: Frame) throws(TooLarge) -> UInt16 {
    switch node.kind {
    case .list(let elements):
      let registers = try lowerAll(elements, in: frame)
      return try compute(gather(.list, from: registers))
    case .map(let entries):
      var registers: [UInt16] = []
      for entry in entries {
        registers.append(try lower(entry.key, in: frame))
        registers.append(try lower(entry.value, in: frame))
      }
      return try compute(gather(.map, from: registers))
    case .path(let parts): return try path(parts, in: frame)
    case .literal, .variable, .parenthesized, .not, .negate, .binary, .isType, .conditional,
      .member, .index, .slice, .call, .method, .invalid:
      return try constant(nil)
    }
  }

  private mutating func gather(
    _ operation: Instruction.Operation, from registers: [UInt16]
  ) -> Instruction {
    Instruction(
      operation: operation, a: UInt16(registers.count),
      immediate: tables.operands.place(of: registers))
  }

  private mutating func path(_ parts: [PathPart], in frame: Frame) throws(TooLarge) -> UInt16 {
    var steps: [Program.PathStep] = []
    var registers: [UInt16] = []
    for part in parts {
      switch part.kind {
      case .literal(let text):
        try pay(1)
        steps.append(.literal(text))
      case .capture(let name): steps.append(.capture(name.text))
      case .glob(let name): steps.append(.glob(name.text))
      case .interpolation(let inner):
        registers.append(try lower(inner, in: frame))
        steps.append(.operand)
      }
    }
    var instruction = gather(.path, from: registers)
    instruction.b = try pathNumber(steps)
    return try compute(instruction)
  }
}

extension BinaryOperator {
  /// The machine's operation code. The logical operators and `in` are lowered to operations of their own.
  fileprivate var operation: Instruction.Operation {
    switch self {
    case .or: .orLast
    case .and: .andLast
    case .in: .isIn
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessEqual: .lessEqual
    case .greater: .greater
    case .greaterEqual: .greaterEqual
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .remainder: .remainder
    }
  }
}
