public import RulesLang

extension JSONParser {
  /// Parses a text that is one object, but skips the elements of the list under `key`.
  ///
  /// - Returns: The object, with an empty list under `key`, and the ranges of the elements, which are checked
  ///   only when they are parsed.
  public static func outline(
    _ source: SourceText, passingOver key: Text
  ) throws(JSONProblem) -> (outline: JSON, elements: [Range<Int>]) {
    if let place = source.isUTF16 ? 0 : source.firstInvalidByte {
      throw JSONProblem(
        message: source.isUTF16 ? "the text is UTF-16, and JSON is UTF-8" : "the text is not UTF-8",
        range: SourceRange(start: place, end: place + 1))
    }
    var parser = JSONParser(source.bytes, in: 0..<source.bytes.count)
    var elements: [Range<Int>] = []
    try parser.skipBlanks()
    guard parser.next == UInt8(ascii: "{") else { throw parser.problem("a suite is an object") }
    let start = parser.index
    try parser.enter()
    var members: [JSON.Member] = []
    var known = KnownKeys()
    if parser.next != UInt8(ascii: "}") {
      repeat {
        let member = try parser.member(passingOver: key, &elements)
        guard known.insert(member.key, after: members) else {
          throw JSONProblem(message: "a key is repeated here", range: member.keyRange)
        }
        members.append(member)
      } while try parser.more(until: UInt8(ascii: "}"), openedAt: start)
    }
    parser.index += 1
    let end = parser.index
    try parser.skipBlanks()
    guard parser.index == parser.end else {
      throw parser.problem("there is more text after the value")
    }
    return (JSON(.object(members), at: SourceRange(start: start, end: end)), elements)
  }

  /// The nesting depth of the elements of a list in the outermost object.
  static let elementDepth = 2

  private mutating func member(
    passingOver skipped: Text, _ elements: inout [Range<Int>]
  ) throws(JSONProblem) -> JSON.Member {
    let (key, keyRange) = try key()
    guard key == skipped, next == UInt8(ascii: "[") else {
      return JSON.Member(key, at: keyRange, value: try value())
    }
    let listStart = index
    try enter()
    if next != UInt8(ascii: "]") {
      repeat {
        let elementStart = index
        try skipValue()
        elements.append(elementStart..<index)
      } while try more(until: UInt8(ascii: "]"), openedAt: listStart)
    }
    index += 1
    depth -= 1
    return JSON.Member(
      key, at: keyRange, value: JSON(.array([]), at: SourceRange(start: listStart, end: index)))
  }

  /// Skips a value by counting its brackets and quotes.
  private mutating func skipValue() throws(JSONProblem) {
    let start = index
    var open = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open == 0 { return }
        open -= 1
        index += 1
      case UInt8(ascii: ","):
        if open == 0 { return }
        index += 1
      default: index += 1
      }
      if open == 0, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return }
    }
    throw problem("this is not closed", from: start)
  }

  private mutating func skipString() throws(JSONProblem) {
    let start = index
    index += 1
    while let byte = next {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    index = min(index, end)
    throw problem("the string is not closed", from: start)
  }
}
