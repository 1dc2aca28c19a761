import RulesLang

/// An XML writer that indents by two spaces.
package struct XMLText<Output: TextOutputStream> {
  /// The output stream.
  package private(set) var output: Output
  private var depth: Int

  /// Creates an empty document.
  package init(_ output: Output) {
    self.output = output
    depth = 0
    self.output.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Creates a part of a document at a nesting depth.
  package init(part output: Output, depth: Int) {
    self.output = output
    self.depth = depth
  }

  /// Adds lines of XML that are already written.
  package mutating func add(_ lines: String) { output.write(lines) }

  /// Begins an element with child elements.
  package mutating func open(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))>\n")
    depth += 1
  }

  /// Ends the element that was begun last.
  package mutating func close(_ name: String) {
    depth -= 1
    write("</\(name)>\n")
  }

  /// Writes an empty element.
  package mutating func empty(_ name: String, attributes: [(String, String)]) {
    write("<\(name)\(Self.list(attributes))/>\n")
  }

  /// Writes an element with text, without adding white space.
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

/// Escaping of text for XML.
enum XML {
  /// Returns text for XML. Characters that XML 1.0 does not allow become U+FFFD. A report may be printed in a
  /// build log: control characters are removed, and no line becomes a workflow command of GitHub, which
  /// begins with `::` or contains `##[`.
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
