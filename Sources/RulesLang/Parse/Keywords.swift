/// The reserved words (Docs/Language.md §2).
package enum Keywords {
  /// Returns the kind of a word: a keyword of the grammar, another reserved word, or an identifier.
  package static func kind(of word: ArraySlice<UInt8>) -> TokenKind {
    // Every reserved word is lower case, with one underscore in `rules_version`.
    guard word.count >= 2, word.count <= 13, let first = word.first, first >= UInt8(ascii: "a")
    else { return .identifier }
    return table[Text(wellFormed: Array(word))] ?? .identifier
  }

  /// True if a word cannot be the name of a service, as some reserved words cannot.
  static func isRefusedAsService(_ word: Text) -> Bool {
    let refused: [Text] = [
      "allow", "deny", "extends", "false", "function", "if", "import", "in", "is", "match", "null",
      "package", "return", "service", "true",
    ]
    return refused.contains(word)
  }

  private static let table: [Text: TokenKind] = {
    var table: [Text: TokenKind] = [
      "allow": .allow, "false": .false, "function": .function, "if": .if, "import": .import,
      "in": .in, "is": .is, "let": .let, "match": .match, "null": .null, "return": .return,
      "service": .service, "true": .true, "rules_version": .rulesVersion,
    ]
    let others: [Text] = [
      "arguments", "break", "case", "continue", "default", "deny", "do", "each", "else", "extends",
      "for", "goto", "not", "package", "switch", "then", "var", "while",
    ]
    for word in others { table[word] = .reserved }
    return table
  }()
}

/// The operators and punctuation marks (Docs/Language.md §2).
package enum Operators {
  /// Returns the token of two characters, if there is one.
  package static func two(_ first: UInt8, then second: UInt8) -> TokenKind? {
    switch (first, second) {
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): .orOr
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): .andAnd
    case (UInt8(ascii: "="), UInt8(ascii: "=")): .equalEqual
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): .notEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): .lessEqual
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): .greaterEqual
    case (UInt8(ascii: "*"), UInt8(ascii: "*")): .starStar
    case (UInt8(ascii: "+"), UInt8(ascii: "+")): .plusPlus
    case (UInt8(ascii: "-"), UInt8(ascii: "-")): .minusMinus
    default: nil
    }
  }

  /// Returns the token of one character, if there is one.
  package static func one(_ byte: UInt8) -> TokenKind? {
    switch byte {
    case UInt8(ascii: "<"): .less
    case UInt8(ascii: ">"): .greater
    case UInt8(ascii: "+"): .plus
    case UInt8(ascii: "-"): .minus
    case UInt8(ascii: "*"): .star
    case UInt8(ascii: "/"): .slash
    case UInt8(ascii: "%"): .percent
    case UInt8(ascii: "!"): .bang
    case UInt8(ascii: "?"): .question
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: ","): .comma
    case UInt8(ascii: ";"): .semicolon
    case UInt8(ascii: "."): .dot
    case UInt8(ascii: "("): .leftParen
    case UInt8(ascii: ")"): .rightParen
    case UInt8(ascii: "["): .leftBracket
    case UInt8(ascii: "]"): .rightBracket
    case UInt8(ascii: "{"): .leftBrace
    case UInt8(ascii: "}"): .rightBrace
    case UInt8(ascii: "="): .equal
    case UInt8(ascii: "@"): .at
    default: nil
    }
  }

  /// Returns the binary operator of a token; nil for other tokens.
  package static func binary(_ kind: TokenKind) -> BinaryOperator? {
    switch kind {
    case .orOr: .or
    case .andAnd: .and
    case .in: .in
    case .equalEqual: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessEqual: .lessEqual
    case .greater: .greater
    case .greaterEqual: .greaterEqual
    case .plus: .add
    case .minus: .subtract
    case .star: .multiply
    case .slash: .divide
    case .percent: .remainder
    default: nil
    }
  }
}
