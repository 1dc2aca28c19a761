import Foundation

/// Something that a Swift source declares outside of functions and that is not private.
struct SwiftDeclaration {
  /// The line on which it begins, from 1.
  var line: Int
  /// `struct`, `func`, `let`.
  var keyword: String
  /// Whether other modules see it, as it says itself.
  var isExported: Bool
  /// Whether a doc comment stands above it and its attributes.
  var hasComment: Bool

  private static let types: Set<String> = [
    "struct", "enum", "class", "protocol", "extension", "actor",
  ]
  private static let keywords: Set<String> = types.subtracting(["extension"]).union([
    "func", "var", "let", "init", "subscript", "typealias", "associatedtype",
  ])
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "static", "mutating", "nonmutating", "indirect", "final",
    "override", "lazy", "weak", "prefix", "postfix", "infix", "borrowing", "consuming", "private",
    "fileprivate", "convenience", "required", "nonisolated",
  ]

  /// The declarations of a source that is formatted: the lines of a block are indented further than the
  /// line with which it begins.
  static func all(in lines: [String]) -> [SwiftDeclaration] {
    /// The lines around the present one, by their indentation; whether what stands in them counts.
    var blocks: [(indent: Int, counts: Bool)] = []
    var privateTypes: Set<String> = []
    var isInText = false
    var found: [SwiftDeclaration] = []
    for (index, line) in lines.enumerated() {
      let quotes = line.components(of: "\"\"\"")
      defer { if !quotes.isMultiple(of: 2) { isInText.toggle() } }
      let code = line.drop { $0 == " " }
      if isInText || code.isEmpty || code.hasPrefix("//") || "{)]>".contains(code.first ?? "{") {
        continue
      }
      let indent = line.count - code.count
      while let last = blocks.last, last.indent >= indent { blocks.removeLast() }
      if code.hasPrefix("}") || code.hasPrefix("#") { continue }
      let isOutside = blocks.last?.counts ?? true
      let (words, keyword, name) = head(of: code)
      let isPrivate = words.contains("private") || words.contains("fileprivate")
      if isPrivate, let keyword, types.contains(keyword) { privateTypes.insert(name) }
      let isType = keyword.map { types.contains($0) } ?? false
      blocks.append((indent, isOutside && isType && !isPrivate && !privateTypes.contains(name)))
      guard isOutside, !isPrivate, let keyword, keywords.contains(keyword) else { continue }
      found.append(
        SwiftDeclaration(
          line: index + 1, keyword: keyword,
          isExported: words.contains("public") || words.contains("package"),
          hasComment: hasComment(above: index, in: lines)))
    }
    return found
  }

  /// The modifiers with which a line begins, the keyword behind them if it is a declaration, and the
  /// word behind that.
  private static func head(
    of code: Substring
  ) -> (modifiers: Set<String>, keyword: String?, name: String) {
    var words: Set<String> = []
    var rest = code.split(separator: " ").map(String.init)[...]
    while let word = rest.first {
      // `private(set)` says nothing of who reads it.
      let bare = word.components(separatedBy: "(")[0]
      if word.hasPrefix("@") || (modifiers.contains(bare) && bare != word) {
        rest.removeFirst()
      } else if modifiers.contains(word) {
        words.insert(word)
        rest.removeFirst()
      } else if word == "class", rest.dropFirst().first == "func" {
        rest.removeFirst()
      } else {
        break
      }
    }
    func isPart(_ character: Character) -> Bool { character.isLetter || character == "_" }
    let keyword = rest.first.map { String($0.prefix(while: isPart)) } ?? ""
    guard keywords.contains(keyword) || keyword == "extension" else { return (words, nil, "") }
    let name = rest.dropFirst().first.map { String($0.prefix { isPart($0) || $0.isNumber }) } ?? ""
    return (words, keyword, name)
  }

  private static func hasComment(above index: Int, in lines: [String]) -> Bool {
    var above = index - 1
    while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
    return above >= 0 && lines[above].drop { $0 == " " }.hasPrefix("///")
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
