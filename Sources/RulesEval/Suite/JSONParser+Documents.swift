import RulesLang

// Documents straight from their text. A tree of JSON is made for complaints and for what has to be
// looked at twice; of a log, which consists of documents, hardly anything is either.

extension JSONParser {
  /// A parsed object, some of whose members are documents.
  struct Record {
    /// The object, with an empty object in place of each document.
    var outline: JSON
    /// The documents, in the order of the requested keys; nil for those that are missing.
    var documents: [MapValue?]
  }

  /// Parses an object like `parse`, and the members that `names` lists as documents, unless they are null.
  ///
  /// - Requires: The bytes are UTF-8.
  /// - Returns: The object; nil for a mistake or an unusual form, for which the caller parses a JSON tree,
  ///   with the same result.
  static func record(
    _ bytes: [UInt8], in range: Range<Int>, documents names: [Text], database: DatabaseName,
    keys: inout JSONKeys
  ) -> Record? {
    var parser = JSONParser(bytes, in: range)
    swap(&parser.keys, &keys)
    defer { swap(&parser.keys, &keys) }
    do throws(JSONProblem) {
      return try parser.record(names, in: database)
    } catch {
      return nil
    }
  }

  private mutating func record(
    _ names: [Text], in database: DatabaseName
  ) throws(JSONProblem) -> Record? {
    try skipBlanks()
    guard next == UInt8(ascii: "{") else { return nil }
    var documents: [MapValue?] = Array(repeating: nil, count: names.count)
    var twin = MapValue()
    var members: [JSON.Member] = []
    members.reserveCapacity(Self.usualSize)
    let start = index
    try enter()
    if next != UInt8(ascii: "}") {
      repeat {
        let (key, keyRange) = try key()
        if members.contains(where: { $0.key == key }) { return nil }
        guard next == UInt8(ascii: "{"), let place = names.firstIndex(of: key) else {
          members.append(JSON.Member(key, at: keyRange, value: try value()))
          continue
        }
        let valueStart = index
        guard let document = try document(like: twin, in: database) else { return nil }
        documents[place] = document
        twin = document
        members.append(
          JSON.Member(
            key, at: keyRange,
            value: JSON(.object([]), at: SourceRange(start: valueStart, end: index))))
      } while try more(until: UInt8(ascii: "}"), openedAt: start)
    }
    index += 1
    depth -= 1
    let end = index
    try skipBlanks()
    guard index == self.end else { return nil }
    return Record(
      outline: JSON(.object(members), at: SourceRange(start: start, end: end)), documents: documents
    )
  }

  /// Parses the data of a document, or a map inside of one. Parts that equal those of `twin`, mostly the same
  /// document before the request, are shared with it.
  private mutating func document(
    like twin: MapValue = MapValue(), in database: DatabaseName
  ) throws(JSONProblem) -> MapValue? {
    let start = index
    try enter()
    var map = MapValue()
    if next != UInt8(ascii: "}") {
      map.reserve(Swift.max(Self.usualSize, twin.entries.count))
      // True if all keys so far are those of the twin, in its order; then none is repeated.
      var isAlike = true
      repeat {
        let (key, _) = try key()
        let place = map.entries.count
        if isAlike, place < twin.entries.count, twin.entries[place].key == key {
          let like = twin.entries[place].value
          guard let value = try documentValue(like: like, in: database) else { return nil }
          map.append(key, value: value)
          continue
        }
        isAlike = false
        // A member that begins with `$` may give the type of the value instead of a key.
        if key.bytes.first == UInt8(ascii: "$") || map.contains(key) { return nil }
        guard let value = try documentValue(in: database) else { return nil }
        map.append(key, value: value)
      } while try more(until: UInt8(ascii: "}"), openedAt: start)
    }
    index += 1
    depth -= 1
    return map
  }

  private static let usualSize = 8

  private mutating func documentValue(
    like twin: Value = .null, in database: DatabaseName
  ) throws(JSONProblem) -> Value? {
    switch next {
    case UInt8(ascii: "\""):
      if case .string(let text) = twin { return .string(try string(orRather: text)) }
      return .string(try string())
    case UInt8(ascii: "{"):
      return try isMarked
        ? markedValue(in: database) : document(in: database).map { .map($0) }
    case UInt8(ascii: "["): return try documentList(in: database).map { .list($0) }
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return try plainInt(in: database)
    default: return try markedValue(in: database)
    }
  }

  /// True if the object that begins here has a first key with `$`, which marks the type of a value.
  private var isMarked: Bool {
    index + 2 < end && bytes[index + 1] == UInt8(ascii: "\"")
      && bytes[index + 2] == UInt8(ascii: "$")
  }

  /// Parses a value through a JSON tree.
  private mutating func markedValue(in database: DatabaseName) throws(JSONProblem) -> Value? {
    var reader = SuiteReader(in: database)
    let value = reader.value(try value())
    return reader.diagnostics.isEmpty ? value : nil
  }

  private mutating func documentList(in database: DatabaseName) throws(JSONProblem) -> [Value]? {
    let start = index
    try enter()
    var elements: [Value] = []
    if next != UInt8(ascii: "]") {
      repeat {
        guard let element = try documentValue(in: database) else { return nil }
        elements.append(element)
      } while try more(until: UInt8(ascii: "]"), openedAt: start)
    }
    index += 1
    depth -= 1
    return elements
  }

  /// Maximum digits of a number that always fits 64 bits.
  private static let safeDigits = 18

  private mutating func plainInt(in database: DatabaseName) throws(JSONProblem) -> Value? {
    let start = index
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    try passNumber()
    guard index - first <= Self.safeDigits else {
      index = start
      return try markedValue(in: database)
    }
    var number: Int64 = 0
    for place in first..<index {
      guard (0x30...0x39).contains(bytes[place]) else {
        index = start
        return try markedValue(in: database)
      }
      number = number * 10 + Int64(bytes[place] - 0x30)
    }
    return .int(isNegative ? -number : number)
  }
}
