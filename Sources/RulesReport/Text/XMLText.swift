import RulesLang

/// XML being written, indented by two spaces.
package struct XMLText<Output: TextOutputStream> {
  /// Where it goes.
  package private(set) var output: Output
  private var depth: Int

  /// Begins a document.
  package init(_ output: Output) {
    self.output = output
    depth = 0
    self.output.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Begins a part of a document that stands inside of so many elements.
  package init(part output: Output, depth: Int) {
    self.output = output
    self.depth = depth
  }

  /// Adds lines of a document that are written already.
  package mutating func add(_ lines: String) { output.write(lines) }

  /// Begins an element that has others inside.
  package mutating func open(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))>\n")
    depth += 1
  }

  /// Ends the element that was begun last.
  package mutating func close(_ name: String) {
    depth -= 1
    write("</\(name)>\n")
  }

  /// An element with nothing inside.
  package mutating func empty(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))/>\n")
  }

  /// An element with text inside; nothing is added to the text.
  package mutating func element(_ name: String, attributes: [(String, String)], content: String) {
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
  /// Text as XML has it. What XML 1.0 cannot hold at all becomes U+FFFD. A report may be printed on the log
  /// of a build: nothing in it drives a terminal, and no line of it is a workflow command of GitHub,
  /// which begins with `::` or has `##[`.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    var isLineStart = false
    var hashes = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "\n" where isAttribute: result += "&#10;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case ":" where isLineStart: result += "&#58;"
      case "[" where hashes > 1: result += "&#91;"
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case _ where Printable.isControl(scalar):
        result += "&#x" + String(scalar.value, radix: 16, uppercase: true) + ";"
      default: result.unicodeScalars.append(scalar)
      }
      isLineStart = scalar == "\n" || isLineStart && scalar.properties.isWhitespace
      hashes = scalar == "#" ? hashes + 1 : 0
    }
    return result
  }
}
