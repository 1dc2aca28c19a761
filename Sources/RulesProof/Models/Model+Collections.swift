import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Maps and lists, from asserted keys and elements.

extension Model {
  // MARK: Maps and lists

  /// Returns the map of a class, with the asserted keys.
  func map(_ leader: Int32) -> MapValue {
    var map = MapValue()
    for fact in facts {
      guard case .apply(.has, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader,
        case .string(let key) = value(of: arguments[1])
      else { continue }
      map[key] = field(of: arguments[0], at: arguments[1])
    }
    addUnnamed(of: leader, to: &map)
    let forbidden = forbidden(theory.members(of: leader))
    // One more candidate than forbidden values always suffices, if there is a free key.
    for number in 0...forbidden.count where forbidden.contains(ConstantKey(of: .map(map))) {
      var other = map
      let value = Value.string(Text(number == 0 ? "more" : "more\(number)"))
      addFreeKey(of: leader, to: &other, value: value)
      if !forbidden.contains(ConstantKey(of: .map(other))) { map = other }
    }
    return map
  }

  /// Adds a key about which nothing was asserted, if there is one.
  func addFreeKey(of leader: Int32, to map: inout MapValue, value: Value) {
    let term = TermID(Int(leader))
    if truth(of: .unnamedKey, [term]) == nil, isUnchangedFree(leader) {
      map[unnamedKey(with: .added, number: 0)] = value
      return
    }
    for index in 0..<terms.count {
      guard case .apply(.has, let arguments) = terms[TermID(index)],
        isSame(arguments[0], term), truth(of: .has, arguments) == nil,
        case .string(let key) = terms.value(of: arguments[1]), map[key] == nil
      else { continue }
      map[key] = value
      return
    }
  }

  /// True if no fact says that a comparison adds no unnamed key to this map or removes none from it.
  private func isUnchangedFree(_ leader: Int32) -> Bool {
    isFalse.allSatisfy { term in
      guard case .apply(.unnamed(let fate), let arguments) = terms[term] else { return true }
      let place = fate == .added ? 0 : fate == .removed ? 1 : nil
      return place.map { theory.leader(of: arguments[$0]).raw != leader } ?? true
    }
  }

  /// Returns the value of a key, from the field's term if there is one.
  func field(of map: TermID, at key: TermID) -> Value {
    for term in index.fields {
      guard case .apply(_, let arguments) = terms[term],
        isSame(arguments[0], map), isSame(arguments[1], key)
      else { continue }
      return value(of: term)
    }
    return .string(Text("s\(next())"))
  }

  /// Adds unnamed keys for each asserted fate.
  func addUnnamed(of leader: Int32, to map: inout MapValue) {
    for fact in facts {
      guard case .apply(.unnamed(let fate), let arguments) = terms[fact] else { continue }
      let isAfter = theory.leader(of: arguments[0]).raw == leader
      let isBefore = theory.leader(of: arguments[1]).raw == leader
      guard isAfter || isBefore else { continue }
      let computed = computedKeys(with: fate, after: arguments[0], before: arguments[1])
      for number in 0..<max(0, extraKeys(with: fate, in: arguments) - computed) {
        let key = unnamedKey(with: fate, number: number)
        switch fate {
        case .added: if isAfter { map[key] = .string("new") }
        case .removed: if isBefore { map[key] = .string("old") }
        case .changed: map[key] = .string(isAfter ? "new" : "old")
        case .kept: map[key] = keptValue(arguments, isAfter: isAfter)
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
      // Computed keys count as unnamed, unless rules happen to name them.
      let computed = map.keys.count { !terms.mentions($0) }
      for number in 0..<max(0, extraKeys(with: .kept, in: arguments) - computed) {
        map[unnamedKey(with: .kept, number: number)] = .string(other(leader))
      }
    }
  }

  /// Returns the number of computed keys with a fate between two maps that no rule names, and which therefore
  /// count as unnamed.
  private func computedKeys(with fate: KeyFate, after: TermID, before: TermID) -> Int {
    var names: [Text] = []
    for fact in facts {
      guard case .apply(.has, let arguments) = terms[fact], terms.value(of: arguments[1]) == nil,
        isSame(arguments[0], after) || isSame(arguments[0], before),
        case .string(let name) = value(of: arguments[1]), !terms.mentions(name),
        !names.contains(name)
      else { continue }
      let key = arguments[1]
      let isAfter = truth(of: .has, [after, key]) == true
      let isBefore = truth(of: .has, [before, key]) == true
      let isSo =
        switch fate {
        case .added: isAfter && !isBefore
        case .removed: isBefore && !isAfter
        case .changed: isAfter && isBefore && !hasSame(key, after, before)
        case .kept: isAfter && isBefore && hasSame(key, after, before)
        }
      if isSo { names.append(name) }
    }
    return names.count
  }

  private func hasSame(_ key: TermID, _ one: TermID, _ other: TermID) -> Bool {
    ConstantKey(of: field(of: one, at: key)) == ConstantKey(of: field(of: other, at: key))
  }

  /// Returns a value for an unnamed key: different in each map, since maps may have to differ, but
  /// equal in a document and in the filters' promise about it.
  private func other(_ leader: Int32) -> Text {
    let place: [Text]? = theory.members(of: leader).compactMap { self.fieldNames(of: $0) }.first
    if let place, let known = otherValues[place] { return known }
    otherCount += 1
    let value = Text(otherCount == 1 ? "other" : "other\(otherCount)")
    if let place { otherValues[place] = value }
    return value
  }

  /// Returns the field path of a term in the request's document or in the filters' promise,
  /// innermost name first; nil for other terms. Equal paths belong together.
  private func fieldNames(of term: TermID) -> [Text]? {
    var (names, part): ([Text], TermID) = ([], term)
    while case .apply(.field, let arguments) = terms[part],
      case .string(let key) = terms.value(of: arguments[1])
    {
      names.append(key)
      part = arguments[0]
    }
    return part == scene.promise || part == scene.before ? names : nil
  }

  /// Returns the value of a key that is kept between two maps. If the maps must be odd, or differ,
  /// this value makes them so.
  private func keptValue(_ maps: [TermID], isAfter: Bool) -> Value {
    if maps.contains(where: { truth(of: .odd, [$0]) == true }) { return .float(.nan) }
    let isDifferent = maps.allSatisfy { map in
      theory.members(of: theory.leader(of: map).raw).contains { member in
        theory.differences[member.index].contains { difference in
          maps.contains { isSame($0, difference.other) }
        }
      }
    }
    return isDifferent ? (isAfter ? .float(7) : .int(7)) : .string("same")
  }

  /// Returns the number of unnamed keys needed: one, or the number that a count requires.
  func extraKeys(with fate: KeyFate, in maps: [TermID]) -> Int {
    var count = 1
    for term in isFalse {
      guard case .apply(.unnamedFew(let code), let arguments) = terms[term],
        arguments.count == maps.count, code & (1 << Int(fate.rawValue)) != 0,
        zip(arguments, maps).allSatisfy({ isSame($0, $1) })
      else { continue }
      count = max(count, code / 16)
    }
    return count
  }

  /// Returns a key that no rule names.
  func unnamedKey(with fate: KeyFate, number: Int) -> Text {
    let names = ["newField", "oldField", "otherField", "sameField"]
    var name = Text(names[Int(fate.rawValue)] + (number == 0 ? "" : "\(number)"))
    while terms.mentions(name) { name.append(Text("_")) }
    return name
  }

  /// A property that a list needs beside its asserted elements.
  enum ListWish {
    case nothing
    /// An element unequal to itself.
    case odd
    /// An element to which another value is nearly equal.
    case near
  }

  func list(for leader: Int32, members: [TermID], wish: ListWish = .nothing) -> [Value] {
    let size = listSize(leader)
    var elements: [Value] = []
    var places: [(Int, Value)] = []
    var allowed: [[Value]] = []
    for term in index.elements {
      // Nothing was asserted about elements beyond the end.
      guard case .apply(_, let arguments) = terms[term],
        theory.leader(of: arguments[0]).raw == leader,
        case .int(let place) = terms.value(of: arguments[1]), place >= 0,
        place < size.lower
      else { continue }
      places.append((Int(place), value(of: term)))
    }
    for fact in facts {
      guard case .apply(let op, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader
      else { continue }
      if op == .member { elements.append(value(of: arguments[1])) }
      if op == .onlyElements, case .list(let values) = terms.value(of: arguments[1]) {
        allowed.append(values)
      }
    }
    elements += included(in: leader)
    allowed += including(leader)
    var padding = padding(for: leader, allowed: allowed, wish: wish)
    if padding == nil, isPartOfUnknown(leader) {
      // The fewer different values this list has, the smaller the superset can be.
      padding = [elements.first ?? places.first?.1 ?? .string(Text("s\(next())"))]
    }
    addOutsiders(of: leader, padding: padding, placed: places.map { $0.1 }, to: &elements)
    let known = elements + places.map { $0.1 }
    switch wish {
    case .odd where !known.contains { !Value.areEqual($0, $0) }: elements.append(.float(.nan))
    case .near where !known.contains { $0.nearVariant != nil }: elements.append(.int(7))
    case .odd, .near, .nothing: break
    }
    var slots = arrange(elements, places: places, size: size)
    let (others, sizes) = (forbidden(members), forbiddenSizes(of: leader))
    let greatest = theory.demand(on: leader).upper ?? .max
    for attempt in 0..<Strategy.tries {
      let list = slots.map { $0 ?? pad(with: padding, attempt: attempt) }
      if !sizes.contains(Int64(list.count)), !others.contains(ConstantKey(of: .list(list))) {
        return list
      }
      // One more element makes a different list, even if this size was derived.
      if slots.count < greatest { slots.append(nil) }
    }
    return slots.map { $0 ?? pad(with: padding, attempt: 0) }
  }

  /// Returns the possible values of unconstrained elements; nil for any value.
  private func padding(for leader: Int32, allowed: [[Value]], wish: ListWish) -> [Value]? {
    guard let first = allowed.first else { return nil }
    let excluded = isFalse.compactMap { term -> Value? in
      guard case .apply(.member, let arguments) = terms[term],
        theory.leader(of: arguments[0]).raw == leader
      else { return nil }
      return value(of: arguments[1])
    }
    let choices = first.filter { value in
      allowed.allSatisfy { values in values.contains { Value.areMembers(value, $0) } }
        && !excluded.contains { Value.areMembers(value, $0) }
    }
    return wish == .near ? choices.filter { $0.nearVariant != nil } + choices : choices
  }

  private func pad(with padding: [Value]?, attempt: Int) -> Value {
    guard let padding, !padding.isEmpty else { return .string(Text("s\(next())")) }
    return padding[attempt % padding.count]
  }

  /// Adds an element for each `hasOnly` comparison that is false.
  private func addOutsiders(
    of leader: Int32, padding: [Value]?, placed: [Value], to elements: inout [Value]
  ) {
    // In order, since an added element may be outside the next list, too.
    for term in isFalse.sorted() {
      guard case .apply(.onlyElements, let arguments) = terms[term],
        theory.leader(of: arguments[0]).raw == leader,
        case .list(let values) = terms.value(of: arguments[1])
      else { continue }
      func isOutside(_ element: Value) -> Bool {
        !values.contains { Value.areMembers(element, $0) }
      }
      if (elements + placed).contains(where: isOutside) { continue }
      elements.append(padding?.first(where: isOutside) ?? .string(Text("s\(next())")))
    }
  }

  /// Returns the bounds of a list's size.
  func listSize(_ leader: Int32) -> (lower: Int, upper: Int) {
    let demand = demand(on: leader)
    return (min(demand.lower, Strategy.elements), demand.upper ?? .max)
  }

  /// True if a list has more different members than its size allows: the search compares members in
  /// pairs and does not count them.
  var hasCrowdedList: Bool {
    var members: [Int32: Set<ConstantKey>] = [:]
    for fact in facts {
      guard case .apply(.member, let arguments) = terms[fact] else { continue }
      let leader = theory.leader(of: arguments[0]).raw
      members[leader, default: []].insert(ConstantKey(of: value(of: arguments[1])))
    }
    return members.contains { leader, values in values.count > listSize(leader).upper }
  }

  /// Arranges elements at their indices and the others in the gaps.
  func arrange(
    _ elements: [Value], places: [(Int, Value)], size: (lower: Int, upper: Int)
  ) -> [Value?] {
    var slots: [Value?] = []
    for (place, value) in places {
      while slots.count <= place { slots.append(nil) }
      slots[place] = value
    }
    var open: [Value] = []
    var known: Set<ConstantKey> = []
    for (_, value) in places { known.insert(ConstantKey(of: value)) }
    for element in elements where known.insert(ConstantKey(of: element)).inserted {
      open.append(element)
    }
    for place in slots.indices where slots[place] == nil {
      slots[place] = open.isEmpty ? nil : open.removeFirst()
    }
    slots += open.map { $0 }
    while slots.count < size.lower { slots.append(nil) }
    return slots
  }
}

extension TermTable {
  /// True if a string is among the constants.
  func mentions(_ text: Text) -> Bool {
    (0..<count).contains { index in
      if case .string(let known) = value(of: TermID(index)) { return known == text }
      return false
    }
  }
}
