// What the lexer and the parser say. The messages are Google's own where its compiler has a message
// for the mistake (Docs/Language.md §10); the help is ours.

extension Diagnostic {
  static func emptyRules() -> Diagnostic {
    Diagnostic(
      .emptyRules, .error, "Rules content empty. Compilation aborted.", at: nil,
      help: "an empty file is no ruleset; start with `rules_version = '2';` and a service")
  }

  static func unexpected(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(.syntax, .error, "Unexpected '\(text)'.", at: range, help: Self.help(for: text))
  }

  /// What somebody probably meant who wrote a token of another language.
  private static func help(for text: String) -> String? {
    switch text {
    case "=": "compare with `==`"
    case "and": "write `&&`"
    case "or": "write `||`"
    case "not": "write `!`"
    case "if": "choose with `condition ? a : b`"
    case "**": "powers are `math.pow(x, y)`"
    case "<EOF>": "something that was opened is not closed"
    case "'": "a string needs the same quote at both ends"
    default:
      text.utf8.first == UInt8(ascii: "/") && text.utf8.count > 1
        ? "a slash directly before a word begins a path; a division needs a space after it" : nil
    }
  }

  static func missing(_ wanted: String, before text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, .error, "missing '\(wanted)' at '\(text)'", at: range,
      help: wanted == ";" ? "a `let` must end with `;`" : nil)
  }

  static func missingOperand(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, .error,
      "mismatched input '\(text)' expecting {'--', '++', '{', '[', '(', '-', '!', '/', 'false', "
        + "'null', 'true', PATH_SEGMENT, IDENTIFIER, NUM_INT, NUM_FLOAT, UNPAIRED_DOUBLE_QUOTE, "
        + "UNPAIRED_SINGLE_QUOTE, STRING, BYTES}",
      at: range, label: "an operand is missing here")
  }

  static func nothingDeclared(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, .error,
      "mismatched input '\(text)' expecting {'function', 'import', 'service', 'rules_version'}",
      at: range, help: "a rules file is `rules_version = '2';` and `service cloud.firestore { … }`")
  }

  static func unknownCharacter(_ character: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .unknownCharacter, .error, "token recognition error at: '\(character)'", at: range)
  }

  static func unclosedString(_ bytes: [UInt8], at start: Int) -> Diagnostic {
    let quote = bytes[start] == UInt8(ascii: "'") ? "'" : "\""
    var end = start + 1
    while end < bytes.count, bytes[end] != bytes[start], bytes[end] != UInt8(ascii: "\n") {
      if bytes[end] == UInt8(ascii: "\\") {
        guard let length = Escape.length(in: bytes, at: end) else { break }
        end += length
      } else {
        end += 1
      }
    }
    let stopsAtEscape = end < bytes.count && bytes[end] == UInt8(ascii: "\\")
    return Diagnostic(
      .unclosedString, .error, "Missing a closing \(quote)",
      at: stopsAtEscape ? SourceRange(end, end + 1) : SourceRange(start, start + 1),
      help: stopsAtEscape
        ? "this is no escape of the rules language; a backslash itself is written `\\\\`"
        : "a string ends on the line where it begins")
  }

  static func invalidNumber(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidNumber, .error, "Invalid number literal \(text).", at: range,
      help: "the largest int is 9223372036854775807")
  }

  static func invalidBytes(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidBytes, .error, "Invalid bytes literal \(text).", at: range,
      help: "bytes know `\\xHH` and `\\OOO`, not `\\u`")
  }

  static func increment(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .incrementOperator, .error,
      "Increment (++) and decrement (--) operators are not supported.", at: range,
      help: "put a space between two signs")
  }

  static func missingMatch(at range: SourceRange) -> Diagnostic {
    Diagnostic(.misplacedPath, .error, "Missing 'match' keyword before path.", at: range)
  }

  static func incompletePath(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .incompletePath, .error, "Forward slash '/' found where identifier or binding expected.",
      at: range, help: "a slash is followed by a name, `{capture}` or, in expressions, `$(…)`")
  }

  static func missingOperation(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingOperation, .error, "Expected at least one 'operation' after 'allow'.", at: range,
      help: "name what is allowed: read, get, list, write, create, update, delete")
  }

  static func missingColon(at range: SourceRange) -> Diagnostic {
    Diagnostic(.missingCondition, .error, "Missing ':' before 'if' condition.", at: range)
  }

  static func missingIf(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingCondition, .error, "Missing 'if' before conditional expression.", at: range)
  }

  static func missingCondition(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingCondition, .error, "Missing conditional expression after 'if'.", at: range,
      label: "`\(text)` cannot begin a condition")
  }

  static func missingFunctionPart(_ part: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .missingBody, .error, "Missing 'function' \(part)", at: range,
      help: "a function is `function name(a, b) { return … ; }`")
  }

  static func extraParenthesis(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .syntax, .error, "Extra closing ')' at the end of parameter list.", at: range)
  }

  static func emptyBody(_ block: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .emptyBlock, .error, "The '\(block)' body must contain at least one declaration.", at: range)
  }

  static func unsupportedVersion(_ version: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .unsupportedVersion, .error, "Unsupported rules version \(version).", at: range,
      help: "the versions are '1' and '2'")
  }

  static func importStatement(_ module: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .importStatement, .error, "Import statements are not allowed.", at: range
    ).noting("Module \"\(module)\" is not part of the standard library.")
  }

  static func keywordAsService(at range: SourceRange) -> Diagnostic {
    Diagnostic(.serviceName, .error, "Cannot use keyword as service name.", at: range)
  }

  static func unknownType(_ word: String, at range: SourceRange) -> Diagnostic {
    let known = TypeWord.allCases.map { $0.spelling }
    return Diagnostic(
      .unknownType, .error,
      "An unsupported type identifier was used with the 'is' operator. Received \(word). "
        + "Expected one of \(known.joined(separator: ","))",
      at: range,
      help: word == "null"
        ? "compare with `== null`"
        : Spelling.nearest(to: word, among: known).map { "did you mean `\($0)`?" })
  }

  static func namespaceAsVariable(_ name: Name) -> Diagnostic {
    Diagnostic(
      .namespaceAsVariable, .error,
      "\(String(name.text)) is a package and cannot be used as variable name.", at: name.range)
  }

  static func duplicateCapture(_ name: Name) -> Diagnostic {
    Diagnostic(
      .duplicateCapture, .error,
      "Variable \(String(name.text)) already exists in the PathTemplate.", at: name.range)
  }

  static func nestedTooDeep(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitNesting, .error, "Expression is too complex to evaluate safely.", at: range,
      label: "nested too deeply",
      help: "an expression may be nested 99 levels deep; move parts into functions")
  }

  static func matchTooDeep(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .limitMatchDepth, .error, "Maximum allowed resource rule depth of 10 is reached.", at: range,
      help: "write several segments in one `match`")
  }

  static func tooManyErrors(at range: SourceRange?) -> Diagnostic {
    Diagnostic(
      .tooManyErrors, .error, "too many mistakes; the rest of the file was not looked at",
      at: range)
  }

  static func byteOrderMark() -> Diagnostic {
    Diagnostic(
      .byteOrderMark, .warning, "the file begins with a byte order mark, which Google refuses",
      at: SourceRange(UInt32(0), 0), help: "save it as UTF-8 without BOM")
  }

  static func invalidUTF8(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .invalidUTF8, .error, "the file is not valid UTF-8", at: range,
      label: "the first byte that belongs to no character", help: "save it as UTF-8")
  }
}
