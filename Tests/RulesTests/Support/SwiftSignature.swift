/// The head of a function, an initializer or a subscript in a Swift source.
struct SwiftSignature {
  /// The line of its name, from 1.
  var line: Int
  /// Its name without parameters.
  var name: String
  /// The labels of its parameters at a call; nil where a call has none.
  var labels: [String?]

  /// Every signature of a source, whether it stands on one line or on many; operators are left out, for
  /// their operands never have labels.
  static func all(in source: String) -> [SwiftSignature] {
    var reader = SwiftSignatureReader(source)
    return reader.signatures()
  }
}

/// Finds signatures among the words and marks of a source.
private struct SwiftSignatureReader {
  /// A word, or a single mark; `->` is one.
  private struct Token {
    var text: String
    var line: Int

    var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" || $0 == "`" } ?? false }
  }

  private var tokens: [Token] = []
  private var place = 0

  init(_ source: String) {
    var scanner = SwiftScanner(source)
    while let (text, line) = scanner.next() { tokens.append(Token(text: text, line: line)) }
  }

  private func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].text : ""
  }

  mutating func signatures() -> [SwiftSignature] {
    var found: [SwiftSignature] = []
    while place < tokens.count {
      if let signature = signature() { found.append(signature) } else { place += 1 }
    }
    return found
  }

  /// The signature that begins here, read to the end of its parameters.
  private mutating func signature() -> SwiftSignature? {
    let keyword = text(place)
    var index = place
    switch keyword {
    case "func":
      index += 1
      guard index < tokens.count, tokens[index].isWord else { return nil }
    case "init", "subscript":
      // After a dot it is a call.
      guard text(place - 1) != "." else { return nil }
    default: return nil
    }
    let name = tokens[index]
    index += 1
    if keyword == "init", ["?", "!"].contains(text(index)) { index += 1 }
    if text(index) == "<" { index = end(ofGroupAt: index) }
    guard text(index) == "(" else { return nil }
    let end = end(ofGroupAt: index)
    let labels = parameters(in: index + 1..<end - 1).map {
      label(of: $0, isSubscript: keyword == "subscript")
    }
    place = end
    return SwiftSignature(line: name.line, name: name.text, labels: labels)
  }

  /// The place behind the bracket that closes the one here.
  private func end(ofGroupAt start: Int) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      switch tokens[index].text {
      case "(", "[", "{", "<": depth += 1
      case ")", "]", "}", ">":
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return tokens.count
  }

  /// What stands between the commas that are in no further bracket.
  private func parameters(in range: Range<Int>) -> [Range<Int>] {
    var parameters: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      switch tokens[index].text {
      case "(", "[", "{", "<": index = end(ofGroupAt: index)
      case ",":
        parameters.append(start..<index)
        index += 1
        start = index
      default: index += 1
      }
    }
    if start < range.upperBound { parameters.append(start..<range.upperBound) }
    return parameters
  }

  /// The label of a parameter: its first name, unless that is `_`. A subscript's parameter has a label
  /// only if it has two names.
  private func label(of parameter: Range<Int>, isSubscript: Bool) -> String? {
    var index = parameter.lowerBound
    while text(index) == "@" {
      index += 2
      if text(index) == "(" { index = end(ofGroupAt: index) }
    }
    let first = text(index)
    if first == "_" || (isSubscript && text(index + 1) == ":") { return nil }
    return first
  }
}

/// Takes a source apart into words and marks, without comments and without what strings say.
private struct SwiftScanner {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  init(_ source: String) { bytes = Array(source.utf8) }

  private func byte(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private func begins(_ mark: String) -> Bool {
    byte() == mark.utf8.first && bytes[index...].starts(with: mark.utf8)
  }

  mutating func next() -> (text: String, line: Int)? {
    while let byte = byte() {
      if begins("//") {
        while let byte = self.byte(), byte != UInt8(ascii: "\n") { advance() }
      } else if begins("/*") {
        skipComment()
      } else if let hashes = hashesOfString() {
        skipString(hashes: hashes)
      } else if byte <= UInt8(ascii: " ") {
        advance()
      } else {
        let (start, line) = (index, self.line)
        if begins("->") { advance(2) } else { advance() }
        if Self.isWord(byte) { while let byte = self.byte(), Self.isWord(byte) { advance() } }
        return (String(decoding: bytes[start..<index], as: UTF8.self), line)
      }
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if begins("/*") {
        depth += 1
        advance(2)
      } else if begins("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && byte() != nil
  }

  /// The number of `#` before the string that begins here; nil if none does.
  private func hashesOfString() -> Int? {
    var count = 0
    while byte(count) == UInt8(ascii: "#") { count += 1 }
    return byte(count) == UInt8(ascii: "\"") ? count : nil
  }

  private mutating func skipString(hashes count: Int) {
    advance(count)
    let quotes = begins("\"\"\"") ? "\"\"\"" : "\""
    advance(quotes.utf8.count)
    let hashes = String(repeating: "#", count: count)
    while byte() != nil {
      if begins(quotes + hashes) { return advance(quotes.utf8.count + count) }
      if begins("\\" + hashes + "(") {
        advance(2 + count)
        skipInterpolation()
      } else {
        advance(begins("\\" + hashes) ? 2 + count : 1)
      }
    }
  }

  /// Skips the expression inside a string, which may have strings inside.
  private mutating func skipInterpolation() {
    var depth = 1
    while depth > 0, let (text, _) = next() {
      if text == "(" { depth += 1 }
      if text == ")" { depth -= 1 }
    }
  }
}
