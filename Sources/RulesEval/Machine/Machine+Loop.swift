import RulesLang

// The dispatch loop: first what changes the way, then what computes a register.

extension Machine {
  /// Runs code up to its end and returns the condition's result. In a marked program the observer sees every
  /// expression, up to the first that fails.
  mutating func run<Watch: Observer>(from start: Int, _ watch: inout Watch) -> Cell {
    var place = start
    while true {
      let step = code[place]
      place += 1
      switch step.operation {
      case .end:
        return registers[Int(step.a)]
      case .andFirst: place = junction(step, isAnd: true, isFirst: true, next: place)
      case .andNext: place = junction(step, isAnd: true, next: place)
      case .andLast: _ = join(step, isAnd: true)
      case .orFirst: place = junction(step, isAnd: false, isFirst: true, next: place)
      case .orNext: place = junction(step, isAnd: false, next: place)
      case .orLast: _ = join(step, isAnd: false)
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
          of: registers[Int(step.a)], named: Symbol(raw: step.immediate))
      case .equal:
        registers[Int(step.target)] = equal(registers[Int(step.a)], to: registers[Int(step.b)])
      case .request: registers[Int(step.target)] = current.request
      case .resource: registers[Int(step.target)] = current.resource
      case .notEqual:
        registers[Int(step.target)] = not(
          equal(registers[Int(step.a)], to: registers[Int(step.b)], as: .notEqual))
      case .capture: registers[Int(step.target)] = capture(Int(step.immediate))
      case .method: registers[Int(step.target)] = method(step)
      case .changesOnly:
        if let result = changesOnly(step) {
          registers[Int(step.target)] = result
          place += Instruction.changesOnlyLength
        }
      case .index, .slice, .not, .negate, .less, .lessEqual, .greater, .greaterEqual, .add,
        .subtract, .multiply, .divide, .remainder, .isIn, .has, .isType, .list, .map, .path, .call,
        .fetch, .matches, .lookup:
        registers[Int(step.target)] = compute(step)
      case .observe:
        if !show(step, to: &watch) { return .error }
      case .enter: enter(step, watchedBy: &watch)
      }
    }
  }

  /// Reports the value of an expression to the observer. False if it is an error: then the reference has to
  /// evaluate the condition for the reason.
  @inline(never)
  private mutating func show<Watch: Observer>(_ step: Instruction, to watch: inout Watch) -> Bool {
    guard let value = arena.value(of: registers[Int(step.a)]) else {
      isLeftToReference = true
      return false
    }
    watch.evaluated(
      ExprID(Int(step.immediate)), as: .value(value), in: activations[Int(step.b)])
    return true
  }

  /// Enters an activation and reports it: activations are numbered in the order in which they are entered.
  @inline(never)
  private mutating func enter<Watch: Observer>(_ step: Instruction, watchedBy watch: inout Watch) {
    lastActivation += 1
    activations[Int(step.a)] = lastActivation
    watch.enter(
      lastActivation, from: ExprID(Int(step.immediate)), in: activations[Int(step.b)])
  }

  /// Combines an operand into an `&&` or `||`, and returns the index of the next instruction.
  @inline(__always)
  private mutating func junction(
    _ step: Instruction, isAnd: Bool, isFirst: Bool = false, next: Int
  ) -> Int {
    if join(step, isAnd: isAnd, isFirst: isFirst) { return Int(step.immediate) }
    spent += Int(step.b)
    return next
  }

  /// Combines an operand into an `&&` or `||`. True if the operand decides.
  @inline(__always)
  private mutating func join(_ step: Instruction, isAnd: Bool, isFirst: Bool = false) -> Bool {
    let operand = registers[Int(step.a)]
    if operand.isBool(!isAnd) {
      registers[Int(step.target)] = operand
      return true
    }
    // The first failure stays the result.
    if isFirst || registers[Int(step.target)].kind != .error {
      registers[Int(step.target)] = operand.kind == .bool ? operand : .error
    }
    return false
  }

  /// Computes the result of an operation that is not in the hot loop.
  @inline(never)
  private mutating func compute(_ step: Instruction) -> Cell {
    switch step.operation {
    case .index: index(registers[Int(step.a)], by: registers[Int(step.b)])
    case .slice: slice(Int(step.immediate))
    case .not: not(registers[Int(step.a)])
    case .negate: negate(registers[Int(step.a)])
    case .less: compare(.less, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .lessEqual:
      compare(.lessEqual, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .greater: compare(.greater, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .greaterEqual:
      compare(.greaterEqual, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .add: arithmetic(.add, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .subtract:
      arithmetic(.subtract, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .multiply:
      arithmetic(.multiply, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .divide: arithmetic(.divide, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .remainder:
      arithmetic(.remainder, left: registers[Int(step.a)], right: registers[Int(step.b)])
    case .isIn: membership(of: registers[Int(step.a)], in: registers[Int(step.b)])
    case .has: has(step)
    case .isType: isType(of: registers[Int(step.a)], in: TypeSet(rawValue: step.immediate))
    case .list, .map, .path: gather(step)
    case .call: call(step)
    case .fetch: fetch(step)
    case .matches: matches(registers[Int(step.a)], pattern: Int(step.immediate))
    case .lookup: lookup(step)
    case .request, .resource, .capture, .member, .method, .changesOnly, .equal, .notEqual, .end,
      .move, .charge, .jump, .andFirst, .andNext,
      .andLast, .orFirst, .orNext, .orLast,
      .branch, .observe, .enter:
      .error
    }
  }
}
