import RulesEval
import RulesLang

/// The total order of stored values (Docs/Emulator.md, Queries): by type, with ints and floats as one type,
/// and texts by their bytes in UTF-8, while rules compare UTF-16 units.
struct ValueOrder: Sendable {
  /// The database of the values, to which references do not name the project.
  var id: DatabaseID

  /// The types in order. NaN has its own rank, so that no range of numbers matches it.
  enum Rank: Int {
    case null, bool, notANumber, number, timestamp, string, bytes, reference, point, list, vector,
      map

    /// Creates the rank of a value. Values that documents cannot contain have the rank of null.
    init(_ value: Value) {
      switch value {
      case .null, .set, .duration, .mapDiff, .constraint: self = .null
      case .bool: self = .bool
      case .int: self = .number
      case .float(let number): self = number.isNaN ? .notANumber : .number
      case .timestamp: self = .timestamp
      case .string: self = .string
      case .bytes: self = .bytes
      case .path: self = .reference
      case .latlng: self = .point
      case .list: self = .list
      case .vector: self = .vector
      case .map: self = .map
      }
    }
  }

  /// Returns the order of two values.
  ///
  /// The recursion depth is that of the values, at most 20 in documents and 100 in messages.
  func compare(_ one: Value, _ other: Value) -> Ordering {
    switch (one, other) {
    case (.bool(let left), .bool(let right)):
      return left == right ? .equal : right ? .less : .greater
    case (.int(let left), .int(let right)): return Self.order(left, right)
    case (.float(let left), .float(let right)) where !left.isNaN && !right.isNaN:
      return Self.order(left, right)
    case (.int(let left), .float(let right)) where !right.isNaN:
      return Self.order(left, right)
    case (.float(let left), .int(let right)) where !left.isNaN:
      return Self.order(right, left).reversed
    case (.timestamp(let left), .timestamp(let right)): return Self.order(left, right)
    case (.string(let left), .string(let right)): return Self.order(left.bytes, right.bytes)
    case (.bytes(let left), .bytes(let right)): return Self.order(left, right)
    case (.path(let left), .path(let right)): return compare(reference: left, right)
    case (.latlng(let left), .latlng(let right)):
      let order = Self.order(left.latitude, right.latitude)
      return order == .equal ? Self.order(left.longitude, right.longitude) : order
    case (.list(let left), .list(let right)): return compare(left, right)
    case (.vector(let left), .vector(let right)): return compare(left, right)
    case (.map(let left), .map(let right)): return compare(left, right)
    default: return Self.order(Rank(one).rawValue, Rank(other).rawValue)
    }
  }

  private func compare(_ one: [Value], _ other: [Value]) -> Ordering {
    for (left, right) in zip(one, other) {
      let order = compare(left, right)
      if order != .equal { return order }
    }
    return Self.order(one.count, other.count)
  }

  /// Vectors of fewer dimensions come first.
  private func compare(_ one: [Double], _ other: [Double]) -> Ordering {
    if one.count != other.count { return Self.order(one.count, other.count) }
    for (left, right) in zip(one, other) {
      let order = compare(.float(left), .float(right))
      if order != .equal { return order }
    }
    return .equal
  }

  /// Compares maps lexicographically by their sorted keys, each with its value.
  private func compare(_ one: MapValue, _ other: MapValue) -> Ordering {
    for (left, right) in zip(one.sortedKeys, other.sortedKeys) {
      if left != right { return Self.order(left.bytes, right.bytes) }
      guard let own = one[left], let others = other[right] else { continue }
      let order = compare(own, others)
      if order != .equal { return order }
    }
    return Self.order(one.count, other.count)
  }

  // MARK: References

  /// Returns the order of two references: by project, database and path.
  private func compare(reference one: PathValue, _ other: PathValue) -> Ordering {
    let (left, right) = (reference(one), reference(other))
    if left.database.project != right.database.project {
      return Self.order(left.database.project.bytes, right.database.project.bytes)
    }
    if left.database.database != right.database.database {
      return Self.order(left.database.database.text.bytes, right.database.database.text.bytes)
    }
    return Self.compare(left.path, right.path)
  }

  /// Returns the order of two paths of a database.
  static func compare(_ one: DocumentPath, _ other: DocumentPath) -> Ordering {
    if one == other { return .equal }
    return DocumentPath.precedes(one, other) ? .less : .greater
  }

  /// Returns the document of a reference. `/databases/D/documents/a/b` is in the own project; a reference to
  /// another one begins with it: `/projects/P/databases/…`.
  func reference(_ value: PathValue) -> ResourceName {
    var segments = ((try? value.flattened()) ?? [])[...]
    var id = id
    if segments.count > 1, segments.first == "projects" {
      segments = segments.dropFirst()
      id.project = segments.removeFirst()
    }
    if segments.count >= DatabaseName.rootCount {
      id.database = DatabaseName(segments[segments.startIndex + DatabaseName.place])
      segments = segments.dropFirst(DatabaseName.rootCount)
    }
    return ResourceName(database: id, path: DocumentPath(Array(segments)))
  }

  // MARK: Plain values

  private static func order<Item: Comparable>(_ one: Item, _ other: Item) -> Ordering {
    one < other ? .less : one == other ? .equal : .greater
  }

  private static func order(_ one: [UInt8], _ other: [UInt8]) -> Ordering {
    if one == other { return .equal }
    return one.lexicographicallyPrecedes(other) ? .less : .greater
  }

  /// Compares an int and a float exactly, without rounding the int.
  private static func order(_ one: Int64, _ other: Double) -> Ordering {
    if other >= 0x1p63 { return .less }
    if other < -0x1p63 { return .greater }
    let whole = other.rounded(.down)
    let order = order(one, Int64(whole))
    return order == .equal && other > whole ? .less : order
  }
}

extension Ordering {
  /// The order of the swapped values.
  var reversed: Ordering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}
