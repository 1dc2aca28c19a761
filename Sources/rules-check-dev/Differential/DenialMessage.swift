/// The emulator's message of a denial: `false for 'get' @ L4, Null value error. for 'get' @ L5`.
///
/// The emulator first evaluates all conditions without documents. If that does not settle the request it
/// evaluates them again, and its message has the texts of both passes; before it knows whether a document
/// exists, a set is tried as `create` and as `update`. Ours has only the texts of the second pass
/// (Docs/Language.md §15).
enum DenialMessage {
  private static let noStatement = "No matching allow statements"

  /// True if a message of the emulator is one of ours after texts of the first pass.
  static func isExplained(_ theirs: String, by ours: [String], lines: Set<Int>) -> Bool {
    let message = String(theirs.drop { $0 == "\n" })
    return ours.contains { text in
      if message == text { return true }
      // For other documents of a commit only the texts of the first pass are left.
      if text == noStatement { return isFirstPass(message, lines: lines) }
      guard let range = range(of: text, in: message) else { return false }
      let rest = [String(message[..<range.lowerBound]), String(message[range.upperBound...])]
      return rest.allSatisfy { isFirstPass($0, lines: lines) }
    }
  }

  /// Returns the range of a text in a message, between separators; the last one if there are several.
  private static func range(of text: String, in message: String) -> Range<String.Index>? {
    let wanted = Array(text.utf8)
    let all = Array(message.utf8)
    guard wanted.count <= all.count else { return nil }
    for start in (0...(all.count - wanted.count)).reversed() {
      let end = start + wanted.count
      guard all[start..<end].elementsEqual(wanted) else { continue }
      let isBegin = start == 0 || all[..<start].suffix(2).elementsEqual(", ".utf8)
      let isEnd = end == all.count || all[end...].prefix(2).elementsEqual(", ".utf8)
      guard isBegin, isEnd else { continue }
      let begin = message.utf8.startIndex
      return message.utf8.index(begin, offsetBy: start)..<message.utf8.index(begin, offsetBy: end)
    }
    return nil
  }

  /// True if the rest of a message names only statements that were tried.
  private static func isFirstPass(_ rest: String, lines: Set<Int>) -> Bool {
    var rest = rest[...]
    while let mark = rest.firstRange(of: "' @ L") {
      let digits = rest[mark.upperBound...].prefix { $0.isNumber }
      guard let line = Int(digits), lines.contains(line) else { return false }
      rest = rest[digits.endIndex...]
    }
    return rest.isEmpty || rest == ", "
  }
}
