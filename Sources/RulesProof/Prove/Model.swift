import RulesEval
import RulesLang

// Turns the end of a search into values: a request. Classes of terms get values that are different
// where they must be, as plain as possible, and known to people where there is a custom: alice owns
// the document, mallory is somebody else.
//
// What the search did not assert gets a default: a key that nobody asked for is missing, a type that
// nobody asked for is a string. Terms that apply a function get what the evaluator computes.

/// Builds values from the state of the theories.
final class Model {
  let theory: Theory
  let terms: TermTable
  let scene: ScenarioTerms
  private var values: [Int32: Value] = [:]
  private var open: Set<Int32> = []
  private var used: Set<ConstantKey> = []
  private var counter = 0
  private let shifted: [Domain: [Int32: Int128]]
  /// The predicates that hold, by operator and arguments.
  private(set) var facts: [TermID] = []
  private var isTrue: Set<TermID> = []
  private var isFalse: Set<TermID> = []

  /// Reads the state of a search that found a model.
  init(_ search: Search, _ scene: ScenarioTerms) {
    theory = search.theory
    terms = search.theory.terms
    self.scene = scene
    var shifted: [Domain: [Int32: Int128]] = [:]
    for domain in [Domain.int, .timestamp, .duration] {
      shifted[domain] = search.theory.differenceModel(in: domain)
    }
    self.shifted = shifted
    for index in 0..<terms.count {
      let term = TermID(index)
      guard case .apply(let op, _) = terms[term], op.isPredicate else { continue }
      if theory.constant(of: term) == terms.yes {
        facts.append(term)
        isTrue.insert(term)
      } else if theory.constant(of: term) == terms.no {
        isFalse.insert(term)
      }
    }
  }

  /// Whether a predicate was asserted.
  func holds(_ op: Operator, _ arguments: [TermID]) -> Bool {
    facts.contains { fact in
      guard case .apply(let known, let others) = terms[fact], known == op,
        others.count == arguments.count
      else { return false }
      return zip(others, arguments).allSatisfy { isSame($0, $1) }
    }
  }

  /// What was asserted of a predicate; nil if nothing was.
  func truth(of op: Operator, _ arguments: [TermID]) -> Bool? {
    func isMeant(_ fact: TermID) -> Bool {
      guard case .apply(let known, let others) = terms[fact], known == op,
        others.count == arguments.count
      else { return false }
      return zip(others, arguments).allSatisfy { isSame($0, $1) }
    }
    if facts.contains(where: isMeant) { return true }
    return isFalse.contains(where: isMeant) ? false : nil
  }

  /// Whether a free yes or no was asserted.
  func flag(_ flag: Flag) -> Bool {
    for index in 0..<terms.count where terms[TermID(index)] == .variable(.flag(flag)) {
      return theory.constant(of: TermID(index)) == terms.yes
    }
    return false
  }

  func isSame(_ one: TermID, _ other: TermID) -> Bool {
    theory.leader(of: one) == theory.leader(of: other)
  }

  /// The value of a term.
  func value(of term: TermID) -> Value {
    // A constant of which nothing was asked takes no part in the search.
    if let value = terms.value(of: term) { return value }
    let leader = theory.leader(of: term).raw
    if let known = values[leader] { return known }
    if let constant = theory.constant(of: term), let value = terms.value(of: constant) {
      values[leader] = value
      return value
    }
    // A class inside itself cannot come out of the theories; this only stops a runaway.
    guard open.insert(leader).inserted else { return .null }
    defer { open.remove(leader) }
    let members = theory.members(of: leader)
    let value = computed(members) ?? related(members) ?? fresh(leader, members)
    values[leader] = value
    used.insert(ConstantKey(of: value))
    return value
  }

  // MARK: Computed values

  /// The value of a class that has an application of a function in it.
  private func computed(_ members: [TermID]) -> Value? {
    for member in members {
      guard case .apply(let op, let arguments) = terms[member] else { continue }
      let value: Value?
      switch op {
      case .builtin(let builtin): value = call(builtin, arguments.map { self.value(of: $0) })
      case .operation(let op):
        value = try? PureFunctions.apply(
          op, self.value(of: arguments[0]), self.value(of: arguments[1]))
      case .negate: value = try? PureFunctions.negate(self.value(of: arguments[0]))
      case .plus(let domain, let steps):
        value = self.value(of: arguments[0]).shifted(by: steps, domain)
      case .path: value = path(arguments)
      case .size: value = size(self.value(of: arguments[0]))
      default: value = nil
      }
      if let value { return value }
    }
    return nil
  }

  private func call(_ builtin: Builtin, _ arguments: [Value]) -> Value? {
    let hasReceiver = Builtins.entry(builtin).receiver != nil
    return try? PureFunctions.call(
      builtin, receiver: hasReceiver ? arguments.first : nil,
      hasReceiver ? Array(arguments.dropFirst()) : arguments)
  }

  private func path(_ segments: [TermID]) -> Value {
    .path(
      PathValue(
        plain: segments.map { segment in
          if case .string(let text) = value(of: segment) { return text }
          return Text()
        }))
  }

  private func size(_ value: Value) -> Value? {
    switch value {
    case .string(let text): .int(Int64(text.unitCount))
    case .list(let elements): .int(Int64(elements.count))
    case .bytes(let octets): .int(Int64(octets.count))
    default: nil
    }
  }

  // MARK: Values that stand in a relation to another

  /// A value that is close to another one, or differs from itself, because that was asserted.
  private func related(_ members: [TermID]) -> Value? {
    for fact in facts {
      guard case .apply(let op, let arguments) = terms[fact] else { continue }
      switch op {
      case .odd where members.contains(arguments[0]):
        return odd(theory.classTypes[Int(theory.leader(of: arguments[0]).raw)])
      case .close, .nearly:
        for (one, other) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])]
        where members.contains(where: { isSame($0, one) }) {
          if let value = near(known(other), theory.classTypes[Int(theory.leader(of: one).raw)]) {
            return value
          }
        }
      default: break
      }
    }
    return nil
  }

  /// The value of a class if it is decided already.
  private func known(_ term: TermID) -> Value? {
    if let constant = theory.constant(of: term) { return terms.value(of: constant) }
    return values[theory.leader(of: term).raw]
  }

  private func odd(_ types: TypeSet) -> Value {
    types.contains(.float)
      ? .float(.nan)
      : types.contains(.list)
        ? .list([.float(.nan)]) : .map(MapValue([("x", .float(.nan))]))
  }

  /// A value that is nearly another one; without another, one of which a nearly equal one exists.
  private func near(_ other: Value?, _ types: TypeSet) -> Value? {
    switch other {
    case .int(let number) where types.contains(.float): return .float(Double(number))
    case .float(let number) where types.contains(.int):
      return Int64(exactly: number).map { .int($0) }
    case .float(let number) where number == 0: return .float(number.sign == .plus ? -0.0 : 0.0)
    case .list(let elements) where elements.count == 1: return .list([.float(7)])
    case .map: return .map(MapValue([("x", .float(7))]))
    case .none:
      counter += 1
      if types.contains(.int) { return .int(Int64(1000 + counter)) }
      if types.contains(.float) { return .float(Double(1000 + counter)) }
      return types.contains(.list) ? .list([.int(7)]) : .map(MapValue([("x", .int(7))]))
    default: return nil
    }
  }

  // MARK: Fresh values

  private static let preference: [ValueType] = [
    .string, .int, .map, .list, .bool, .null, .timestamp, .float, .duration, .latlng, .bytes, .path,
    .vector, .set, .mapDiff, .constraint,
  ]

  private func fresh(_ leader: Int32, _ members: [TermID]) -> Value {
    let types = theory.classTypes[Int(leader)]
    let isContainer = facts.contains { fact in
      guard case .apply(let op, let arguments) = terms[fact], op == .has || op == .unnamedKey
      else { return false }
      return theory.leader(of: arguments[0]).raw == leader
    }
    let type =
      isContainer && types.contains(.map)
      ? ValueType.map : Self.preference.first { types.contains($0) } ?? .null
    switch type {
    case .string: return .string(text(leader, members))
    case .int: return .int(Int64(clamping: count(leader, .int)))
    case .timestamp: return Value.of(count(leader, .timestamp), in: .timestamp)
    case .duration: return Value.of(count(leader, .duration), in: .duration)
    case .float: return .float(float(members))
    case .map: return .map(map(leader))
    case .list: return .list(list(leader, members))
    case .bool: return .bool(true)
    case .null: return .null
    case .latlng: return .latlng(LatLng(latitude: Double(next() % 90), longitude: 0))
    case .bytes: return .bytes([UInt8(truncatingIfNeeded: next())])
    case .path:
      return .path(DocumentPath([Text("other"), Text("d\(next())")]).value)
    case .vector: return .vector([Double(next())])
    case .set: return .list([])
    case .mapDiff, .constraint: return .null
    }
  }

  private func next() -> Int {
    counter += 1
    return counter
  }

  // MARK: Texts

  private func text(_ leader: Int32, _ members: [TermID]) -> Text {
    let demand = theory.demand(on: leader)
    if !demand.patterns.isEmpty || demand.upper != nil || demand.lower > 0 {
      let plain = plainText(members)
      if fits(plain, demand) { return plain }
      let taken = takenTexts()
      if let words = Words(
        demand.patterns, lower: demand.lower, upper: demand.upper, theory.patterns),
        case .found(let texts) = words.shortest(1, excluding: taken), let text = texts.first
      {
        return text
      }
    }
    return plainText(members)
  }

  private func fits(_ text: Text, _ demand: Theory.TextDemand) -> Bool {
    let size = text.unitCount
    return size >= demand.lower && size <= demand.upper ?? .max
      && demand.patterns.allSatisfy { theory.patterns.matches($0.pattern, text) == $0.matches }
  }

  private func takenTexts() -> Set<Text> {
    var taken: Set<Text> = []
    for value in values.values { if case .string(let text) = value { taken.insert(text) } }
    for index in 0..<terms.count {
      if case .string(let text) = terms.value(of: TermID(index)) { taken.insert(text) }
    }
    return taken
  }

  /// A name that people know, or a numbered one.
  private func plainText(_ members: [TermID]) -> Text {
    let taken = takenTexts()
    var candidates: [Text] = []
    let isDocument = members.contains { $0 == scene.segments.last }
    if isDocument { candidates.append("alice") }
    if members.contains(scene.uid) { candidates += isDocument ? [] : ["mallory", "alice"] }
    for candidate in candidates where !taken.contains(candidate) { return candidate }
    while true {
      let text = Text("s\(next())")
      if !taken.contains(text) { return text }
    }
  }

  // MARK: Numbers

  private func count(_ leader: Int32, _ domain: Domain) -> Int128 {
    if let value = shifted[domain]?[leader] { return value }
    let limits = theory.limits(of: leader, domain)
    let start: Int128
    let step: Int128
    switch (limits.lower?.value, limits.upper?.value) {
    case (.some(let lower), _): (start, step) = (lower, 1)
    case (.none, .some(let upper)): (start, step) = (upper, -1)
    case (.none, .none):
      (start, step) = (domain.pleasant + Int128(next()) * domain.unit, domain.unit)
    }
    var value = start
    // Values in use are skipped while there is room.
    for _ in 0..<1000 {
      let isInside =
        value <= limits.upper?.value ?? .max && value >= limits.lower?.value ?? .min
      if isInside, !used.contains(ConstantKey(of: Value.of(value, in: domain))) { return value }
      value += step
    }
    return start
  }

  private func float(_ members: [TermID]) -> Double {
    var lower = -Double.greatestFiniteMagnitude
    var upper = Double.greatestFiniteMagnitude
    for member in members {
      for fact in theory.floatFacts[member.index] {
        if fact.holds {
          upper = min(upper, fact.bound.isStrict ? fact.bound.value.nextDown : fact.bound.value)
        } else {
          lower = max(lower, fact.bound.isStrict ? fact.bound.value : fact.bound.value.nextUp)
        }
      }
    }
    let plain = Double(next()) + 0.5
    return plain >= lower && plain <= upper ? plain : lower > -1e300 ? lower : upper
  }

  // MARK: Maps and lists

  /// The map of a class: the keys that were asserted, with their values.
  private func map(_ leader: Int32) -> MapValue {
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
  private func field(_ map: TermID, _ key: TermID) -> Value {
    for index in 0..<terms.count {
      guard case .apply(.field, let arguments) = terms[TermID(index)],
        isSame(arguments[0], map), isSame(arguments[1], key)
      else { continue }
      return value(of: TermID(index))
    }
    return .string(Text("s\(next())"))
  }

  /// Keys that nobody names, for each fate that was asserted.
  private func addUnnamed(_ leader: Int32, _ map: inout MapValue) {
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
  private func extraKeys(_ fate: KeyFate, _ maps: [TermID]) -> Int {
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

  private func unnamedKey(_ fate: KeyFate, _ number: Int) -> Text {
    let names = ["anotherAdded", "anotherRemoved", "anotherChanged", "another"]
    return Text(names[Int(fate.rawValue)] + (number == 0 ? "" : "\(number)"))
  }

  private func list(_ leader: Int32, _ members: [TermID]) -> [Value] {
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
    return arrange(elements, places, padding, size: listSize(leader))
  }

  /// The bounds of the size of a list.
  private func listSize(_ leader: Int32) -> (lower: Int, upper: Int) {
    let demand = theory.demand(on: leader)
    return (min(demand.lower, 10_000), demand.upper ?? .max)
  }

  private func arrange(
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

extension Domain {
  /// A step between values that may be stored without being cut.
  fileprivate var unit: Int128 { self == .int ? 1 : 1_000_000_000 }

  /// Where values without bounds begin.
  fileprivate var pleasant: Int128 {
    switch self {
    case .int: 100
    // 2025-10-21T09:00:00Z, in steps of a second.
    case .timestamp: 1_761_037_200_000_000_000
    case .duration: 0
    }
  }
}

extension Value {
  /// The value with a number of steps in a domain.
  static func of(_ count: Int128, in domain: Domain) -> Value {
    let seconds = Int64(clamping: count.floored(by: 1_000_000_000))
    let nanos = Int64(count - Int128(seconds) * 1_000_000_000)
    switch domain {
    case .int: return .int(Int64(clamping: count))
    case .timestamp:
      return .timestamp(Timestamp(epochSeconds: seconds, nanos: nanos) ?? .epoch)
    case .duration: return .duration(Duration(seconds: seconds, nanos: nanos) ?? .zero)
    }
  }

  /// The value so many steps further; nil if that is out of range.
  fileprivate func shifted(by steps: Int64, _ domain: Domain) -> Value? {
    guard let count = count(in: domain) else { return nil }
    let sum = count + Int128(steps)
    return sum >= domain.range.least && sum <= domain.range.greatest
      ? Value.of(sum, in: domain) : nil
  }
}

extension Int128 {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int128) -> Int128 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
