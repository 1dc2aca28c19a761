import RulesLang

// Comparing cells without making values of them. Nil means that it takes values to tell.

extension Arena {
  /// True if two texts are equal.
  @inline(__always)
  func areTextsEqual(_ left: TextPlace, _ right: TextPlace) -> Bool {
    guard left.count == right.count else { return false }
    return left.start == right.start
      || words.areEqual(at: Int(left.start), to: words, at: Int(right.start), count: left.wordCount)
  }

  /// `left == right`.
  func areEqual(_ left: Cell, _ right: Cell) -> Bool? {
    switch (left.kind, right.kind) {
    case (.text, .text): return areTextsEqual(left.place, right.place)
    case (.int, .float): return Double(left.asInt) == right.asFloat
    case (.float, .int): return left.asFloat == Double(right.asInt)
    case (.float, .float): return left.asFloat == right.asFloat
    case (.boxed, let other), (let other, .boxed):
      // A simple value can only equal a boxed one that is a constraint.
      let isSimple = other.rawValue <= Cell.Kind.text.rawValue
      return isSimple && (left.mask | right.mask) == 0 ? false : nil
    default: return areIdentical(left, right)
    }
  }

  /// True if elements of two collections are the same: type, value and sign of zero; nil if that takes
  /// values.
  func areIdentical(_ left: Cell, _ right: Cell) -> Bool? {
    switch (left.kind, right.kind) {
    case (.null, .null): return true
    case (.bool, .bool), (.int, .int): return left.bits == right.bits
    case (.float, .float):
      return left.asFloat == right.asFloat && left.asFloat.sign == right.asFloat.sign
    case (.text, .text): return areTextsEqual(left.place, right.place)
    case (.boxed, _), (_, .boxed), (.keys, _), (_, .keys), (.diff, _), (_, .diff), (.changes, _),
      (_, .changes):
      return nil
    case (.list, .list): return compareLists(left, with: right) { $0.areIdentical($1, $2) }
    case (.map, .map): return compareMaps(left, with: right) { $0.areIdentical($1, $2) }
    case (.error, _), (.null, _), (.bool, _), (.int, _), (.float, _), (.text, _), (.list, _),
      (.map, _):
      return false
    }
  }

  /// Set equality, for values without constraints.
  func areSetEqual(_ left: Cell, _ right: Cell) -> Bool {
    switch (left.kind, right.kind) {
    case (.text, .text): return areTextsEqual(left.place, right.place)
    case (.int, .int), (.bool, .bool): return left.bits == right.bits
    case (.null, .null): return true
    case (.float, .float):
      return left.asFloat == right.asFloat || (left.asFloat.isNaN && right.asFloat.isNaN)
    case (.int, .float): return Int64(exactly: right.asFloat) == left.asInt
    case (.float, .int): return Int64(exactly: left.asFloat) == right.asInt
    case (.list, .list):
      return compareLists(left, with: right) { $0.areSetEqual($1, $2) } ?? false
    case (.map, .map):
      return compareMaps(left, with: right) { $0.areSetEqual($1, $2) }
        ?? areSetEqual(value(of: left), value(of: right))
    case (.boxed, .boxed):
      return areSetEqual(boxes[Int(left.index)], boxes[Int(right.index)])
    case (.boxed, _), (_, .boxed), (.keys, _), (_, .keys), (.diff, _), (_, .diff), (.changes, _),
      (_, .changes):
      return areSetEqual(value(of: left), value(of: right))
    case (.error, _), (.null, _), (.bool, _), (.int, _), (.float, _), (.text, _), (.list, _),
      (.map, _):
      return false
    }
  }

  private func areSetEqual(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return false }
    return (try? Value.areSetEqual(left, right)) ?? false
  }

  private func compareLists(
    _ left: Cell, with right: Cell, by areSame: (borrowing Arena, Cell, Cell) -> Bool?
  ) -> Bool? {
    guard left.bits == right.bits else { return false }
    for place in 0..<Int(left.bits) {
      let same = areSame(self, cells[Int(left.index) + place], cells[Int(right.index) + place])
      guard same == true else { return same }
    }
    return true
  }

  private func compareMaps(
    _ left: Cell, with right: Cell, by areSame: (borrowing Arena, Cell, Cell) -> Bool?
  ) -> Bool? {
    let one = maps[Int(left.index)]
    let two = maps[Int(right.index)]
    guard one.count == two.count else { return false }
    if one.count > Self.searchedSize, !areAligned(one, two) { return nil }
    var near: UInt32 = 0
    for offset in 0..<one.count {
      let entry = entries[Int(one.first + offset)]
      guard let other = find(entry.key, in: two, near: &near) else { return false }
      let same = areSame(self, entry.value, entries[other].value)
      guard same == true else { return same }
    }
    return true
  }

  // MARK: Keys

  /// Maximum keys of a map that is searched linearly for each key; larger maps whose keys are in different
  /// order are compared as values, which have an index.
  static let searchedSize: UInt32 = 64
  /// Maximum linear searches in a comparison of two larger maps, for keys that are elsewhere or in one map
  /// only.
  private static let greatestSearches = 16

  /// True if most keys of a map are in the other one, too, and in the same order.
  func areAligned(_ one: Map, _ two: Map) -> Bool {
    var near: UInt32 = 0
    var searches = 0
    for offset in 0..<one.count {
      let expected = near
      let place = find(entries[Int(one.first + offset)].key, in: two, near: &near)
      if place == Int(two.first + expected) { continue }
      searches += 1
      if searches > Self.greatestSearches { return false }
    }
    return true
  }

  /// Returns the index of a key's entry in a map. `near` is a guess that is tried first; afterwards it is the
  /// guess for the next key, if both maps' keys are in the same order.
  @inline(__always)
  func find(_ key: TextPlace, in map: Map, near: inout UInt32) -> Int? {
    if near < map.count {
      let place = Int(map.first + near)
      if areTextsEqual(key, entries[place].key) {
        near += 1
        return place
      }
    }
    let found = find(key, in: map)
    if let found { near = UInt32(found) - map.first + 1 }
    return found
  }

  /// Returns the index of a key's entry in a map.
  func find(_ key: TextPlace, in map: Map) -> Int? {
    for place in Int(map.first)..<Int(map.first + map.count)
    where areTextsEqual(key, entries[place].key) {
      return place
    }
    return nil
  }

  /// Returns the value of a key that the rules mention, in a map or in a cell of its keys.
  @inline(__always)
  func member(of map: Cell, named symbol: Symbol) -> Cell? {
    var place = Int(truncatingIfNeeded: map.bits & 0xFFFF_FFFF)
    let end = place + Int(truncatingIfNeeded: map.bits >> 32)
    while place < end {
      let mention = mentions[place]
      if mention.symbol == symbol { return mention.value }
      place += 1
    }
    return nil
  }

  /// Maximum keys of a list for which each key is looked up in both maps of a diff.
  static let fewKeys: UInt64 = 4

  /// True if the maps of a diff are small, or have their keys in nearly the same order, so that comparing
  /// them is fast.
  func isSoonCompared(_ changes: Cell) -> Bool {
    let after = maps[Int(changes.index)]
    let before = maps[Int(truncatingIfNeeded: changes.bits)]
    return max(after.count, before.count) <= Self.searchedSize
      || areAligned(after, before) && areAligned(before, after)
  }

  /// True if a diff has a key with a status in the mask.
  func changes(_ changes: Cell, have key: TextPlace) -> Bool {
    let new = find(key, in: maps[Int(changes.index)])
    let old = find(key, in: maps[Int(truncatingIfNeeded: changes.bits)])
    let status: MapDiff.Status
    switch (new, old) {
    case (nil, nil): return false
    case (_?, nil): status = .added
    case (nil, _?): status = .removed
    case (let new?, let old?):
      let isSame = areSetEqual(entries[new].value, entries[old].value)
      status = isSame ? .unchanged : .changed
    }
    return changes.mask & status.bit != 0
  }

  /// True if every key of a diff with a status in the mask satisfies a predicate.
  @inline(__always)
  func allChanges(_ changes: Cell, satisfy isGood: (borrowing Arena, TextPlace) -> Bool) -> Bool {
    let after = maps[Int(changes.index)]
    let before = maps[Int(truncatingIfNeeded: changes.bits)]
    var (shared, near): (UInt32, UInt32) = (0, 0)
    for offset in 0..<after.count {
      let entry = entries[Int(after.first + offset)]
      let status: MapDiff.Status
      if let other = find(entry.key, in: before, near: &near) {
        shared += 1
        let old = entries[other].value
        let isSame =
          entry.value.kind == .text && old.kind == .text
          ? areTextsEqual(entry.value.place, old.place) : areSetEqual(entry.value, old)
        status = isSame ? .unchanged : .changed
      } else {
        status = .added
      }
      if changes.mask & status.bit != 0, !isGood(self, entry.key) { return false }
    }
    if shared == before.count || changes.mask & MapDiff.Status.removed.bit == 0 {
      return true
    }
    near = 0
    for offset in 0..<before.count {
      let key = entries[Int(before.first + offset)].key
      if find(key, in: after, near: &near) == nil, !isGood(self, key) { return false }
    }
    return true
  }

  /// True if a list has a text among its elements; elements that are not texts never equal one.
  func list(_ list: Cell, contains key: TextPlace) -> Bool {
    for place in Int(list.index)..<(Int(list.index) + Int(list.bits))
    where cells[place].kind == .text && areTextsEqual(cells[place].place, key) {
      return true
    }
    return false
  }
}
