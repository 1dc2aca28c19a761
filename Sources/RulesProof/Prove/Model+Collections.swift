import RulesEval
import RulesLang

// Maps and lists, with what was asserted of their keys and elements.

extension Model {
  // MARK: Maps and lists

  /// The map of a class: the keys that were asserted, with their values.
  func map(_ leader: Int32) -> MapValue {
    var map = MapValue()
    for fact in facts {
      guard case .apply(.has, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader,
        case .string(let key) = value(of: arguments[1])
      else { continue }
      map[key] = field(arguments[0], arguments[1])
    }
    addUnnamed(leader, &map)
    return map
  }

  /// The value of a key: of the field's term if there is one.
  func field(_ map: TermID, _ key: TermID) -> Value {
    for index in 0..<terms.count {
      guard case .apply(.field, let arguments) = terms[TermID(index)],
        isSame(arguments[0], map), isSame(arguments[1], key)
      else { continue }
      return value(of: TermID(index))
    }
    return .string(Text("s\(next())"))
  }

  /// Keys that nobody names, for each fate that was asserted.
  func addUnnamed(_ leader: Int32, _ map: inout MapValue) {
    for fact in facts {
      guard case .apply(.unnamed(let fate), let arguments) = terms[fact] else { continue }
      let isAfter = theory.leader(of: arguments[0]).raw == leader
      let isBefore = theory.leader(of: arguments[1]).raw == leader
      guard isAfter || isBefore else { continue }
      for number in 0..<extraKeys(fate, arguments) {
        let key = unnamedKey(fate, number)
        switch fate {
        case .added: if isAfter { map[key] = .string("new") }
        case .removed: if isBefore { map[key] = .string("old") }
        case .changed: map[key] = .string(isAfter ? "new" : "old")
        case .kept: map[key] = .string("same")
        }
      }
    }
    let isCompared = facts.contains { fact in
      guard case .apply(.unnamed, let arguments) = terms[fact] else { return false }
      return arguments.contains { theory.leader(of: $0).raw == leader }
    }
    guard !isCompared else { return }
    for fact in facts {
      guard case .apply(.unnamedKey, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader
      else { continue }
      for number in 0..<extraKeys(.kept, arguments) {
        map[unnamedKey(.kept, number)] = .string("other")
      }
    }
  }

  /// How many unnamed keys it takes: one, or as many as a count asked for.
  func extraKeys(_ fate: KeyFate, _ maps: [TermID]) -> Int {
    var count = 1
    for term in isFalse {
      guard case .apply(.unnamedFew(let code), let arguments) = terms[term],
        arguments.count == maps.count, code > 0, code & (1 << Int(fate.rawValue)) != 0,
        zip(arguments, maps).allSatisfy({ isSame($0, $1) })
      else { continue }
      count = max(count, code / 16)
    }
    return count
  }

  /// A name that nobody names.
  func unnamedKey(_ fate: KeyFate, _ number: Int) -> Text {
    let names = ["newField", "oldField", "otherField", "sameField"]
    var name = Text(names[Int(fate.rawValue)] + (number == 0 ? "" : "\(number)"))
    while terms.mentions(name) { name.append(Text("_")) }
    return name
  }

  func list(_ leader: Int32, _ members: [TermID]) -> [Value] {
    var elements: [Value] = []
    var places: [(Int, Value)] = []
    var padding: [Value] = []
    for index in 0..<terms.count {
      guard case .apply(.element, let arguments) = terms[TermID(index)],
        theory.leader(of: arguments[0]).raw == leader,
        case .int(let place) = terms.value(of: arguments[1]), place < 64
      else { continue }
      places.append((Int(place), value(of: TermID(index))))
    }
    for fact in facts {
      guard case .apply(let op, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader
      else { continue }
      if op == .member { elements.append(value(of: arguments[1])) }
      if op == .onlyElements, case .list(let allowed) = terms.value(of: arguments[1]) {
        padding = allowed
      }
    }
    for term in isFalse {
      if case .apply(.onlyElements, let arguments) = terms[term],
        theory.leader(of: arguments[0]).raw == leader
      {
        elements.append(.string(Text("s\(next())")))
      }
    }
    var list = arrange(elements, places, padding, size: listSize(leader))
    // One more element makes another list of another size.
    for _ in 0..<8 where isForbidden(list, leader, members) {
      list.append(padding.first ?? .string(Text("s\(next())")))
    }
    return list
  }

  /// Whether the class was asserted to be another list, or one of another size.
  private func isForbidden(_ list: [Value], _ leader: Int32, _ members: [TermID]) -> Bool {
    if forbidden(members).contains(ConstantKey(of: .list(list))) { return true }
    let size = ConstantKey(of: .int(Int64(list.count)))
    return (0..<terms.count).contains { index in
      guard case .apply(.size, let arguments) = terms[TermID(index)],
        theory.leader(of: arguments[0]).raw == leader
      else { return false }
      return forbidden(theory.members(of: theory.leader(of: TermID(index)).raw)).contains(size)
    }
  }

  /// The bounds of the size of a list.
  func listSize(_ leader: Int32) -> (lower: Int, upper: Int) {
    let demand = theory.demand(on: leader)
    return (min(demand.lower, 10_000), demand.upper ?? .max)
  }

  func arrange(
    _ elements: [Value], _ places: [(Int, Value)], _ padding: [Value],
    size: (lower: Int, upper: Int)
  ) -> [Value] {
    var slots: [Value?] = []
    for (place, value) in places {
      while slots.count <= place { slots.append(nil) }
      slots[place] = value
    }
    var open = elements.filter { element in
      !slots.contains { $0.map { ConstantKey(of: $0) == ConstantKey(of: element) } ?? false }
    }
    for place in slots.indices where slots[place] == nil {
      slots[place] = open.isEmpty ? nil : open.removeFirst()
    }
    slots += open.map { $0 }
    while slots.count < size.lower { slots.append(nil) }
    return slots.map { $0 ?? padding.first ?? .string(Text("s\(next())")) }
  }
}

extension TermTable {
  /// Whether a text is among the constants.
  func mentions(_ text: Text) -> Bool {
    (0..<count).contains { index in
      if case .string(let known) = value(of: TermID(index)) { return known == text }
      return false
    }
  }
}
