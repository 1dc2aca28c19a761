/// A part of what a sentence of `diff` says about a request, read from its words.
struct SentenceLiteral {
  /// The outcome of the condition that the words require.
  enum Wanted {
    case isTrue, isNotTrue, isFalse, isNotFalse
  }

  /// The condition; nil for "a statement that grants the same in both files allows it".
  var condition: String?
  /// The value of the condition for which the sentence holds.
  var wanted: Wanted
}

/// Reads the words of `diff` about documents of `/posts/{id}`, by their plain meaning and not by the code
/// that writes them. Nil where it does not know the words.
enum SentenceReader {
  private static let changed = "request.resource.data.diff(resource.data).affectedKeys()"
  private static let keys = "request.resource.data.keys()"

  /// Reads a client: "a signed-in user with the claim `admin == true` who is not the owner".
  static func client(_ text: String) -> [SentenceLiteral]? {
    let bases: [(words: String, condition: String?)] = [
      ("a client that is not signed in", "request.auth == null"),
      ("the owner", "request.auth.uid == id"), ("a signed-in user", "request.auth != null"),
      ("any signed-in user", "request.auth != null"), ("anyone", nil),
    ]
    guard let base = bases.first(where: { text.hasPrefix($0.words) }) else { return nil }
    var found = base.condition.map { [SentenceLiteral(condition: $0, wanted: .isTrue)] } ?? []
    let clauses = [
      " and without ", " without ", " with ", " and who is not ", " and who is ", " who is not ",
      " who is ", " and whose ID is not ", " and whose ID is ", " whose ID is not ",
      " whose ID is ", " and ",
    ]
    var mode = ""
    for (word, body, _) in split(String(text.dropFirst(base.words.count)), before: clauses) {
      if word != " and " { mode = word }
      let isNegative = mode.contains("without") || mode.hasSuffix("not ")
      guard let condition = mode.contains("who") ? user(body) : claim(body) else { return nil }
      found.append(
        SentenceLiteral(condition: condition, wanted: isNegative ? .isNotTrue : .isTrue))
    }
    return found
  }

  private static func user(_ text: String) -> String? {
    if text == "the owner" { return "request.auth.uid == id" }
    if text.hasPrefix("in "), let list = quoted(String(text.dropFirst(3))) {
      return "request.auth.uid in \(list)"
    }
    return quoted(text).map { "request.auth.uid == \($0)" }
  }

  private static func claim(_ text: String) -> String? {
    guard text.hasPrefix("the claim ") else { return nil }
    return quoted(String(text.dropFirst(10))).map { "request.auth.token.\($0)" }
  }

  /// Reads the fields that an update changes: "only `state`". With `isOnly`, bare names are all of them.
  static func fields(_ text: String, isOnly: Bool) -> [SentenceLiteral]? {
    if text.isEmpty { return [] }
    let parts = split(text, at: " and ")
    if isOnly, parts.count > 1 { return nil }
    return each(parts) { part in
      if part == "no field" { return literal("\(changed).hasOnly([])") }
      if part == "fields" { return literal("\(changed).hasOnly([])", isNegative: true) }
      if let names = names(part, after: "only fields other than ") {
        return literal("\(changed).hasAny(\(names))", isNegative: true)
      }
      if let names = names(part, after: "fields other than ") {
        return literal("\(changed).hasOnly(\(names))", isNegative: true)
      }
      if let names = names(part, after: "fields including ") {
        return literal("\(changed).hasAny(\(names))")
      }
      if let names = names(part, after: "only ") { return literal("\(changed).hasOnly(\(names))") }
      return names(part, after: "").map {
        literal("\(changed).\(isOnly ? "hasOnly" : "hasAny")(\($0))")
      }
    }
  }

  /// Reads the fields of the written document: "no fields but `state`".
  private static func content(_ part: String) -> SentenceLiteral? {
    if part == "no fields" { return literal("\(keys).hasOnly([])") }
    if part == "fields" { return literal("\(keys).hasOnly([])", isNegative: true) }
    if let names = names(part, after: "no fields but ") {
      return literal("\(keys).hasOnly(\(names))")
    }
    if let names = names(part, after: "fields other than ") {
      return literal("\(keys).hasOnly(\(names))", isNegative: true)
    }
    if let names = names(part, after: "no ") {
      return literal("\(keys).hasAny(\(names))", isNegative: true)
    }
    return names(part, after: "").map { literal("\(keys).hasAny(\($0))") }
  }

  /// Reads "with …", "if … and …", "unless … or …".
  static func condition(_ text: String) -> [SentenceLiteral]? {
    if text.hasPrefix("with ") {
      return each(split(String(text.dropFirst(5)), at: " and "), content)
    }
    if text.hasPrefix("if ") {
      return each(split(String(text.dropFirst(3)), at: " and ")) { part in
        if part.hasSuffix("` is false") {
          return quoted(String(part.dropLast(9))).map {
            SentenceLiteral(condition: $0, wanted: .isFalse)
          }
        }
        return quoted(part).map { literal($0) }
      }
    }
    guard text.hasPrefix("unless ") else { return nil }
    return each(split(String(text.dropFirst(7)), at: " or ")) { part in
      if part == "a statement that grants the same in both files allows it" {
        return SentenceLiteral(condition: nil, wanted: .isNotTrue)
      }
      if part.hasSuffix("` is false") {
        return quoted(String(part.dropLast(9))).map {
          SentenceLiteral(condition: $0, wanted: .isNotFalse)
        }
      }
      return quoted(part).map { literal($0, isNegative: true) }
    }
  }

  /// Reads all clients of a file: "only the owner, or a signed-in user writing only `state` if …". Each
  /// element is one of several alternatives.
  static func clients(_ text: String) -> [[SentenceLiteral]]? {
    if text == "nobody" { return [] }
    let words = text.hasPrefix("only ") ? String(text.dropFirst(5)) : text
    var found: [[SentenceLiteral]] = []
    for phrase in split(words, at: ", or ") {
      let parts = split(phrase, before: [" writing ", " if ", " unless "])
      let head = parts.first.map { String(phrase[..<$0.start]) } ?? phrase
      guard var all = client(head) else { return nil }
      for part in parts {
        let more: [SentenceLiteral]? =
          part.word == " writing "
          ? each(split(part.body, at: " and ")) { piece in
            piece.hasPrefix("only ") ? fields(piece, isOnly: false)?.first : content(piece)
          } : condition(String((part.word + part.body).dropFirst()))
        guard let more else { return nil }
        all += more
      }
      found.append(all)
    }
    return found
  }

  // MARK: Pieces

  private static func literal(_ condition: String, isNegative: Bool = false) -> SentenceLiteral {
    SentenceLiteral(condition: condition, wanted: isNegative ? .isNotTrue : .isTrue)
  }

  private static func each(
    _ parts: [String], _ read: (String) -> SentenceLiteral?
  ) -> [SentenceLiteral]? {
    let found = parts.compactMap(read)
    return found.count == parts.count ? found : nil
  }

  /// Returns what one pair of backticks encloses; nil if there is more.
  private static func quoted(_ text: String) -> String? {
    guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return nil }
    let inner = text.dropFirst().dropLast()
    return inner.contains("`") ? nil : String(inner)
  }

  /// Returns the list literal of quoted names behind some words.
  private static func names(_ text: String, after words: String) -> String? {
    guard text.hasPrefix(words) else { return nil }
    var names: [String] = []
    for part in split(String(text.dropFirst(words.count)), at: ", ").flatMap({
      split($0, at: " or ")
    }) {
      guard let name = quoted(part) else { return nil }
      names.append("'\(name)'")
    }
    return "[" + names.joined(separator: ", ") + "]"
  }

  /// Splits at a separator that stands outside of backticks.
  private static func split(_ text: String, at separator: String) -> [String] {
    let parts = split(text, before: [separator])
    let head = parts.first.map { String(text[..<$0.start]) } ?? text
    return [head] + parts.map { $0.body }
  }

  /// Splits before words that stand outside of backticks, and leaves out what is before the first one.
  private static func split(
    _ text: String, before words: [String]
  ) -> [(word: String, body: String, start: String.Index)] {
    var found: [(word: String, body: String, start: String.Index)] = []
    var bodies: [String.Index] = []
    var isQuoted = false
    var place = text.startIndex
    while place < text.endIndex {
      if text[place] == "`" { isQuoted.toggle() }
      if !isQuoted, let word = words.first(where: { text[place...].hasPrefix($0) }) {
        found.append((word, "", place))
        place = text.index(place, offsetBy: word.count)
        bodies.append(place)
      } else {
        place = text.index(after: place)
      }
    }
    for index in found.indices {
      let end = index + 1 < found.count ? found[index + 1].start : text.endIndex
      found[index].body = String(text[bodies[index]..<end])
    }
    return found
  }
}
