package import RulesEval
package import RulesLang

/// The index of a term in a `Question`. Equal terms have equal indices (hash-consing).
package struct Term: Hashable, Comparable, Sendable {
  /// The position among the terms; arguments have smaller positions than their application.
  package let index: Int

  /// Creates the term at a position.
  package init(_ index: Int) { self.index = index }

  /// Orders terms by position.
  package static func < (left: Term, right: Term) -> Bool { left.index < right.index }
}

/// An unknown: a part of the request that the query leaves open.
package enum Unknown: Hashable, Sendable {
  /// A segment of the document's path, counted from the first below the database root.
  case segment(Int)
  /// `request.auth.uid` and `request.auth.token` of a client that is signed in.
  case uid, token
  /// `request.time`.
  case time
  /// The document's data before and after the request.
  case before, after
  /// The values that a query's filters promise for the data.
  case promise
  /// `request.query.limit` and `request.query.offset`.
  case limit, offset
  /// `request` by number of the write, and `request.query`; for members that are not interpreted.
  /// `request(-1)` is the `resource` of a query.
  case request(Int), query
  /// The client is signed out; the document is stored.
  case signedOut, stored
  /// The path of `{name=**}` in a query: its first step, and the step after its last.
  case run(Int, Int)
  /// A part of a document path of open length: its first step, and the step after its last.
  case part(Int, Int)
  /// A numbered unknown, of which only the types are known.
  case named(Int)
}

/// The ordered types with discrete values: ints, and times in nanoseconds.
package enum Scale: CaseIterable, Hashable, Sendable {
  case int, timestamp, duration

  /// The type of the values.
  package var type: ValueType {
    switch self {
    case .int: .int
    case .timestamp: .timestamp
    case .duration: .duration
    }
  }
}

/// The fate of a key between two maps.
package enum Fate: Int, CaseIterable, Hashable, Sendable {
  case added, removed, changed, kept
}

/// An operation of the language that a query treats as an uninterpreted function.
package enum Act: Hashable, Sendable {
  case builtin(Builtin)
  case binary(BinaryOperator)
  case negate, index, slice
  /// A composition of computed parts, such as a path literal; the text is the shape that surrounds
  /// them.
  case compose(Text)
}

/// A function symbol of terms.
package enum Functor: Hashable, Sendable {
  /// The value of a key in a map; the element of a list at an index.
  case field, element
  /// The number of UTF-16 units, octets or elements.
  case size
  /// A number, timestamp or duration plus a constant number of steps.
  case plus(Scale, Int64)
  /// List literal; map literal with these keys; path literal of plain segments.
  case list, record([Text]), path
  /// The document at a path before or after the commit; the data of a document.
  case document(isAfter: Bool), data
  /// The evaluator's result of an operation.
  case value(Act)
  /// The operation has a result, rather than an error.
  case defined(Act)
  /// A map has a key; a document is stored; a list or set has an element.
  case has, exists, member
  /// A value is unequal to itself.
  case odd
  /// Two values are equal without being the same, as 1 and 1.0 are: by `==`; by the equality of
  /// `diff()`.
  case close, alike
  /// `<` of two strings, of two bytes values, or of two numbers.
  case precedes
  /// All elements of a list are elements of another list.
  case only
  /// Some unnamed key has this fate between two maps; some unnamed key is in a map.
  case unnamed(Fate), unnamedKey

  /// True if every application is a bool.
  package var isPredicate: Bool {
    switch self {
    case .field, .element, .size, .plus, .list, .record, .path, .document, .data, .value: false
    case .defined, .has, .exists, .member, .odd, .close, .alike, .precedes, .only, .unnamed,
      .unnamedKey:
      true
    }
  }
}

/// The definition of a term. Constants are compared by `Identity`.
package enum TermForm: Hashable, Sendable {
  case constant(Identity)
  case unknown(Unknown)
  case apply(Functor, [Term])
}

/// The identity of a value; values with equal identities are *the same*. Finer than `==`: type and
/// sign of zero count. All NaN are the same, and so are the zeros of vectors, which nothing can
/// tell apart.
package struct Identity: Hashable, Sendable {
  /// An encoding of the value. Only plain values that nothing can tell apart have equal encodings.
  package private(set) var bytes: [UInt8] = []

  /// Encodes a value.
  package init(of value: Value) { add(value) }

  private mutating func add(_ value: Value) {
    bytes.append(value.type.rawValue)
    switch value {
    case .null: break
    case .bool(let flag): bytes.append(flag ? 1 : 0)
    case .int(let number): add(UInt64(bitPattern: number))
    case .float(let number): add(number.isNaN ? 0x7FF8 << 48 : number.bitPattern)
    case .string(let text): add(text.bytes)
    case .bytes(let octets): add(octets)
    case .list(let elements): add(elements)
    case .set(let set): add(set.elements)
    case .map(let map):
      add(UInt64(map.count))
      for key in map.sortedKeys {
        add(key.bytes)
        if let inner = map[key] { add(inner) }
      }
    case .timestamp(let time):
      add(seconds: UInt64(bitPattern: time.epochSeconds), nanos: time.nanos)
    case .duration(let length):
      add(seconds: UInt64(bitPattern: length.seconds), nanos: length.nanos)
    case .latlng(let point): add([.float(point.latitude), .float(point.longitude)])
    case .path(let path): add(path.segments.map { .string($0.plainText ?? Text()) })
    case .vector(let numbers): add(numbers.map { .float($0 == 0 ? 0 : $0) })
    // Unreachable for constants (`Value.isPlain`).
    case .mapDiff, .constraint: break
    }
  }

  private mutating func add(_ elements: [Value]) {
    add(UInt64(elements.count))
    for element in elements { add(element) }
  }

  private mutating func add(_ text: [UInt8]) {
    add(UInt64(text.count))
    bytes += text
  }

  private mutating func add(seconds: UInt64, nanos: Int32) {
    add(seconds)
    add(UInt64(bitPattern: Int64(nanos)))
  }

  private mutating func add(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }
}

extension PathValue.Segment {
  /// The text of a segment; nil for a capture.
  var plainText: Text? {
    if case .plain(let text) = self { return text }
    return nil
  }
}

extension Value {
  /// True if the value can be a constant: it and all values inside have an identity.
  package var isPlain: Bool {
    switch self {
    case .mapDiff, .constraint: false
    case .path(let path): path.segments.allSatisfy { $0.plainText != nil }
    case .list(let elements): elements.allSatisfy { $0.isPlain }
    case .set(let set): set.elements.allSatisfy { $0.isPlain }
    case .map(let map): map.unknownKey == nil && map.values.allSatisfy { $0.isPlain }
    case .null, .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .vector: true
    }
  }

  /// Returns the value in steps of a scale; nil if it has another type.
  package func count(in scale: Scale) -> Int128? {
    switch (scale, self) {
    case (.int, .int(let number)): Int128(number)
    case (.timestamp, .timestamp(let time)):
      Int128(time.epochSeconds) * 1_000_000_000 + Int128(time.nanos)
    case (.duration, .duration(let length)):
      Int128(length.seconds) * 1_000_000_000 + Int128(length.nanos)
    default: nil
    }
  }
}

extension Scale {
  /// Returns the value of `count` steps; nil if out of range.
  package func value(_ count: Int128) -> Value? {
    let unit: Int128 = 1_000_000_000
    switch self {
    case .int: return Int64(exactly: count).map { .int($0) }
    case .timestamp:
      var (seconds, nanos) = count.quotientAndRemainder(dividingBy: unit)
      if nanos < 0 { (seconds, nanos) = (seconds - 1, nanos + unit) }
      guard let whole = Int64(exactly: seconds) else { return nil }
      return Timestamp(epochSeconds: whole, nanos: Int64(nanos)).map { .timestamp($0) }
    case .duration:
      let (seconds, nanos) = count.quotientAndRemainder(dividingBy: unit)
      guard let whole = Int64(exactly: seconds) else { return nil }
      return Duration(seconds: whole, nanos: Int64(nanos)).map { .duration($0) }
    }
  }

  /// The range of values, in steps.
  var range: (least: Int128, greatest: Int128) {
    switch self {
    case .int: (Int128(Int64.min), Int128(Int64.max))
    case .timestamp:
      (
        Value.timestamp(.earliest).count(in: self) ?? 0,
        Value.timestamp(.latest).count(in: self) ?? 0
      )
    case .duration:
      (
        Int128(Duration.secondsRange.lowerBound) * 1_000_000_000 - 999_999_999,
        Int128(Duration.secondsRange.upperBound) * 1_000_000_000 + 999_999_999
      )
    }
  }
}
