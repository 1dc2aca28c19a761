import RulesEval
import RulesLang
import RulesService

/// Encodes completions as the protocol's JSON.
struct CompletionCoder {
  /// The text.
  let document: TextDocument
  /// The abilities of the editor.
  let client: ClientAbilities

  /// Encodes completions in their order.
  func json(_ items: [Completion]) -> JSONText {
    let list = items.enumerated().map { json($0.element, number: $0.offset) }
    return .object([("isIncomplete", .bool(false)), ("items", .array(list))])
  }

  private func json(_ item: Completion, number: Int) -> JSONText {
    let digits = "\(number)"
    var members: [(String, JSONText)] = [
      ("label", .string(item.label)), ("kind", .int(kind(item.kind))),
      ("sortText", .string(String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)),
    ]
    if !item.detail.isEmpty { members.append(("detail", .string(item.detail))) }
    if !item.about.isEmpty { members.append(("documentation", LanguageCoder.markdown(item.about))) }
    let written = document.source.string(item.edit.range)
    // Editors compare the existing text with the label, which has no quotes.
    if written.hasPrefix("\"") || item.kind == .key || item.kind == .value {
      members.append(("filterText", .string(item.edit.text)))
    }
    var text = item.edit.text
    if let caret = item.caret, client.hasSnippets {
      let place = text.utf8.index(text.endIndex, offsetBy: -caret)
      text = Self.escaped(text[..<place]) + "$0" + Self.escaped(text[place...])
      members.append(("insertTextFormat", .int(2)))
    }
    let range = LanguageCoder(document: document).range(item.edit.range)
    members.append(("textEdit", .object([("range", range), ("newText", .string(text))])))
    return .object(members)
  }

  /// Returns a text escaped for a snippet.
  private static func escaped(_ text: Substring) -> String {
    var result = ""
    for character in text {
      if character == "$" || character == "}" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result
  }

  private func kind(_ kind: Completion.Kind) -> Int {
    switch kind {
    case .variable: 6
    case .constant: 21
    case .function: 3
    case .method: 2
    case .field: 5
    case .module: 9
    case .keyword: 14
    case .type: 25
    case .operation: 20
    case .path: 17
    case .key: 10
    case .value: 12
    case .code: 20
    }
  }
}

/// Encodes the outline of a text as the protocol's JSON.
struct OutlineCoder {
  /// The text.
  let document: TextDocument
  /// True if the editor accepts a tree.
  let isNested: Bool

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  /// Encodes entries in their order.
  func json(_ items: [OutlineItem]) -> JSONText {
    .array(isNested ? items.map { tree($0) } : flat(items, in: ""))
  }

  private func tree(_ item: OutlineItem) -> JSONText {
    .object([
      ("name", .string(item.name)), ("detail", .string(item.detail)),
      ("kind", .int(Self.kind(item.kind))), ("range", coder.range(item.range)),
      ("selectionRange", coder.range(item.nameRange)),
      ("children", .array(item.children.map { tree($0) })),
    ])
  }

  /// Encodes entries without nesting, each with the name of its container; only those whose names match a
  /// query.
  func flat(_ items: [OutlineItem], in container: String, matching query: String = "") -> [JSONText]
  {
    items.flatMap { item -> [JSONText] in
      let inner = flat(item.children, in: item.name, matching: query)
      guard Self.matches(item.name, query) else { return inner }
      let own = JSONText.object([
        ("name", .string(item.name)), ("kind", .int(Self.kind(item.kind))),
        ("location", coder.location(item.nameRange)), ("containerName", .string(container)),
      ])
      return [own] + inner
    }
  }

  /// True if a name contains the letters of a query, in their order.
  private static func matches(_ name: String, _ query: String) -> Bool {
    var rest = query.lowercased()[...]
    for letter in name.lowercased() where letter == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  private static func kind(_ kind: OutlineItem.Kind) -> Int {
    switch kind {
    case .service: 3
    case .match: 5
    case .allow: 6
    case .function: 12
    case .suite: 2
    case .group: 3
    case .test: 6
    case .claim: 8
    }
  }
}

/// Encodes folding ranges as the protocol's JSON.
enum FoldCoder {
  /// Encodes folding ranges in their order.
  static func json(_ folds: [FoldingRange]) -> JSONText {
    .array(
      folds.map { fold in
        .object([
          ("startLine", .int(fold.start)), ("endLine", .int(fold.end)),
          ("kind", .string(fold.isComment ? "comment" : "region")),
        ])
      })
  }
}

/// Encodes semantic tokens as the protocol's numbers.
struct TokenCoder {
  /// The text.
  let document: TextDocument

  /// The names of the modifiers, by bit.
  static let modifiers = ["declaration", "defaultLibrary"]

  /// Encodes each token as five numbers, with its position relative to the one before.
  func json(_ tokens: [SemanticToken], in range: SourceRange?) -> JSONText {
    var numbers: [JSONText] = []
    var last = TextPosition(line: 0, character: 0)
    for token in tokens {
      if let range, token.range.end <= range.start || token.range.start >= range.end { continue }
      for piece in lines(of: token.range) where !piece.isEmpty {
        let start = piece.lowerBound
        let isSameLine = start.line == last.line
        let bits = (token.isDeclaration ? 1 : 0) + (token.isBuiltin ? 2 : 0)
        numbers += [
          .int(start.line - last.line),
          .int(isSameLine ? start.character - last.character : start.character),
          .int(piece.upperBound.character - start.character), .int(token.kind.rawValue), .int(bits),
        ]
        last = start
      }
    }
    return .object([("data", .array(numbers))])
  }

  /// Returns the parts of a token on each of its lines.
  private func lines(of range: SourceRange) -> [Range<TextPosition>] {
    let whole = document.positions(of: range)
    if whole.lowerBound.line == whole.upperBound.line { return [whole] }
    return (whole.lowerBound.line...whole.upperBound.line).map { line in
      let own = document.lineRange(line)
      let part = SourceRange(start: max(own.start, range.start), end: min(own.end, range.end))
      return document.positions(of: part)
    }
  }
}

/// Encodes code lenses as the protocol's JSON.
struct LensCoder {
  /// The text.
  let document: TextDocument

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  /// Encodes lenses in their order.
  func json(_ lenses: [CodeLens]) -> JSONText {
    .array(
      lenses.map { lens in
        let (command, arguments) = call(lens.action)
        return .object([
          ("range", coder.range(lens.range)),
          (
            "command",
            .object([
              ("title", .string(lens.title)), ("command", .string(command.rawValue)),
              ("arguments", .array([.string(document.uri)] + arguments)),
            ])
          ),
        ])
      })
  }

  private func call(_ action: CodeLens.Action) -> (LanguageCommand, [JSONText]) {
    switch action {
    case .runTests: (.runTests, [])
    case .runTest(let range): (.runTest, [coder.range(range)])
    case .decide(let range): (.decide, [coder.range(range)])
    case .prove(let path, let methods):
      (.prove, [.string(path), .array(methods.map { .string($0) })])
    }
  }
}

/// The commands that an editor can execute.
enum LanguageCommand: String, CaseIterable {
  /// Runs the suites of rules, or a suite: `[uri]`.
  case runTests = "rules-check.runTests"
  /// Runs a test: `[uri, range]`.
  case runTest = "rules-check.runTest"
  /// Decides a claim of a suite: `[uri, range]`.
  case decide = "rules-check.decide"
  /// Decides a claim about rules: `[uri, path, methods, onlyIf]`; without a condition the claim that only
  /// signed-in users are allowed anything.
  case prove = "rules-check.prove"
}
