/// XML being written, indented by two spaces.
struct XMLText<Output: TextOutputStream> {
  /// Where it goes.
  private(set) var output: Output
  private var depth: Int

  /// Begins a document.
  init(_ output: Output) {
    self.output = output
    depth = 0
    self.output.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Begins a part of a document that stands inside of so many elements.
  init(part output: Output, depth: Int) {
    self.output = output
    self.depth = depth
  }

  /// Adds lines of a document that are written already.
  mutating func add(_ lines: String) { output.write(lines) }

  /// Begins an element that has others inside.
  mutating func open(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))>\n")
    depth += 1
  }

  /// Ends the element that was begun last.
  mutating func close(_ name: String) {
    depth -= 1
    write("</\(name)>\n")
  }

  /// An element with nothing inside.
  mutating func empty(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))/>\n")
  }

  /// An element with text inside; nothing is added to the text.
  mutating func element(_ name: String, attributes: [(String, String)], content: String) {
    write("<\(name)\(Self.list(attributes))>\(XML.escaped(content))</\(name)>\n")
  }

  private mutating func write(_ line: String) {
    output.write(String(repeating: "  ", count: depth) + line)
  }

  private static func list(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(XML.escaped($0.1, isAttribute: true))\"" }.joined()
  }
}

/// Text in XML.
enum XML {
  /// Text as XML has it. What XML 1.0 cannot hold at all becomes U+FFFD.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where isAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n" where isAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
      case "\n", "\t": result.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
