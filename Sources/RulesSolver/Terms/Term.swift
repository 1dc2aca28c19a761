package import RulesEval
package import RulesLang

/// The index of a term in a `TermTable`. Equal terms have equal indices (hash-consing).
package struct TermID: Hashable, Comparable, Sendable {
  /// The position in the table.
  package let raw: Int32

  /// Creates the index of a position.
  @inlinable package init(_ raw: Int) { self.raw = Int32(raw) }

  /// The position.
  @inlinable package var index: Int { Int(raw) }

  /// Orders terms by position; the arguments of a term have smaller positions.
  @inlinable package static func < (left: TermID, right: TermID) -> Bool { left.raw < right.raw }
}

/// A variable of a query: an unknown part of the request.
package enum RequestVariable: Hashable, Sendable {
  /// A segment of the path, counted from the first below the database root.
  case segment(Int)
  /// `request.auth.uid` of a client that is signed in.
  case uid
  /// `request.auth.token`.
  case token
  /// `request.time`.
  case time
  /// The data of the document before the request.
  case before
  /// The data of the document after the request.
  case after
  /// The values that a query's filters promise for the data.
  case promise
  /// `request.query.limit`, null or an int.
  case limit
  /// `request.query.offset`.
  case offset
  /// A bool that the request decides freely, such as "signed out".
  case flag(RequestFlag)
  /// An unconstrained value; one for each uninterpreted expression.
  case unknown(Int)
}

/// A free bool of a request.
package enum RequestFlag: Hashable, Sendable {
  /// The client is signed out.
  case signedOut
  /// The document is stored.
  case stored
  /// An uninterpreted expression has a value, rather than an error.
  case defined(Int)
}

/// The state of the database before a commit, or after all of its writes.
package enum Snapshot: Hashable, Sendable {
  case before, after
}

/// The fate of a key between two maps.
package enum KeyFate: UInt8, Hashable, Sendable, CaseIterable {
  case added, removed, changed, kept
}

/// A set of fates.
package struct KeyFates: OptionSet, Hashable, Sendable {
  /// One bit for each `KeyFate`.
  package let rawValue: UInt8

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates a set of one fate.
  package init(_ fate: KeyFate) { rawValue = 1 << fate.rawValue }

  /// Only in the later map.
  package static let added = KeyFates(.added)
  /// Only in the earlier map.
  package static let removed = KeyFates(.removed)
  /// In both, with different values.
  package static let changed = KeyFates(.changed)
  /// In both, with the same value.
  package static let kept = KeyFates(.kept)

  /// True if the set contains a fate.
  package func contains(_ fate: KeyFate) -> Bool { contains(KeyFates(fate)) }

  /// The fates in the set, in order.
  package var all: [KeyFate] { KeyFate.allCases.filter { contains($0) } }
}

/// A function symbol of terms.
///
/// The theories interpret some of these. All others are uninterpreted functions (equal arguments
/// give equal results), except that applications to constants are evaluated.
package enum Operator: Hashable, Sendable {
  // Values.
  /// The value of a key in a map.
  case field
  /// The element of a list at an index.
  case element
  /// The size of a string, list or bytes value.
  case size
  /// The document at a path, by the texts of its segments.
  case document(Snapshot)
  /// The data of a document.
  case data
  /// A number, timestamp or duration plus a constant, in the domain's unit.
  case plus(Domain, Int64)
  /// A path of the given segments.
  case path
  /// A pure built-in on values.
  case builtin(Builtin)
  /// A pure operator on values.
  case operation(BinaryOperator)
  /// Unary minus.
  case negate
  /// The witness of a list operation: for `hasAny`, an element of both lists; for a failed `hasAll`
  /// or `hasOnly`, an element that the other list lacks.
  case witness(Builtin)
  // Predicates: always true or false.
  /// A map has a key.
  case has
  /// A document is stored.
  case exists
  /// A list has an element that is `==` to a value of the same type.
  case member
  /// The value is unequal to itself: it is NaN or contains a NaN.
  case odd
  /// Two numbers are `==` without being the same value, as 1 and 1.0 are.
  case close
  /// Two values are equal in `diff()` without being the same value.
  case nearly
  /// Some key that no rule names has this fate between two maps.
  case unnamed(KeyFate)
  /// Some key that no rule names is in a map.
  case unnamedKey
  /// There are fewer than n keys that no rule names, with one of the fates. Encoded as 16 n plus
  /// the bits of the fates.
  case unnamedFew(Int)
  /// A map inside a filter's promise: the filters name only some of its keys.
  case partlyNamed
  /// All elements of a list are among given ones.
  case onlyElements
  /// A pure built-in has a value for arguments of the right types.
  case definedBuiltin(Builtin)
  /// A pure operator has a value for operands of the right types.
  case definedOperation(BinaryOperator)
  /// Two strings, bytes or floats are in order.
  case precedes
  // Functors of queries that another module encoded.
  /// A functor of another module's query, by number (`Translation`).
  case foreign(Int)
}

extension Operator {
  /// True if every application is a bool.
  package var isPredicate: Bool {
    switch self {
    case .field, .element, .size, .document, .data, .plus, .path, .builtin, .operation, .negate,
      .witness, .foreign:
      false
    case .has, .exists, .member, .odd, .close, .nearly, .unnamed, .unnamedKey, .unnamedFew,
      .partlyNamed, .onlyElements, .definedBuiltin, .definedOperation, .precedes:
      true
    }
  }
}

/// The ordered types with discrete values.
package enum Domain: UInt8, Hashable, Sendable {
  /// Ints, in ones.
  case int
  /// Timestamps, in nanoseconds since 1970.
  case timestamp
  /// Durations, in nanoseconds.
  case duration

  /// The type of the values.
  package var type: ValueType {
    switch self {
    case .int: .int
    case .timestamp: .timestamp
    case .duration: .duration
    }
  }
}

/// The definition of a term.
package enum TermKind: Hashable, Sendable {
  case constant(ConstantKey)
  case variable(RequestVariable)
  case apply(Operator, [TermID])
}

/// The identity of a constant: its type and value, bit for bit. All NaN are one.
package struct ConstantKey: Hashable, Sendable {
  /// An encoding of the value. Injective except for map differences and promises.
  package let bytes: [UInt8]
}

/// All terms, each stored once, with their possible types.
package struct TermTable {
  /// The definition of each term.
  package private(set) var kinds: [TermKind] = []
  /// The possible types of each term.
  package private(set) var types: [TypeSet] = []
  /// The value of each constant; nil for other terms.
  private var values: [Value?] = []
  private var known = HashIndex()

  /// The constants true, false and null.
  package let yes, no, null: TermID

  /// Creates a table with the constants true, false and null.
  package init() {
    yes = TermID(0)
    no = TermID(1)
    null = TermID(2)
    for value in [.bool(true), .bool(false), .null] as [Value] { _ = other(value) }
  }

  /// The number of terms.
  package var count: Int { kinds.count }

  /// Returns the term of a constant.
  package mutating func constant(_ value: Value) -> TermID {
    switch value {
    case .bool(let flag): flag ? yes : no
    case .null: null
    case .string(let text): self.text(text)
    default: other(value)
    }
  }

  /// Returns the term of a constant string.
  package mutating func text(_ text: Text) -> TermID {
    var hash = Hash(TermKind.constantHash)
    hash.add(text.bytes)
    let found = known.first(hash) { place in
      if case .string(let one) = values[place] { one == text } else { false }
    }
    if let found { return TermID(found) }
    return add(
      .constant(ConstantKey(of: .string(text))), types: .string, hash: hash, value: .string(text))
  }

  private mutating func other(_ value: Value) -> TermID {
    let kind = TermKind.constant(ConstantKey(of: value))
    let hash = kind.hash
    return find(kind, hash: hash) ?? add(kind, types: TypeSet(value.type), hash: hash, value: value)
  }

  /// Returns the term of a variable with these possible types.
  package mutating func variable(_ variable: RequestVariable, types: TypeSet) -> TermID {
    add(.variable(variable), types: types)
  }

  /// Returns the term of an application with these possible types.
  package mutating func apply(_ op: Operator, to arguments: [TermID], types: TypeSet) -> TermID {
    add(.apply(op, arguments), types: types)
  }

  private mutating func add(_ kind: TermKind, types typeSet: TypeSet) -> TermID {
    let hash = kind.hash
    return find(kind, hash: hash) ?? add(kind, types: typeSet, hash: hash, value: nil)
  }

  private func find(_ kind: TermKind, hash: Hash) -> TermID? {
    known.first(hash) { kinds[$0] == kind }.map { TermID($0) }
  }

  private mutating func add(
    _ kind: TermKind, types typeSet: TypeSet, hash: Hash, value: Value?
  ) -> TermID {
    let id = TermID(kinds.count)
    kinds.append(kind)
    types.append(typeSet)
    values.append(value)
    known.add(id.index, hash: hash)
    return id
  }

  /// Returns the definition of a term.
  package subscript(_ id: TermID) -> TermKind { kinds[id.index] }

  /// Returns the possible types of a term.
  package func types(of id: TermID) -> TypeSet { types[id.index] }

  /// Returns the value of a constant; nil for other terms.
  package func value(of id: TermID) -> Value? { values[id.index] }

  /// True if a term is a constant.
  package func isConstant(_ id: TermID) -> Bool { values[id.index] != nil }

  /// The values of all constants.
  package var constants: [Value] { values.compactMap { $0 } }

  /// Returns the arguments of an application; empty for other terms.
  package func arguments(of id: TermID) -> [TermID] {
    if case .apply(_, let arguments) = kinds[id.index] { return arguments }
    return []
  }
}

extension ConstantKey {
  /// Creates the identity of a value. The order of a map's keys does not matter.
  package init(of value: Value) {
    var bytes: [UInt8] = []
    // Most constants are strings and numbers.
    if case .string(let text) = value { bytes.reserveCapacity(text.bytes.count + 9) }
    Self.write(value, to: &bytes)
    self.bytes = bytes
  }

  private static func write(_ value: Value, to bytes: inout [UInt8]) {
    bytes.append(value.type.rawValue)
    switch value {
    case .null: break
    case .bool(let flag): bytes.append(flag ? 1 : 0)
    case .int(let number): write(UInt64(bitPattern: number), to: &bytes)
    case .float(let number): write(number.isNaN ? 0x7FF8 << 48 : number.bitPattern, to: &bytes)
    case .string(let text): write(text.bytes, to: &bytes)
    case .bytes(let octets): write(octets, to: &bytes)
    case .list(let elements): write(elements, to: &bytes)
    case .set(let set): write(set.elements, to: &bytes)
    case .map(let map):
      write(UInt64(map.count), to: &bytes)
      for key in map.sortedKeys {
        write(key.bytes, to: &bytes)
        if let inner = map[key] { write(inner, to: &bytes) }
      }
    case .timestamp(let time):
      write(UInt64(bitPattern: time.epochSeconds), to: &bytes)
      write(UInt64(UInt32(bitPattern: time.nanos)), to: &bytes)
    case .duration(let length):
      write(UInt64(bitPattern: length.seconds), to: &bytes)
      write(UInt64(UInt32(bitPattern: length.nanos)), to: &bytes)
    case .latlng(let point):
      write(point.latitude.bitPattern, to: &bytes)
      write(point.longitude.bitPattern, to: &bytes)
    case .path(let path): write(path, to: &bytes)
    case .mapDiff(let diff):
      write(UInt64(diff.entries.count), to: &bytes)
      for entry in diff.entries {
        write(entry.key.bytes, to: &bytes)
        bytes.append(entry.status.rawValue)
      }
    case .vector(let numbers): write(numbers.map { .float($0) }, to: &bytes)
    case .constraint(let promise): write(UInt64(promise.entries.count), to: &bytes)
    }
  }

  private static func write(_ path: PathValue, to bytes: inout [UInt8]) {
    write(UInt64(path.segments.count), to: &bytes)
    for segment in path.segments {
      switch segment {
      case .plain(let text):
        bytes.append(0)
        write(text.bytes, to: &bytes)
      case .capture(let name, let bound):
        bytes.append(bound == nil ? 1 : 2)
        write(name.bytes, to: &bytes)
        write(bound?.bytes ?? [], to: &bytes)
      case .glob(let name, let run):
        bytes.append(run == nil ? 3 : 4)
        write(name.bytes, to: &bytes)
        write(UInt64(run?.count ?? 0), to: &bytes)
        for text in run ?? [] { write(text.bytes, to: &bytes) }
      }
    }
  }

  private static func write(_ elements: [Value], to bytes: inout [UInt8]) {
    write(UInt64(elements.count), to: &bytes)
    for element in elements { write(element, to: &bytes) }
  }

  private static func write(_ text: [UInt8], to bytes: inout [UInt8]) {
    write(UInt64(text.count), to: &bytes)
    bytes += text
  }

  private static func write(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }
}
