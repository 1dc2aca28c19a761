import RulesEval
import RulesLang

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An encoder of Swift values as values of fields.
///
/// Integers are ints, `Float` and `Double` floats, `Date` a timestamp to the microsecond, `Data` bytes and
/// `URL` its text; arrays are lists. Structures and dictionaries with text keys are maps. A
/// ``Rules/FieldValue`` is itself.
struct FieldEncoder: Encoder {
  /// The destination of the value.
  let node: Node
  /// The keys that lead to the value.
  let codingPath: [any CodingKey]
  /// No settings.
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the notation of a value; of one that cannot be encoded a notation that requests refuse.
  static func notation(of value: some Encodable) -> Notation {
    let node = Node()
    do {
      try node.encode(value, at: [])
      return Notation(node.json)
    } catch let EncodingError.invalidValue(_, context) {
      let path = context.codingPath.map { $0.stringValue }.joined(separator: ".")
      return .unencodable((path.isEmpty ? "" : "\(path): ") + context.debugDescription)
    } catch {
      return .unencodable("\(type(of: value)) cannot be encoded: \(error)")
    }
  }

  /// Begins a map.
  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeMap()
    return KeyedEncodingContainer(Fields<Key>(node: node, codingPath: codingPath))
  }

  /// Begins a list.
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return Elements(node: node, codingPath: codingPath)
  }

  /// Begins a value that is neither.
  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, codingPath: codingPath)
  }
}

extension FieldEncoder {
  /// A value while it is being encoded.
  final class Node {
    private enum Content {
      case value(JSON)
      case list([Node])
      case map([String: Node])
    }

    private var content: Content?

    /// The value as JSON; an empty map if nothing was encoded.
    var json: JSON {
      switch content {
      case .value(let json): json
      case .list(let elements): JSON(.array(elements.map { $0.json }))
      case .map(let fields):
        Rules.FieldValue.map(
          Rules.FieldValue.object(fields.mapValues { Rules.FieldValue(Notation($0.json)) })
        ).json
      case nil: JSON(.object([]))
      }
    }

    /// The number of elements of a list.
    var count: Int {
      if case .list(let elements) = content { return elements.count }
      return 0
    }

    /// Begins a map, if there is none.
    func becomeMap() {
      if case .map = content { return }
      content = .map([:])
    }

    /// Begins a list, if there is none.
    func becomeList() {
      if case .list = content { return }
      content = .list([])
    }

    /// Returns the node of a field, which replaces one of the same name.
    func field(_ name: String) -> Node {
      var fields: [String: Node] = [:]
      if case .map(let known) = content { fields = known }
      let node = Node()
      fields[name] = node
      content = .map(fields)
      return node
    }

    /// Returns the node of a further element.
    func element() -> Node {
      var elements: [Node] = []
      if case .list(let known) = content { elements = known }
      let node = Node()
      content = .list(elements + [node])
      return node
    }

    /// Sets the value.
    func set(_ json: JSON) { content = .value(json) }

    /// Encodes a value at a path.
    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
      switch value {
      case let value as Rules.FieldValue: set(value.notation.json)
      case let date as Date: set(SuiteWriter.json(.timestamp(try date.timestamp(at: path))))
      case let data as Data: set(SuiteWriter.json(.bytes(Array(data))))
      case let url as URL: set(JSON(.string(Text(url.absoluteString))))
      default: try value.encode(to: FieldEncoder(node: self, codingPath: path))
      }
    }

    /// Sets an integer, which must be one of 64 bits with a sign.
    func set(_ number: some BinaryInteger, at path: [any CodingKey]) throws {
      guard let int = Int64(exactly: number) else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: path, debugDescription: "\(number) is no integer of 64 bits with a sign"))
      }
      set(JSON(.number("\(int)")))
    }
  }
}

extension Date {
  /// The time to the microsecond, as Firestore stores it.
  fileprivate func timestamp(at path: [any CodingKey]) throws -> Timestamp {
    let seconds = timeIntervalSince1970.rounded(.down)
    let micros = ((timeIntervalSince1970 - seconds) * 1_000_000).rounded()
    if let whole = Int64(exactly: seconds),
      let time = Timestamp(
        epochSeconds: micros < 1_000_000 ? whole : whole + 1,
        nanos: micros < 1_000_000 ? Int64(micros) * 1000 : 0)
    {
      return time
    }
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: path, debugDescription: "a timestamp lies in the years 1 to 9999"))
  }
}

/// The key of an element of a list, for error messages.
private struct IndexKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "\(intValue ?? 0)" }

  init(_ index: Int) { intValue = index }
  init?(stringValue: String) { return nil }
  init?(intValue: Int) { self.init(intValue) }
}

// MARK: Containers

extension FieldEncoder {
  /// The fields of a map.
  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.field(key.stringValue).set(JSON(.null)) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
      try node.field(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<Nested>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
      FieldEncoder(node: node.field("super"), codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: Key) -> FieldEncoder {
      FieldEncoder(node: node.field(key.stringValue), codingPath: codingPath + [key])
    }
  }

  /// The elements of a list.
  private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { node.element().set(JSON(.null)) }

    func encode(_ value: some Encodable) throws {
      let path = codingPath + [IndexKey(count)]
      try node.element().encode(value, at: path)
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }

    func superEncoder() -> any Encoder { next }

    private var next: FieldEncoder {
      let path = codingPath + [IndexKey(count)]
      return FieldEncoder(node: node.element(), codingPath: path)
    }
  }

  /// A value that is neither list nor map.
  private struct Single: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil() { node.set(JSON(.null)) }
    func encode(_ flag: Bool) { node.set(JSON(.bool(flag))) }
    func encode(_ text: String) { node.set(JSON(.string(Text(text)))) }
    func encode(_ number: Double) { node.set(Notation.float(number).json) }
    func encode(_ number: Float) { node.set(Notation.float(Double(number)).json) }
    func encode(_ number: Int) throws { try node.set(number, at: codingPath) }
    func encode(_ number: Int8) throws { try node.set(number, at: codingPath) }
    func encode(_ number: Int16) throws { try node.set(number, at: codingPath) }
    func encode(_ number: Int32) throws { try node.set(number, at: codingPath) }
    func encode(_ number: Int64) throws { try node.set(number, at: codingPath) }
    func encode(_ number: UInt) throws { try node.set(number, at: codingPath) }
    func encode(_ number: UInt8) throws { try node.set(number, at: codingPath) }
    func encode(_ number: UInt16) throws { try node.set(number, at: codingPath) }
    func encode(_ number: UInt32) throws { try node.set(number, at: codingPath) }
    func encode(_ number: UInt64) throws { try node.set(number, at: codingPath) }
    func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
  }
}

// MARK: The library's own values

extension Rules.FieldValue: Encodable {
  /// Encodes the value in the notation of suites.
  public func encode(to encoder: any Encoder) throws {
    try Written(json: notation.json).encode(to: encoder)
  }

  /// JSON that encodes itself in an encoder of another library.
  private struct Written: Encodable {
    let json: JSON

    func encode(to encoder: any Encoder) throws {
      switch json.kind {
      case .null:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      case .bool(let flag): try flag.encode(to: encoder)
      case .number(let digits):
        if let int = Int64(digits) { return try int.encode(to: encoder) }
        try (Double(digits) ?? 0).encode(to: encoder)
      case .string(let text): try String(text).encode(to: encoder)
      case .array(let elements): try elements.map { Written(json: $0) }.encode(to: encoder)
      case .object(let members):
        let pairs = members.map { (String($0.key), Written(json: $0.value)) }
        try Dictionary(pairs) { _, last in last }.encode(to: encoder)
      }
    }
  }
}
