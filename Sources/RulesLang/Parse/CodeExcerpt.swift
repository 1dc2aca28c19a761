/// An excerpt of rules that are too long for a sentence, cut before a dot or an operator.
public struct CodeExcerpt {
  private let text: String
  /// Preferred places for a cut, in bytes: before dots and operators.
  private let joints: [Int]
  /// Other places for a cut: between tokens.
  private let gaps: [Int]

  /// Prepares a piece of rules on one line.
  public init(_ text: String) {
    self.text = text
    let source = SourceText(name: "", text)
    let ranges = source.tokenRanges
    joints = ranges.filter { Self.separators.contains(source.string($0)) }.map { Int($0.start) }
    gaps = ranges.map { Int($0.start) }
  }

  private static let separators: Set<String> = [
    ".", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "%", "?", ":", "in", "is",
  ]

  /// Returns the text, without its middle if it has more than `longest` characters.
  public func withoutMiddle(longest: Int) -> String {
    if text.unicodeScalars.count <= longest { return text }
    let (head, tail) = (head(longest: longest / 2), tail(longest: longest / 2))
    return "\(head) ... \(tail)"
  }

  /// Returns the text, without its end if it has more than `longest` characters.
  public func withoutEnd(longest: Int) -> String {
    if text.unicodeScalars.count <= longest { return text }
    return head(longest: longest) + "..."
  }

  private func head(longest: Int) -> String {
    let room = longest - 3
    guard
      let cut = joints.last(where: { (room / 2...room).contains($0) })
        ?? gaps.last(where: { (room / 2...room).contains($0) })
    else { return String(String.UnicodeScalarView(text.unicodeScalars.prefix(room))) }
    return Self.trimmed(Array(text.utf8.prefix(cut)))
  }

  private func tail(longest: Int) -> String {
    let room = longest - 3
    let fitting = (text.utf8.count - room)...(text.utf8.count - room / 2)
    guard
      let cut = joints.first(where: { fitting.contains($0) })
        ?? gaps.first(where: { fitting.contains($0) })
    else { return String(String.UnicodeScalarView(text.unicodeScalars.suffix(room))) }
    return Self.trimmed(Array(text.utf8.dropFirst(cut)))
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    let blank = UInt8(ascii: " ")
    let rest = bytes.drop { $0 == blank }.reversed().drop { $0 == blank }.reversed()
    return String(decoding: Array(rest), as: UTF8.self)
  }
}

extension SourceText {
  /// Quotes a piece of rules for a sentence: on one line, and without its end if it has more than 60
  /// characters.
  package func quote(_ range: SourceRange) -> String {
    let words = string(range).split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    return CodeExcerpt(words.joined(separator: " ")).withoutEnd(longest: 60)
  }
}
