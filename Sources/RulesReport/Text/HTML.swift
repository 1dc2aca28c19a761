import RulesLang

/// Writers of HTML.
package enum HTML {
  /// Returns text with markup escaped.
  package static func text(_ raw: String) -> String {
    var result = ""
    for line in raw.split(separator: "\n", omittingEmptySubsequences: false) {
      if !result.isEmpty { result += "\n" }
      for scalar in Printable.text(String(line)).unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Returns text with its parts in backticks as code.
  package static func code(in raw: String) -> String {
    var result = ""
    for (place, part) in raw.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      let text = text(String(part))
      result += place.isMultiple(of: 2) ? text : "<code>\(text)</code>"
    }
    return result
  }

  /// Returns a link to a line of the rules; on a page of several files, anchors have a prefix.
  package static func line(_ number: Int, _ prefix: String = "") -> String {
    "<a href=\"#\(prefix)L\(number)\">line \(number)</a>"
  }
}
