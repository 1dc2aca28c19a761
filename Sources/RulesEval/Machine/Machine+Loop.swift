import RulesLang

// The dispatch loop: first what changes the way, then what computes a register.

extension Machine {
  /// Runs code up to its end; what the statement comes to.
  mutating func run(
    _ code: borrowing Span<Instruction>, from start: Int, _ registers: inout MutableSpan<Cell>
  ) -> Cell {
    var place = start
    while true {
      let step = code[place]
      place += 1
      switch step.operation {
      case .end:
        return registers[Int(step.a)]
      case .andFirst, .orFirst, .andNext, .orNext:
        if junction(step, &registers) { place = Int(step.immediate) } else { spent += Int(step.b) }
      case .andLast, .orLast:
        _ = junction(step, &registers)
      case .branch:
        let test = registers[Int(step.a)]
        if test.isBool(true) {
          spent += Int(step.b)
        } else if test.isBool(false) {
          place = Int(step.immediate)
        } else {
          registers[Int(step.target)] = .error
          place = Int(step.immediate) - 1
        }
      case .charge: spent += Int(step.b)
      case .jump: place = Int(step.immediate)
      case .move: registers[Int(step.target)] = registers[Int(step.a)]
      case .member:
        registers[Int(step.target)] = member(
          registers[Int(step.a)], Symbol(raw: step.immediate))
      case .equal:
        registers[Int(step.target)] = equal(registers[Int(step.a)], registers[Int(step.b)])
      case .request: registers[Int(step.target)] = current.request
      case .resource: registers[Int(step.target)] = current.resource
      case .capture, .index, .slice, .not, .negate, .notEqual, .less, .lessEqual, .greater,
        .greaterEqual, .add, .subtract, .multiply, .divide, .remainder, .isIn, .has, .isType, .list,
        .map, .path, .call, .method, .fetch, .matches, .lookup:
        registers[Int(step.target)] = compute(step, &registers)
      }
    }
  }

  /// Adds an operand to an `&&` or `||`; whether it decides.
  @inline(__always)
  private func junction(
    _ step: Instruction, _ registers: inout MutableSpan<Cell>
  ) -> Bool {
    let operand = registers[Int(step.a)]
    let isAnd =
      step.operation == .andFirst || step.operation == .andNext || step.operation == .andLast
    if operand.isBool(!isAnd) {
      registers[Int(step.target)] = operand
      return true
    }
    let isFirst = step.operation == .andFirst || step.operation == .orFirst
    let normal = operand.kind == .bool ? operand : .error
    // The first failure stays, whatever follows.
    if isFirst || registers[Int(step.target)].kind != .error {
      registers[Int(step.target)] = normal
    }
    return false
  }

  /// What an instruction computes.
  @inline(never)
  private mutating func compute(
    _ step: Instruction, _ registers: inout MutableSpan<Cell>
  ) -> Cell {
    switch step.operation {
    case .capture: capture(Int(step.immediate))
    case .index: index(registers[Int(step.a)], registers[Int(step.b)])
    case .slice: slice(Int(step.immediate), registers)
    case .not: not(registers[Int(step.a)])
    case .negate: negate(registers[Int(step.a)])
    case .notEqual: not(equal(registers[Int(step.a)], registers[Int(step.b)], .notEqual))
    case .less: compare(.less, registers[Int(step.a)], registers[Int(step.b)])
    case .lessEqual: compare(.lessEqual, registers[Int(step.a)], registers[Int(step.b)])
    case .greater: compare(.greater, registers[Int(step.a)], registers[Int(step.b)])
    case .greaterEqual: compare(.greaterEqual, registers[Int(step.a)], registers[Int(step.b)])
    case .add: arithmetic(.add, registers[Int(step.a)], registers[Int(step.b)])
    case .subtract: arithmetic(.subtract, registers[Int(step.a)], registers[Int(step.b)])
    case .multiply: arithmetic(.multiply, registers[Int(step.a)], registers[Int(step.b)])
    case .divide: arithmetic(.divide, registers[Int(step.a)], registers[Int(step.b)])
    case .remainder: arithmetic(.remainder, registers[Int(step.a)], registers[Int(step.b)])
    case .isIn: isIn(registers[Int(step.a)], registers[Int(step.b)])
    case .has: has(step, registers)
    case .isType: isType(registers[Int(step.a)], TypeSet(rawValue: step.immediate))
    case .list, .map, .path: gather(step, registers)
    case .call: call(step, registers)
    case .method: method(step, registers)
    case .fetch: fetch(step, registers)
    case .matches: matches(registers[Int(step.a)], Int(step.immediate))
    case .lookup: lookup(registers[Int(step.a)], step.b)
    case .request, .resource, .member, .equal, .end, .move, .charge, .jump, .andFirst, .andNext,
      .andLast, .orFirst, .orNext, .orLast,
      .branch:
      .error
    }
  }
}
