// The diagnostics of the lexer and the parser. The messages are Google's own where its compiler has a message
// for the mistake (Docs/Language.md §10); the help is ours.

extension Diagnostic {
  static func emptyRules() -> Diagnostic {
    Diagnostic(
      .emptyRules, severity: .error, message: "Rules content empty. Compilation aborted.", at: nil,
      help: "an empty file is not a ruleset; start with `rules_version = '2';` and a service")
  }

  /// The error for a token that nothing allows here; a dot directly behind a question mark (`isChaining`) is
  /// the optional chaining of JavaScript and Swift. `before` is the token before it.
  static func unexpected(
    _ text: String, at range: SourceRange, isChaining: Bool = false, after before: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .syntax, severity: .error, message: "Unexpected '\(text)'.", at: range,
      help: isChaining
        ? "there is no `?.`; write `x != null && x.y == z`, or `map.get('key', default)`"
        : before == "typeof"
          ? "write `x is string`, `x is number` or `x is list`"
          : Self.statement(text) ?? Self.help(for: text)
    ).fixing(with: Self.correction(of: text))
  }

  /// The words that begin statements.
  private static let keywords = [
    "match", "allow", "function", "service", "return", "rules_version",
  ]

  /// Returns help for a word that begins a statement, in the place of an expression or of another statement.
  private static func statement(_ text: String) -> String? {
    switch text {
    case "let": "a `let` comes only at the beginning of a function"
    case "const", "var": "values get names in functions: `let name = …;`"
    case "return": "an expression is written without `return`"
    default: nil
    }
  }

  /// Returns help for a token of another language.
  private static func help(for text: String) -> String? {
    switch text {
    case "=": "compare with `==`"
    case "and": "write `&&`"
    case "or": "write `||`"
    case "not": "write `!`"
    case "if": "choose with `condition ? a : b`"
    case "**": "powers are `math.pow(x, y)`"
    case "'": "a string needs the same quote at both ends"
    default:
      if isExponent(text) {
        "a number has no exponent"
      } else if text.utf8.first == UInt8(ascii: "/"), text.utf8.count > 1 {
        "a slash directly before a word begins a path; a division needs a space after it"
      } else if text.utf8.count > 3 {
        Spelling.nearest(to: text, among: keywords).map { "did you mean `\($0)`?" }
      } else {
        nil
      }
    }
  }

  /// Returns the replacement of a token, if replacing it is the whole fix.
  private static func correction(of text: String) -> String? {
    switch text {
    case "=": "=="
    case "and": "&&"
    case "or": "||"
    case "not": "!"
    case "if", "**", "<EOF>", "'": nil
    default:
      text.utf8.count > 3 && text.utf8.first != UInt8(ascii: "/") && !isExponent(text)
        ? Spelling.nearest(to: text, among: keywords) : nil
    }
  }

  private static func isExponent(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "e") && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  static func missing(
    _ wanted: String, before text: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      .syntax, severity: .error, message: "missing \(wanted) at '\(text)'", at: range,
      help: wanted == "';'" ? "a `let` must end with `;`" : Self.help(for: text)
    ).fixing(with: wanted == "';'" ? nil : Self.correction(of: text))
  }

  static func mismatched(
    _ text: String, expecting expected: TokenSet, at range: SourceRange, in file: String = ""
  ) -> Diagnostic {
    let help: String? =
      switch text {
      case "<EOF>" where expected.contains(.service):
        "rules have a `service cloud.firestore { … }`"
      case "{" where expected.contains(.service) && file.hasSuffix(".suite.json"):
        "this is a suite: rules-check test \(file)"
      case "{" where expected.contains(.service):
        "JSON rules are for Realtime Database; rules-check reads Firestore rules"
      default: Self.help(for: text)
      }
    return Diagnostic(
      .syntax, severity: .error, message: "mismatched input '\(text)' expecting \(expected.list)",
      at: range, help: help
    ).fixing(with: Self.correction(of: text))
  }

  /// Quotes the text of a token for messages: on one line, and shortened if it is huge.
  static func quoting(_ text: String) -> String {
    let isLong = text.utf8.count > longestQuote
    guard isLong || text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in isLong ? text.unicodeScalars.prefix(quotedPart) : text.unicodeScalars[...] {
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case let other: result.append(other)
      }
    }
    return String(result) + (isLong ? "..." : "")
  }

  /// Maximum bytes of a token that is quoted whole: only a broken file has longer ones.
  private static let longestQuote = 1000
  /// Characters quoted of a longer token.
  private static let quotedPart = 100

  static func unknownCharacter(_ character: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .unknownCharacter, severity: .error,
      message: "token recognition error at: '\(quoting(character))'",
      at: range, help: help(for: character.unicodeScalars.first))
  }

  /// Returns help for a character that looks like another one, or is invisible.
  private static func help(for character: Unicode.Scalar?) -> String? {
    guard let character else { return nil }
    switch character {
    case "\u{A0}", "\u{202F}", "\u{2000}"..."\u{200A}", "\u{3000}":
      return "this is a special space, often copied from a web page; write a plain space"
    case "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}":
      return "this character is invisible and often comes with copied text: delete it"
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}": return "write plain quotes: `'`"
    case "\u{2013}", "\u{2014}", "\u{2212}": return "write a plain minus: `-`"
    default: return nil
    }
  }

  /// The error for an unclosed string: Google's compiler points at the token after it.
  static func unclosedString(
    _ text: String, begunAt string: SourceRange, at next: SourceRange
  ) -> Diagnostic {
    let quote = text.utf8.first == UInt8(ascii: "'") ? "'" : "\""
    return Diagnostic(
      .unclosedString, severity: .error, message: "Missing a closing \(quote)", at: next,
      help: "a string ends on the line where it begins; a backslash is written `\\\\`"
    ).relating(string, as: "the string begins here")
  }

  static func invalidNumber(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidNumber, severity: .error, message: "Invalid number literal \(text).", at: range,
      help: "the largest int is 9223372036854775807")
  }

  static func invalidBytes(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidBytes, severity: .error, message: "Invalid bytes literal \(text).", at: range,
      help: "bytes know `\\xHH` and `\\OOO`, not `\\u`")
  }

  static func increment(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .incrementOperator, severity: .error,
      message: "Increment (++) and decrement (--) operators are not supported.", at: range,
      help: "put a space between two signs")
  }

  static func missingMatch(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .misplacedPath, severity: .error, message: "Missing 'match' keyword before path.", at: range,
      help: "a block is `match /path { … }`; a division needs a space after the slash")
  }

  static func incompletePath(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .incompletePath, severity: .error,
      message: "Forward slash '/' found where identifier or binding expected.",
      at: range, help: "a slash is followed by a name, `{capture}` or, in expressions, `$(…)`")
  }

  static func missingOperation(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingOperation, severity: .error,
      message: "Expected at least one 'operation' after 'allow'.", at: range,
      help: "name what is allowed: read, get, list, write, create, update, delete")
  }

  static func missingColon(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingCondition, severity: .error, message: "Missing ':' before 'if' condition.", at: range,
      help: "put a colon before `if`: `allow read: if …`")
  }

  static func missingIf(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingCondition, severity: .error, message: "Missing 'if' before conditional expression.",
      at: range)
  }

  static func missingCondition(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingCondition, severity: .error, message: "Missing conditional expression after 'if'.",
      at: range,
      label: "`\(text)` cannot begin a condition")
  }

  static func missingFunctionPart(_ part: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingBody, severity: .error, message: "Missing 'function' \(part)", at: range,
      help: "a function is `function name(a, b) { return … ; }`")
  }

  static func extraParenthesis(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, severity: .error, message: "Extra closing ')' at the end of parameter list.",
      at: range)
  }

  static func extraBrace(isGlob: Bool, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, severity: .error, message: "\(isGlob ? "Exra" : "Extra") closing '}' in path.",
      at: range)
  }

  static func importAlias(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, severity: .error,
      message: "Import statement with alias must use the format 'as <alias>'", at: range)
  }

  static func emptyBody(_ block: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .emptyBlock, severity: .error,
      message: "The '\(block)' body must contain at least one declaration.", at: range)
  }

  static func unsupportedVersion(_ version: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .unsupportedVersion, severity: .error, message: "Unsupported rules version \(version).",
      at: range,
      help: "the versions are '1' and '2'")
  }

  static func importStatement(_ module: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .importStatement, severity: .error, message: "Import statements are not allowed.", at: range
    ).noting(Self.module(module, at: range).message)
  }

  static func module(_ module: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .importStatement, severity: .error,
      message: "Module \"\(module)\" is not part of the standard library.",
      at: range)
  }

  static func keywordAsService(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .serviceName, severity: .error, message: "Cannot use keyword as service name.", at: range)
  }

  /// The error for an unknown type after `is`: Google's compiler points at the token after it.
  static func unknownType(
    _ word: String, place: SourceRange, at next: SourceRange
  ) -> Diagnostic {
    let known = TypeWord.allCases.map { $0.spelling }
    let meant = word == "null" ? nil : Spelling.nearest(to: word, among: known)
    return Diagnostic(
      .unknownType, severity: .error,
      message: "An unsupported type identifier was used with the 'is' operator. Received \(word). "
        + "Expected one of \(known.joined(separator: ","))",
      at: next,
      help: word == "null"
        ? "compare with `== null`"
        : meant.map { "did you mean `\($0)`?" }
    ).fixing(place, with: meant).relating(place, as: "this is not a type")
  }

  static func namespaceAsVariable(_ name: Name) -> Diagnostic {
    Diagnostic(
      .namespaceAsVariable, severity: .error,
      message: "\(String(name.text)) is a package and cannot be used as variable name.",
      at: name.range)
  }

  static func duplicateCapture(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateCapture, severity: .error,
      message: "Variable \(String(name.text)) already exists in the PathTemplate.", at: name.range)
  }

  static func nestedTooDeep(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitNesting, severity: .error, message: "Expression is too complex to evaluate safely.",
      at: range,
      label: "nested too deeply",
      help: "an expression may be nested 99 levels deep; move parts into functions")
  }

  static func matchTooDeep(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitMatchDepth, severity: .error,
      message: "Maximum allowed resource rule depth of 10 is reached.", at: range,
      help: "write several segments in one `match`")
  }

  static func tooManyErrors(at range: SourceRange?) -> Diagnostic {
    Diagnostic(
      .tooManyErrors, severity: .error,
      message: "too many mistakes; the rest of the file is not checked",
      at: range)
  }

  static func byteOrderMark() -> Diagnostic {
    Diagnostic(
      .byteOrderMark, severity: .error,
      message: "the file begins with a byte order mark, which Google refuses",
      at: SourceRange(start: UInt32(0), end: 0), help: "save it as UTF-8 without BOM")
  }

  static func utf16() -> Diagnostic {
    Diagnostic(
      .invalidUTF8, severity: .error, message: "the file is UTF-16, and rules are UTF-8", at: nil,
      help: "save it as UTF-8")
  }

  static func invalidUTF8(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidUTF8, severity: .error, message: "the file is not valid UTF-8", at: range,
      label: "the first invalid byte", help: "save it as UTF-8")
  }
}
