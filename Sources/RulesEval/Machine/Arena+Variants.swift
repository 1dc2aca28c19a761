import RulesLang

// Variants of maps that differ in one key and share the rest.

extension Arena {
  /// Returns the value of a key of a map cell; null if there is no map or no such key.
  func member(_ name: TextPlace, of cell: Cell) -> Cell {
    guard cell.kind == .map, let found = find(name, in: maps[Int(cell.index)]) else { return .null }
    return entries[found].value
  }

  /// Sets or, with nil, removes the value at a path of up to three keys, in copies of the maps on the way.
  /// False if one of them is missing or no map.
  mutating func set(
    _ name: LoadedName, then second: LoadedName? = nil, then third: LoadedName? = nil,
    to value: Cell?,
    in cell: inout Cell
  ) -> Bool {
    guard cell.kind == .map else { return false }
    let found = find(name.place, in: maps[Int(cell.index)])
    var inner = value
    if let second {
      guard let found else { return false }
      var part = entries[found].value
      guard set(second, then: third, to: value, in: &part) else { return false }
      inner = part
    }
    cell = replacing(name, at: found, in: cell, by: inner)
    return true
  }

  /// Copies a map with one key changed: set, replaced or removed. `found` is the index of its entry in the
  /// map, if there is one.
  private mutating func replacing(
    _ name: LoadedName, at found: Int?, in map: Cell, by value: Cell?
  ) -> Cell {
    if let found, let value, let copy = copy(map, with: value, at: found) { return copy }
    let old = maps[Int(map.index)]
    let isMore = found == nil && value != nil
    let isLess = found != nil && value == nil
    let count = Int(old.count) + (isMore ? 1 : 0) - (isLess ? 1 : 0)
    let first = beginMap(count)
    var next = first
    for place in Int(old.first)..<Int(old.first + old.count) {
      var entry = entries[place]
      if place == found {
        guard let value else { continue }
        entry.value = value
      }
      setEntry(at: next, to: entry)
      next += 1
    }
    if isMore, let value {
      setEntry(at: next, to: Entry(key: name.place, symbol: name.symbol, value: value))
    }
    return endMap(first: first, count: count)
  }
}
