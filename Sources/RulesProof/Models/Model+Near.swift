import RulesEval
import RulesLang
import RulesSolver

// Nearly equal values: equal for `diff()`, although somewhere inside one side has an int where the
// other has the equal float, or a list where the other has the vector of its numbers.

extension Model {
  /// Returns a value nearly equal to `other`; without `other`, a value for which there is a nearly
  /// equal one.
  func nearValue(
    for leader: Int32, members: [TermID], to other: Value?, of otherTypes: TypeSet
  ) -> Value? {
    let types = theory.classTypes[Int(leader)]
    if other == nil, otherTypes == .vector, types.contains(.list) { return numbers(leader) }
    switch other {
    case .int(let number) where types.contains(.float): return .float(Double(number))
    case .float(let number) where types.contains(.int):
      return Int64(exactly: number).map { .int($0) }
    case .float(let number) where number == 0: return .float(number.sign == .plus ? -0.0 : 0.0)
    case .vector(let numbers) where types.contains(.list):
      return .list(numbers.map { .float($0) })
    case .list(let elements) where types.contains(.vector) && !types.contains(.list):
      return Self.vector(elements)
    case .list(let elements) where types.contains(.list):
      return nearList(leader, to: elements).map { .list($0) }
    case .map(let map) where types.contains(.map):
      return nearMap(leader, to: map).map { .map($0) }
    case .none:
      if types.contains(.int) {
        return .int(Int64(clamping: count(for: leader, in: .int, members: members)))
      }
      if types.contains(.float) { return .float(wholeFloat(members)) }
      if types.contains(.list) { return .list(list(for: leader, members: members, wish: .near)) }
      if types.contains(.vector) { return .vector([Double(next())]) }
      guard types.contains(.map) else { return nil }
      var map = map(leader)
      if map.values.allSatisfy({ $0.nearVariant == nil }) {
        setSomewhere(of: leader, in: &map, to: .int(7))
      }
      return .map(map)
    default: return nil
    }
  }

  /// Returns a list to which a vector is nearly equal.
  private func numbers(_ leader: Int32) -> Value {
    let size = listSize(leader)
    var list = Array(repeating: Value.int(7), count: max(1, size.lower))
    putAsserted(leader, into: &list)
    return .list(list)
  }

  /// Replaces elements of a list by the asserted ones.
  ///
  /// - Returns: Their indices.
  @discardableResult
  private func putAsserted(_ leader: Int32, into list: inout [Value]) -> Set<Int> {
    var places: Set<Int> = []
    for index in 0..<terms.count {
      guard case .apply(.element, let arguments) = terms[TermID(index)],
        theory.leader(of: arguments[0]).raw == leader,
        case .int(let place) = terms.value(of: arguments[1]),
        list.indices.contains(Int(clamping: place))
      else { continue }
      list[Int(place)] = value(of: TermID(index))
      places.insert(Int(place))
    }
    return places
  }

  /// Returns the vector of a list of numbers, or nil.
  private static func vector(_ elements: [Value]) -> Value? {
    let numbers = elements.compactMap { element -> Double? in
      switch element {
      case .int(let number): Int64(exactly: Double(number)) == number ? Double(number) : nil
      case .float(let number): number.isNaN ? nil : number
      default: nil
      }
    }
    return numbers.count == elements.count && !numbers.isEmpty ? .vector(numbers) : nil
  }

  /// Returns a float that is equal to an int, if the bounds of the class admit one.
  private func wholeFloat(_ members: [TermID]) -> Double {
    let plain = float(members)
    let facts = members.flatMap { theory.floatFacts[$0.index] }
    for number in [plain.rounded(.up), plain.rounded(.down)] {
      let fits = facts.allSatisfy { $0.bound.includes(.float(number)) == $0.holds }
      if fits, !forbidden(members).contains(ConstantKey(of: .float(number))) { return number }
    }
    return plain
  }

  /// Returns a list that differs from `other` in the asserted elements or, if that changes nothing,
  /// in one number.
  private func nearList(_ leader: Int32, to other: [Value]) -> [Value]? {
    var list = other
    let fixed = putAsserted(leader, into: &list)
    if ConstantKey(of: .list(list)) != ConstantKey(of: .list(other)) { return list }
    for place in list.indices where !fixed.contains(place) {
      guard let variant = list[place].nearVariant else { continue }
      list[place] = variant
      return list
    }
    return nil
  }

  /// Returns a map that differs from `other` in the asserted keys or, if that changes nothing, in
  /// one number.
  private func nearMap(_ leader: Int32, to other: MapValue) -> MapValue? {
    var map = other
    var fixed: Set<Text> = []
    for index in 0..<terms.count {
      guard case .apply(.field, let arguments) = terms[TermID(index)],
        theory.leader(of: arguments[0]).raw == leader,
        case .string(let key) = known(arguments[1]), other[key] != nil
      else { continue }
      map[key] = value(of: TermID(index))
      fixed.insert(key)
    }
    if ConstantKey(of: .map(map)) != ConstantKey(of: .map(other)) { return map }
    for (key, value) in other where !fixed.contains(key) {
      guard let variant = value.nearVariant else { continue }
      map[key] = variant
      return map
    }
    return nil
  }

  /// True if something was asserted about the contents of a list or map.
  func hasParts(_ term: TermID) -> Bool {
    let size = listSize(theory.leader(of: term).raw)
    if size.lower > 0 || size.upper < .max { return true }
    return (facts + isFalse).contains { fact in
      guard case .apply(let op, let arguments) = terms[fact] else { return false }
      return (op == .has || op == .member || op == .onlyElements || op == .unnamedKey)
        && isSame(arguments[0], term)
    }
  }

  /// Sets an unconstrained key of a map.
  func setSomewhere(of leader: Int32, in map: inout MapValue, to value: Value) {
    let asked = (0..<terms.count).compactMap { index -> Text? in
      guard case .apply(.field, let arguments) = terms[TermID(index)],
        theory.leader(of: arguments[0]).raw == leader,
        case .string(let key) = known(arguments[1])
      else { return nil }
      return key
    }
    if let key = map.keys.first(where: { !asked.contains($0) }) {
      map[key] = value
    } else {
      addFreeKey(of: leader, to: &map, value: value)
    }
  }
}

extension Value {
  /// A different value that is equal for `diff()`, or nil.
  var nearVariant: Value? {
    switch self {
    case .int(let number):
      let float = Double(number)
      return Int64(exactly: float) == number ? .float(float) : nil
    case .float(let number): return Int64(exactly: number).map { .int($0) }
    case .list(var elements):
      for place in elements.indices {
        guard let variant = elements[place].nearVariant else { continue }
        elements[place] = variant
        return .list(elements)
      }
      return nil
    case .map(var map):
      for (key, value) in map {
        guard let variant = value.nearVariant else { continue }
        map[key] = variant
        return .map(map)
      }
      return nil
    default: return nil
    }
  }
}
