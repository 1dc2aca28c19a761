import RulesLang

// Built-ins on cells. The ones that ordinary rules are full of work on plain data; all others go
// through values to the same `Functions` that the reference uses.

extension Machine {
  /// Calls a built-in function.
  @inline(never)
  mutating func call(_ step: Instruction) -> Cell {
    guard let builtin = Builtin(rawValue: UInt8(truncatingIfNeeded: step.b)),
      let arguments = values(from: Int(step.immediate), count: Int(step.a))
    else { return .error }
    return call(builtin, on: nil, with: arguments)
  }

  private mutating func call(_ builtin: Builtin, on receiver: Value?, with arguments: [Value])
    -> Cell
  {
    if builtin == .debug, !services.hasDebug { return .error }
    // A lookup with one argument has an instruction of its own; any other count is an error.
    if builtin.isLookup { return .error }
    return attempt { () throws(EvaluationError.Reason) in
      try PureFunctions.call(builtin, on: receiver, with: arguments)
    }
  }

  /// Returns the values of operands; nil if one is an error.
  private func values(from first: Int, count: Int) -> [Value]? {
    var values: [Value] = []
    for place in first..<(first + count) {
      guard let value = arena.value(of: registers[Int(operands[place])]) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// Evaluates `get`, `exists`, `getAfter` and `existsAfter`.
  mutating func lookup(_ step: Instruction) -> Cell {
    let known = registers[Int(step.target)]
    if step.immediate == 1, known.kind != .error { return known }
    let path = registers[Int(step.a)]
    guard let builtin = Builtin(rawValue: UInt8(truncatingIfNeeded: step.b)),
      path.kind == .boxed, case .path(let path) = arena.boxes[Int(path.index)]
    else { return .error }
    do throws(EvaluationError.Reason) {
      let answer = try services.answer(builtin, for: path, with: &lookups)
      if let varied, case .map = answer, varied.isAt(path, in: program.rules.database) {
        return builtin == .getAfter ? varied.after : varied.before
      }
      return arena.lazily(answer)
    } catch {
      return .error
    }
  }

  /// Calls a method.
  @inline(never)
  mutating func method(_ step: Instruction) -> Cell {
    let first = Int(step.immediate)
    let receiver = registers[Int(operands[first])]
    guard let type = arena.type(of: receiver),
      let builtin = methods[Int(step.b) * typeCount + Int(type.rawValue)]
    else { return .error }
    if step.a == 1, let quick = quick(builtin, on: receiver) { return quick }
    if step.a == 2 {
      let argument = registers[Int(operands[first + 1])]
      if argument.kind == .error { return .error }
      if let quick = quick(builtin, on: receiver, with: argument) { return quick }
    }
    if builtin == .mapGet, step.a == 3 {
      let (path, fallback) = (
        registers[Int(operands[first + 1])], registers[Int(operands[first + 2])]
      )
      if let found = fetch(path, from: receiver, or: fallback) { return found }
    }
    guard let value = arena.value(of: receiver),
      let arguments = values(from: first + 1, count: Int(step.a) - 1)
    else { return .error }
    return call(builtin, on: value, with: arguments)
  }

  /// Evaluates `map.get(name, fallback)`.
  @inline(never)
  mutating func fetch(_ step: Instruction) -> Cell {
    let base = registers[Int(step.a)]
    let fallback = registers[Int(step.b)]
    if fallback.kind == .error { return .error }
    let symbol = Symbol(raw: step.immediate)
    if base.kind == .map { return arena.member(of: base, named: symbol) ?? fallback }
    guard base.kind == .boxed, case .map(let map) = arena.boxes[Int(base.index)] else {
      return .error
    }
    let name = program.symbols.name(symbol)
    if map.unknownKey == name { return .error }
    return map[name].map { arena.lazily($0) } ?? fallback
  }

  /// Evaluates `map.get(names, fallback)` on cells; nil if it has to be evaluated on values.
  private mutating func fetch(_ path: Cell, from map: Cell, or fallback: Cell) -> Cell? {
    if fallback.kind == .error { return .error }
    guard path.kind == .list else { return nil }
    let steps = Int(path.index)..<(Int(path.index) + Int(path.bits))
    for place in steps where arena.cells[place].kind != .text { return nil }
    var here = map
    for place in steps {
      // Only maps with known keys can be read here.
      if here.kind == .boxed, case .map = arena.boxes[Int(here.index)],
        arena.map(of: here, program.symbols) == nil
      {
        return nil
      }
      guard let next = step(from: here, to: arena.cells[place].place) else { return fallback }
      here = next
    }
    return here
  }

  /// Returns the value of a key; nil if there is no map, or no such key in it.
  private mutating func step(from map: Cell, to key: TextPlace) -> Cell? {
    guard let map = arena.map(of: map, program.symbols) else { return nil }
    return arena.find(key, in: arena.maps[Int(map.index)]).map { arena.entries[$0].value }
  }

  /// Evaluates `text.matches(pattern)` with a compiled pattern.
  mutating func matches(_ text: Cell, pattern: Int) -> Cell {
    guard text.kind == .text else { return .error }
    return .bool(patterns[pattern].matches(arena.text(at: text.place)))
  }

  // MARK: On plain data

  /// Evaluates a method without arguments on cells; nil if it has to be evaluated on values.
  private mutating func quick(_ builtin: Builtin, on receiver: Cell) -> Cell? {
    switch (builtin, receiver.kind) {
    case (.mapSize, .map), (.listSize, .keys):
      return .int(Int64(arena.maps[Int(receiver.index)].count))
    case (.listSize, .list): return .int(Int64(receiver.bits))
    case (.stringSize, .text): return .int(Int64(arena.unitCount(receiver.place)))
    case (.mapKeys, _):
      guard let map = arena.map(of: receiver, program.symbols) else { return nil }
      return Cell(kind: .keys, index: map.index, bits: map.bits)
    case (.diffAddedKeys, .diff): return changes(in: receiver, of: MapDiff.Status.added.bit)
    case (.diffRemovedKeys, .diff): return changes(in: receiver, of: MapDiff.Status.removed.bit)
    case (.diffChangedKeys, .diff): return changes(in: receiver, of: MapDiff.Status.changed.bit)
    case (.diffUnchangedKeys, .diff): return changes(in: receiver, of: MapDiff.Status.unchanged.bit)
    case (.diffAffectedKeys, .diff): return changes(in: receiver, of: MapDiff.Status.affected)
    default: return nil
    }
  }

  private func changes(in diff: Cell, of statuses: UInt8) -> Cell {
    Cell(kind: .changes, mask: statuses, index: diff.index, bits: diff.bits)
  }

  /// Evaluates a method with one argument on cells; nil if it has to be evaluated on values.
  private mutating func quick(_ builtin: Builtin, on receiver: Cell, with argument: Cell) -> Cell? {
    if builtin == .mapDiff { return diff(of: receiver, with: argument) }
    guard argument.kind == .list else { return nil }
    switch (builtin, receiver.kind) {
    case (.setHasAny, .changes)
    where argument.mask == 0 && argument.bits <= Arena.fewKeys:
      return .bool(
        !arena.allElements(argument) { $1.kind != .text || !$0.changes(receiver, have: $1.place) })
    case (.setHasOnly, .changes) where argument.mask == 0 && arena.isSoonCompared(receiver):
      return .bool(arena.allChanges(receiver) { $0.list(argument, contains: $1) })
    case (.setHasAny, .changes) where argument.mask == 0 && arena.isSoonCompared(receiver):
      return .bool(!arena.allChanges(receiver) { !$0.list(argument, contains: $1) })
    case (.listHasOnly, .keys):
      return .bool(arena.allKeys(receiver) { $0.list(argument, contains: $1) })
    case (.listHasAny, .keys):
      return .bool(!arena.allKeys(receiver) { !$0.list(argument, contains: $1) })
    case (.listHasAll, .keys):
      let map = arena.maps[Int(receiver.index)]
      return .bool(
        arena.allElements(argument) {
          $1.kind == .text && $0.find($1.place, in: map) != nil
        })
    default: return nil
    }
  }

  /// Evaluates `after.diff(before).affectedKeys().hasOnly(list)` on cells; nil if it has to be evaluated on
  /// values.
  @inline(never)
  mutating func changesOnly(_ step: Instruction) -> Cell? {
    let list = registers[Int(step.immediate)]
    guard list.kind == .list, list.mask == 0,
      let diff = diff(of: registers[Int(step.a)], with: registers[Int(step.b)])
    else { return nil }
    let changes = changes(in: diff, of: MapDiff.Status.affected)
    if !arena.isSoonCompared(changes) { return nil }
    return .bool(arena.allChanges(changes) { $0.list(list, contains: $1) })
  }

  @inline(__always)
  private mutating func diff(of receiver: Cell, with argument: Cell) -> Cell? {
    guard let after = arena.map(of: receiver, program.symbols), after.mask == 0,
      let before = arena.map(of: argument, program.symbols), before.mask == 0
    else { return nil }
    return Cell(kind: .diff, index: after.index, bits: UInt64(before.index))
  }
}

extension Arena {
  /// True if every key of a map satisfies a predicate.
  fileprivate func allKeys(_ keys: Cell, satisfy isGood: (borrowing Arena, TextPlace) -> Bool)
    -> Bool
  {
    let map = maps[Int(keys.index)]
    for place in Int(map.first)..<Int(map.first + map.count)
    where !isGood(self, entries[place].key) {
      return false
    }
    return true
  }

  /// True if every element of a list satisfies a predicate.
  fileprivate func allElements(_ list: Cell, satisfy isGood: (borrowing Arena, Cell) -> Bool)
    -> Bool
  {
    for place in Int(list.index)..<(Int(list.index) + Int(list.bits))
    where !isGood(self, cells[place]) {
      return false
    }
    return true
  }

  /// The number of UTF-16 units of a text.
  fileprivate func unitCount(_ place: TextPlace) -> Int {
    var count = 0
    for offset in 0..<Int(place.count) {
      let word = words[Int(place.start) + offset / 8]
      let byte = UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8))
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    }
    return count
  }
}

extension MapDiff.Status {
  /// The bit of the status in a cell's mask.
  var bit: UInt8 { 1 << rawValue }

  /// The bits of every status but `unchanged`.
  static var affected: UInt8 { added.bit | removed.bit | changed.bit }
}
