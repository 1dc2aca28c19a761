import RulesLang

// Operators and postfix forms on cells. An operation that plain data does not decide goes through values to
// the same `Operations` that the reference uses.

extension Machine {
  /// Returns the cell of a computation's result, or of its error.
  @inline(never)
  mutating func attempt(
    _ body: () throws(EvaluationError.Reason) -> Value
  ) -> Cell {
    do throws(EvaluationError.Reason) {
      return arena.lazily(try body())
    } catch {
      if case .patternTooLarge = error { isLeftToReference = true }
      return .error
    }
  }

  @inline(never)
  private mutating func apply(_ op: BinaryOperator, to left: Cell, and right: Cell) -> Cell {
    guard let one = arena.value(of: left), let two = arena.value(of: right) else { return .error }
    return attempt { () throws(EvaluationError.Reason) in
      try Operations.apply(op, to: one, and: two)
    }
  }

  // MARK: Comparison

  /// Evaluates `left == right`; with `notEqual`, the negation of `left != right`, which differs only if a
  /// constraint of a query is compared.
  @inline(__always)
  mutating func equal(_ left: Cell, to right: Cell, as op: BinaryOperator = .equal) -> Cell {
    // The most frequent comparisons: two strings, and a value with null.
    if left.kind == .text, right.kind == .text {
      return .bool(arena.areTextsEqual(left.place, right.place))
    }
    if right.kind == .null, left.kind != .error, left.kind != .boxed {
      return .bool(left.kind == .null)
    }
    return equalAtLength(left, to: right, as: op)
  }

  @inline(never)
  private mutating func equalAtLength(_ left: Cell, to right: Cell, as op: BinaryOperator) -> Cell {
    if left.kind == .error || right.kind == .error { return .error }
    if let same = arena.areEqual(left, right) { return .bool(same) }
    let result = apply(op, to: left, and: right)
    return op == .equal ? result : not(result)
  }

  /// Evaluates an ordering comparison.
  mutating func compare(_ op: BinaryOperator, left: Cell, right: Cell) -> Cell {
    guard left.kind == .int, right.kind == .int else { return apply(op, to: left, and: right) }
    switch op {
    case .less: return .bool(left.asInt < right.asInt)
    case .lessEqual: return .bool(left.asInt <= right.asInt)
    case .greater: return .bool(left.asInt > right.asInt)
    case .greaterEqual: return .bool(left.asInt >= right.asInt)
    case .or, .and, .in, .equal, .notEqual, .add, .subtract, .multiply, .divide, .remainder:
      return .error
    }
  }

  /// Evaluates an arithmetic operation.
  mutating func arithmetic(_ op: BinaryOperator, left: Cell, right: Cell) -> Cell {
    guard left.kind == .int, right.kind == .int else { return apply(op, to: left, and: right) }
    let result: Int64?
    switch op {
    case .add: result = Arithmetic.sum(of: left.asInt, and: right.asInt)
    case .subtract: result = Arithmetic.difference(of: left.asInt, and: right.asInt)
    case .multiply: result = Arithmetic.product(of: left.asInt, and: right.asInt)
    case .divide: result = Arithmetic.quotient(of: left.asInt, by: right.asInt)
    case .remainder: result = Arithmetic.remainder(of: left.asInt, by: right.asInt)
    case .or, .and, .in, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual:
      result = nil
    }
    return result.map { .int($0) } ?? .error
  }

  /// `!operand`.
  @inline(__always)
  mutating func not(_ operand: Cell) -> Cell {
    operand.kind == .bool ? .bool(operand.bits == 0) : .error
  }

  /// `-operand`.
  @inline(never)
  mutating func negate(_ operand: Cell) -> Cell {
    guard let value = arena.value(of: operand) else { return .error }
    return attempt { () throws(EvaluationError.Reason) in try Operations.negate(value) }
  }

  /// `operand is T`.
  mutating func isType(of operand: Cell, in types: TypeSet) -> Cell {
    arena.type(of: operand).map { .bool(types.contains($0)) } ?? .error
  }

  // MARK: in

  /// `element in container`.
  mutating func membership(of element: Cell, in container: Cell) -> Cell {
    if element.kind == .error || container.kind == .error { return .error }
    let isSimple = element.kind.rawValue <= Cell.Kind.text.rawValue
    switch container.kind {
    case .list where isSimple:
      for place in Int(container.index)..<(Int(container.index) + Int(container.bits))
      where arena.cells[place].kind == element.kind
        && arena.areEqual(element, arena.cells[place]) == true
      {
        return .isTrue
      }
      return .isFalse
    case .map where element.kind == .text, .keys where element.kind == .text:
      return .bool(arena.find(element.place, in: arena.maps[Int(container.index)]) != nil)
    case .changes where element.kind == .text:
      return .bool(arena.changes(container, have: element.place))
    case .error, .null, .bool, .int, .float, .text, .list, .map, .keys, .diff, .changes, .boxed:
      guard let value = arena.value(of: element), let collection = arena.value(of: container),
        Operations.unsearchable(collection) == nil
      else { return .error }
      return attempt { () throws(EvaluationError.Reason) in
        .bool(try Operations.collection(collection, contains: value))
      }
    }
  }

  /// `'name' in container`.
  mutating func has(_ step: Instruction) -> Cell {
    let container = registers[Int(step.b)]
    let symbol = Symbol(raw: step.immediate)
    switch container.kind {
    case .map, .keys: return .bool(arena.member(of: container, named: symbol) != nil)
    case .boxed:
      if case .map(let map) = arena.boxes[Int(container.index)] {
        return .bool(map.contains(program.symbols.name(symbol)))
      }
      return membership(of: registers[Int(step.a)], in: container)
    case .error, .null, .bool, .int, .float, .text, .list, .diff, .changes:
      return membership(of: registers[Int(step.a)], in: container)
    }
  }

  // MARK: Members, indices, slices

  /// `base.name`.
  @inline(__always)
  mutating func member(of base: Cell, named symbol: Symbol) -> Cell {
    if base.kind == .map { return arena.member(of: base, named: symbol) ?? .error }
    return base.kind == .boxed ? boxedMember(of: base, named: symbol) : .error
  }

  @inline(never)
  private mutating func boxedMember(of base: Cell, named symbol: Symbol) -> Cell {
    let name = program.symbols.name(symbol)
    if case .map(let map) = arena.boxes[Int(base.index)] {
      return map[name].map { arena.lazily($0) } ?? .error
    }
    let value = arena.boxes[Int(base.index)]
    return attempt { () throws(EvaluationError.Reason) in
      try Operations.member(of: value, named: name)
    }
  }

  /// `base[key]`.
  @inline(never)
  mutating func index(_ base: Cell, by key: Cell) -> Cell {
    if base.kind == .error || key.kind == .error { return .error }
    if base.kind == .list, key.kind == .int {
      guard key.asInt >= 0, key.asInt < Int64(base.bits) else { return .error }
      return arena.cells[Int(base.index) + Int(key.asInt)]
    }
    if base.kind == .map, key.kind == .text {
      return arena.find(key.place, in: arena.maps[Int(base.index)])
        .map { arena.entries[$0].value } ?? .error
    }
    guard let value = arena.value(of: base), let place = arena.value(of: key),
      Operations.unindexable(value) == nil
    else { return .error }
    return attempt { () throws(EvaluationError.Reason) in try Operations.index(value, by: place) }
  }

  /// `base[from:to]`.
  @inline(never)
  mutating func slice(_ first: Int) -> Cell {
    guard let value = arena.value(of: registers[Int(operands[first])]),
      let from = arena.value(of: registers[Int(operands[first + 1])]),
      let to = arena.value(of: registers[Int(operands[first + 2])]),
      Operations.unsliceable(value) == nil
    else { return .error }
    return attempt { () throws(EvaluationError.Reason) in
      try Operations.slice(value, from: from, to: to)
    }
  }

  // MARK: Leaves and literals

  /// Returns the value of a capture of the current block.
  @inline(__always)
  mutating func capture(_ slot: Int) -> Cell {
    let step = Int(captureSteps[Int(firstCaptures[block]) + slot])
    if step >= 0 {
      let place = Int(current.firstStep) + step
      if steps[place].isSegment { return Cell(segments[place]) }
    }
    return otherCapture(slot)
  }

  @inline(never)
  private mutating func otherCapture(_ slot: Int) -> Cell {
    let cell = ownCapture(slot)
    guard cell.kind == .error else { return cell }
    let match = program.dispatch.blocks[block].match
    return program.rules.matches[match.index].hiddenCapture(by: slot).map { capture($0) } ?? cell
  }

  /// Returns a capture's own value, even if it is an error and an outer capture of the same name is read
  /// instead.
  private mutating func ownCapture(_ slot: Int) -> Cell {
    let start = Int(current.firstStep)
    let end = start + Int(current.stepCount)
    switch program.dispatch.sources[program.dispatch.blocks[block].firstSource + slot] {
    case .fromStart(let place): return segment(start + place)
    case .fromEnd(let place): return segment(end - place)
    case .run(let before, let after):
      var parts: [PathValue.Segment] = []
      for place in (start + before)..<(end - after) {
        if steps[place].isSegment {
          parts.append(.plain(arena.text(at: segments[place])))
        } else {
          // In version 1, reading a glob that does not match a single document is an error.
          if engine.rules.ruleset.version == .one { return .error }
          parts.append(
            steps[place].raw == Dispatch.Step.anyRun.raw
              ? .glob(Text(), nil) : .capture(Text(), nil))
        }
      }
      return arena.box(.path(PathValue(parts)))
    }
  }

  private func segment(_ place: Int) -> Cell {
    // Reading the ID is an error if there is no single document.
    steps[place].isSegment ? Cell(segments[place]) : .error
  }

  /// Makes a list, map or path of operands.
  @inline(never)
  mutating func gather(_ step: Instruction) -> Cell {
    let first = Int(step.immediate)
    var cells: [Cell] = []
    for place in first..<(first + Int(step.a)) {
      let cell = registers[Int(operands[place])]
      if cell.kind == .error { return .error }
      cells.append(cell)
    }
    switch step.operation {
    case .list:
      if isTooHeavy(cells) { return .error }
      return arena.list(cells)
    case .map: return map(cells)
    default: return path(paths[Int(step.b)], with: cells)
    }
  }

  private mutating func map(_ cells: [Cell]) -> Cell {
    var map = MapValue()
    for place in stride(from: 0, to: cells.count, by: 2) {
      guard case .string(let key) = arena.value(of: cells[place]),
        let value = arena.value(of: cells[place + 1])
      else { return .error }
      map[key] = value
    }
    if Value.areTooHeavy([.map(map)]) {
      isLeftToReference = true
      return .error
    }
    return arena.box(.map(map))
  }

  /// True if a list of the elements exceeds `Value.greatestWeight`; the reference then reports the error.
  private mutating func isTooHeavy(_ cells: [Cell]) -> Bool {
    guard cells.contains(where: { $0.kind == .list || $0.kind == .boxed }) else { return false }
    var left = Value.greatestWeight
    var open = cells
    while let cell = open.popLast(), left >= 0 {
      left -= 1
      switch cell.kind {
      case .list:
        for place in 0..<Int(cell.bits) { open.append(arena.cells[Int(cell.index) + place]) }
      case .boxed:
        if let value = arena.value(of: cell), Value.areTooHeavy([value]) { left = -1 }
      case .error, .null, .bool, .int, .float, .text, .map, .keys, .diff, .changes: break
      }
    }
    if left < 0 { isLeftToReference = true }
    return left < 0
  }

  private mutating func path(_ form: [Program.PathStep], with cells: [Cell]) -> Cell {
    var segments: [PathValue.Segment] = []
    var next = 0
    for step in form {
      switch step {
      case .literal(let text): segments.append(.plain(text))
      case .capture(let name): segments.append(.capture(name, nil))
      case .glob(let name): segments.append(.glob(name, nil))
      case .operand:
        guard let value = arena.value(of: cells[next]) else { return .error }
        next += 1
        if case .path(let path) = value {
          segments += path.segments
        } else if let text = try? Functions.string(value) {
          segments.append(.plain(text))
        } else {
          return .error
        }
      }
    }
    let path = PathValue(segments)
    return path.repeatedName == nil ? arena.box(.path(path)) : .error
  }
}
