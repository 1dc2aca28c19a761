import RulesLang

// Values into cells, and cells back into values.

extension Arena {
  /// Loads a value, with everything inside unpacked into cells.
  mutating func load(_ value: Value, with symbols: borrowing Symbols) -> Cell {
    switch value {
    case .list(let elements):
      var loaded: [Cell] = []
      loaded.reserveCapacity(elements.count)
      for element in elements { loaded.append(load(element, with: symbols)) }
      return list(loaded)
    case .map(let map) where map.unknownKey == nil: return load(map, with: symbols)
    case .null, .bool, .int, .float, .string, .map, .bytes, .set, .timestamp, .duration, .latlng,
      .path, .mapDiff, .vector, .constraint:
      return lazily(value)
    }
  }

  private mutating func load(_ map: MapValue, with symbols: borrowing Symbols) -> Cell {
    let pairs = map.entries
    let first = unpackKeys(of: pairs, with: symbols)
    for place in pairs.indices {
      setValue(at: first + place, to: load(pairs[place].value, with: symbols))
    }
    return endMap(first: first, count: pairs.count)
  }

  /// Loads a value; a collection stays boxed until it is read.
  mutating func lazily(_ value: Value) -> Cell {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let number): .int(number)
    case .float(let number): .float(number)
    case .string(let value): text(value)
    case .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path, .mapDiff, .vector,
      .constraint:
      box(value)
    }
  }

  /// Returns the map of a cell, unpacked one level if it is boxed; nil if the cell is not a map or has no
  /// plain form.
  @inline(__always)
  mutating func map(of cell: Cell, _ symbols: borrowing Symbols) -> Cell? {
    cell.kind == .map ? cell : boxedMap(of: cell, symbols)
  }

  @inline(never)
  private mutating func boxedMap(of cell: Cell, _ symbols: borrowing Symbols) -> Cell? {
    guard cell.kind == .boxed, case .map(let map) = boxes[Int(cell.index)], map.unknownKey == nil
    else { return nil }
    if let known = unpackedMap(cell.index) {
      return maps[Int(known)].cell
    }
    let made = unpack(map.entries, with: symbols)
    setUnpackedMap(of: cell.index, to: made.index)
    return made
  }

  /// Loads a map; values other than texts stay boxed until they are read.
  ///
  /// Memory for all texts is reserved first: then copying them only moves words, and no reference has to be
  /// held.
  private mutating func unpack(
    _ pairs: [MapValue.Entry], with symbols: borrowing Symbols
  ) -> Cell {
    let first = unpackKeys(of: pairs, with: symbols)
    var size = 0
    for place in pairs.indices {
      if case .string(let text) = pairs[place].value { size += Table<UInt64>.size(of: text) }
    }
    reserve(words: size)
    for place in pairs.indices {
      if case .string(let text) = pairs[place].value {
        setValue(at: first + place, to: Cell(self.place(roomy: text)))
      }
    }
    for place in pairs.indices where entries[first + place].value.kind != .text {
      setValue(at: first + place, to: lazily(pairs[place].value))
    }
    return endMap(first: first, count: pairs.count)
  }

  /// Appends the entries of a map, with null values, and returns where they begin.
  ///
  /// A document before and after a write, or one document and the next, have the same keys. So the last map
  /// of the same size is consulted: a key that it has in the same place is neither copied nor looked up
  /// again, and comparing the two is comparing their places.
  private mutating func unpackKeys(
    of pairs: [MapValue.Entry], with symbols: borrowing Symbols
  ) -> Int {
    let twin = twin(pairs.count)
    var size = 0
    for place in pairs.indices { size += Table<UInt64>.size(of: pairs[place].key) }
    reserve(words: size)
    let first = beginMap(pairs.count)
    for place in pairs.indices {
      if let twin {
        let known = entries[twin + place]
        if words.isText(pairs[place].key, at: known.key) {
          setEntry(at: first + place, to: Entry(key: known.key, symbol: known.symbol, value: .null))
          continue
        }
      }
      let key = self.place(roomy: pairs[place].key)
      let symbol = symbols.find(key, in: words)
      setEntry(at: first + place, to: Entry(key: key, symbol: symbol, value: .null))
    }
    return first
  }

  /// Returns the text at a place.
  func text(at place: TextPlace) -> Text {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(place.count))
    for offset in 0..<Int(place.count) {
      let word = words[Int(place.start) + offset / 8]
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8)))
    }
    return Text(wellFormed: bytes)
  }

  /// Returns the value of a cell; nil for an error.
  func value(of cell: Cell) -> Value? {
    switch cell.kind {
    case .error: return nil
    case .null: return .null
    case .bool: return .bool(cell.bits == 1)
    case .int: return .int(cell.asInt)
    case .float: return .float(cell.asFloat)
    case .text: return .string(text(at: cell.place))
    case .boxed: return boxes[Int(cell.index)]
    case .list:
      var elements: [Value] = []
      for place in 0..<Int(cell.bits) {
        elements.append(value(of: cells[Int(cell.index) + place]) ?? .null)
      }
      return .list(elements)
    case .map: return .map(mapValue(cell.index))
    case .keys: return .list(mapValue(cell.index).sortedKeys.map { .string($0) })
    case .diff: return .mapDiff(diffValue(cell))
    case .changes:
      return .set(
        SetValue(
          distinct: diffValue(cell).entries.filter { cell.mask & $0.status.bit != 0 }
            .map { .string($0.key) }))
    }
  }

  private func mapValue(_ index: UInt32) -> MapValue {
    let header = maps[Int(index)]
    var map = MapValue()
    map.reserve(Int(header.count))
    for place in Int(header.first)..<Int(header.first + header.count) {
      let entry = entries[place]
      map.append(text(at: entry.key), value: value(of: entry.value) ?? .null)
    }
    return map
  }

  /// Returns the diff of maps without constraints, so that comparing them cannot fail.
  private func diffValue(_ cell: Cell) -> MapDiff {
    let after = mapValue(cell.index)
    let before = mapValue(UInt32(truncatingIfNeeded: cell.bits))
    return (try? MapDiff.of(after, against: before)) ?? MapDiff(entries: [])
  }

  /// Returns the type that messages name and `is` tests; nil for an error.
  func type(of cell: Cell) -> ValueType? {
    switch cell.kind {
    case .error: nil
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .text: .string
    case .list, .keys: .list
    case .map: .map
    case .diff: .mapDiff
    case .changes: .set
    case .boxed: boxes[Int(cell.index)].type
    }
  }
}
