import RulesLang

/// Writers of Markdown.
package enum Markdown {
  /// Returns text with markup escaped, also for table cells.
  package static func text(_ raw: String) -> String {
    let scalars = Array(Printable.text(raw).unicodeScalars)
    return scalars.indices.reduce(into: "") { $0 += plain(scalars, at: $1) }
  }

  /// Returns a sentence of this program: its parts in back-ticks are code, other markup is escaped. User text
  /// with back-ticks of its own can turn text into code, and nothing else. With `isInTable`, bars are also
  /// escaped inside of code.
  package static func sentence(_ raw: String, isInTable: Bool = false) -> String {
    let scalars = Array(Printable.text(raw).unicodeScalars)
    var result = ""
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == "`", let end = scalars[(place + 1)...].firstIndex(of: "`"), end > place + 1 {
        for inner in scalars[place...end] {
          result += inner == "|" && isInTable ? "\\|" : String(inner)
        }
        place = end + 1
      } else {
        result += scalar == "{" ? "\\{" : plain(scalars, at: place)
        place += 1
      }
    }
    return result
  }

  /// Returns text as code, even if it contains back-ticks.
  package static func code(_ raw: String) -> String {
    let text = Printable.text(raw)
    var run = 0
    var longest = 0
    for character in text.unicodeScalars {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let blank = longest > 0 ? " " : ""
    return fence + blank + text + blank + fence
  }

  private static func isWord(_ scalars: [Unicode.Scalar], at place: Int) -> Bool {
    guard scalars.indices.contains(place) else { return false }
    switch scalars[place] {
    case "a"..."z", "A"..."Z", "0"..."9": return true
    default: return false
    }
  }

  private static func plain(_ scalars: [Unicode.Scalar], at place: Int) -> String {
    let scalar = scalars[place]
    switch scalar {
    case "|", "*", "_", "`", "[", "]", "\\", "#", "~": return "\\" + String(scalar)
    case "<": return "&lt;"
    // A mention must not notify a user or group: the invisible comment separates the name from the @.
    case "@" where !isWord(scalars, at: place - 1) && isWord(scalars, at: place + 1):
      return "@<!-- -->"
    case "&" where place + 1 < scalars.count && !" &".unicodeScalars.contains(scalars[place + 1]):
      return "&amp;"
    default: return String(scalar)
    }
  }
}
