package import RulesEval
package import RulesLang

/// The index of a term in a `Question`. Equal terms have equal indices.
package struct Term: Hashable, Comparable, Sendable {
  /// The position among the terms; arguments come before what they are arguments of.
  package let index: Int

  /// Makes an index of a position.
  package init(_ index: Int) { self.index = index }

  /// Orders by age.
  package static func < (left: Term, right: Term) -> Bool { left.index < right.index }
}

/// What a request leaves open. A question is about all values that these can have.
package enum Unknown: Hashable, Sendable {
  /// A segment of the document's path, counted from the first below the database root.
  case segment(Int)
  /// `request.auth.uid` and `request.auth.token` of a client that is signed in.
  case uid, token
  /// `request.time`.
  case time
  /// The data of the document before and after the request.
  case before, after
  /// What a query's filters promise of the data.
  case promise
  /// `request.query.limit` and `request.query.offset`.
  case limit, offset
  /// What else is in `request`, by the number of the write, and in `request.query`.
  case request(Int), query
  /// Whether nobody is signed in, whether the document is stored.
  case signedOut, stored
  /// The path that `{name=**}` stands for in a query, by the first step and the one behind the last.
  case run(Int, Int)
  /// A part of the document's path, likewise, where that may be of any length.
  case part(Int, Int)
  /// A value with many cases, or of which nothing but the type is known.
  case named(Int)
}

/// The ordered types whose values are counted in whole steps: ones, or nanoseconds.
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

/// How a key fares between two maps.
package enum Fate: Int, CaseIterable, Hashable, Sendable {
  case added, removed, changed, kept
}

/// What rules do to values and the question does not look into.
package enum Act: Hashable, Sendable {
  case builtin(Builtin)
  case binary(BinaryOperator)
  case negate, index, slice
  /// A path or map that is put together of computed parts, by what is between these.
  case compose(Text)
}

/// What is applied to terms to make a term. Each is a function: equal arguments, equal result.
package enum Functor: Hashable, Sendable {
  /// The value of a key in a map; the element of a list at an index.
  case field, element
  /// The number of UTF-16 units, octets or elements.
  case size
  /// A number, time or length plus so many steps.
  case plus(Scale, Int64)
  /// A list, a map with these keys, a path of plain segments, all written out.
  case list, record([Text]), path
  /// The document at a path before the commit or after it; its data.
  case document(isAfter: Bool), data
  /// What the evaluator computes.
  case value(Act)
  /// Whether it computes anything, rather than an error.
  case defined(Act)
  /// A map has a key; a document is stored; a list or set has an element.
  case has, exists, member
  /// A value is not `==` to itself.
  case odd
  /// Two values are `==` without being the same, as 1 and 1.0 are; the same for `diff()`.
  case close, alike
  /// `<` of two strings, two bytes, or two numbers.
  case precedes
  /// A list has elements of another one only.
  case only
  /// Some key that no rule names has this fate between two maps; is in a map.
  case unnamed(Fate), unnamedKey

  /// Whether every application is a bool.
  package var isPredicate: Bool {
    switch self {
    case .field, .element, .size, .plus, .list, .record, .path, .document, .data, .value: false
    case .defined, .has, .exists, .member, .odd, .close, .alike, .precedes, .only, .unnamed,
      .unnamedKey:
      true
    }
  }
}

/// What a term is. Constants are told apart by `Identity`.
package enum TermForm: Hashable, Sendable {
  case constant(Identity)
  case unknown(Unknown)
  case apply(Functor, [Term])
}

/// What tells values apart: two values are *the same* if this is equal. It is finer than `==`: type
/// and sign of zero count. All NaN are the same, and so are the zeros of vectors, since nothing can
/// tell them apart.
package struct Identity: Hashable, Sendable {
  /// A text that only this value has.
  package private(set) var bytes: [UInt8] = []

  /// The identity of a value.
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
    // No constant is one of these (`Value.isPlain`).
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
  /// The text of a segment that is no capture.
  var plainText: Text? {
    if case .plain(let text) = self { return text }
    return nil
  }
}

extension Value {
  /// Whether a value can be a constant: it has an identity, and so have the values inside.
  var isPlain: Bool {
    switch self {
    case .mapDiff, .constraint: false
    case .path(let path): path.segments.allSatisfy { $0.plainText != nil }
    case .list(let elements): elements.allSatisfy { $0.isPlain }
    case .set(let set): set.elements.allSatisfy { $0.isPlain }
    case .map(let map): map.unknownKey == nil && map.values.allSatisfy { $0.isPlain }
    case .null, .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .vector: true
    }
  }

  /// The value in the steps of a scale; nil if it is not of its type.
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
  /// The value of so many steps; nil if there is none.
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

  /// The least and the greatest value, in steps.
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
