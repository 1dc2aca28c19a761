import RulesEval
import RulesHost
import RulesLang
import RulesReport
import RulesService

/// The requests about one text, by their methods.
enum TextQuestion: String, CaseIterable {
  case hover = "textDocument/hover"
  case definition = "textDocument/definition"
  case declaration = "textDocument/declaration"
  case references = "textDocument/references"
  case highlights = "textDocument/documentHighlight"
  case prepareRename = "textDocument/prepareRename"
  case symbols = "textDocument/documentSymbol"
  case completion = "textDocument/completion"
  case signature = "textDocument/signatureHelp"
  case formatting = "textDocument/formatting"
  case rangeFormatting = "textDocument/rangeFormatting"
  case formattingOnType = "textDocument/onTypeFormatting"
  case actions = "textDocument/codeAction"
  case lenses = "textDocument/codeLens"
  case folds = "textDocument/foldingRange"
  case selections = "textDocument/selectionRange"
  case tokens = "textDocument/semanticTokens/full"
  case tokensOfRange = "textDocument/semanticTokens/range"
  case hints = "textDocument/inlayHint"
}

extension RulesAnswers {
  /// Answers a request.
  func answer(
    _ question: TextQuestion, _ parameters: JSON, asksForReasons: Bool
  ) throws(CallError) -> JSONText {
    switch question {
    case .hover: try hover(parameters)
    case .definition, .declaration: try definition(parameters)
    case .references: try references(parameters)
    case .highlights: try highlights(parameters)
    case .prepareRename: try prepareRename(parameters)
    case .symbols: symbols()
    case .completion: try completion(parameters)
    case .signature: try signature(parameters)
    case .formatting: formatting()
    case .rangeFormatting: try rangeFormatting(parameters)
    case .formattingOnType: try formattingOnType(parameters)
    case .actions: try actions(parameters, asksForReasons: asksForReasons)
    case .lenses: lenses()
    case .folds: folds()
    case .selections: try selections(parameters)
    case .tokens: try tokens(JSON(.object([])))
    case .tokensOfRange: try tokens(parameters)
    case .hints: try hints(parameters)
    }
  }
}

extension SuiteAnswers {
  /// Answers a request; null for those that suites do not support.
  func answer(_ question: TextQuestion, _ parameters: JSON) throws(CallError) -> JSONText {
    switch question {
    case .hover: try hover(parameters)
    case .symbols: symbols()
    case .completion: try completion(parameters)
    case .lenses: lenses()
    case .folds: folds()
    case .prepareRename: throw .failed("names of suites cannot be changed")
    case .definition, .declaration, .references, .highlights, .signature, .formatting,
      .rangeFormatting, .formattingOnType, .actions, .selections, .tokens, .tokensOfRange, .hints:
      .null
    }
  }
}

/// The abilities of the server.
enum ServerAbilities {
  /// Returns them in the form of the answer to `initialize`.
  static func json(encoding: PositionEncoding) -> JSONText {
    .object([
      ("capabilities", .object(capabilities(encoding))),
      (
        "serverInfo",
        .object([("name", .string("rules-check")), ("version", .string(Product.version))])
      ),
    ])
  }

  private static func strings(_ words: [String]) -> JSONText { .array(words.map { .string($0) }) }

  private static func capabilities(_ encoding: PositionEncoding) -> [(String, JSONText)] {
    let yes = JSONText.bool(true)
    return [
      ("positionEncoding", .string(encoding.rawValue)),
      (
        "textDocumentSync",
        .object([("openClose", yes), ("change", .int(2)), ("save", yes)])
      ),
      ("hoverProvider", yes), ("definitionProvider", yes), ("declarationProvider", yes),
      ("referencesProvider", yes), ("documentHighlightProvider", yes),
      ("renameProvider", .object([("prepareProvider", yes)])), ("documentSymbolProvider", yes),
      ("workspaceSymbolProvider", yes),
      (
        "completionProvider",
        .object([("triggerCharacters", strings([".", "/", "\"", ",", " "]))])
      ),
      ("signatureHelpProvider", .object([("triggerCharacters", strings(["(", ","]))])),
      ("documentFormattingProvider", yes), ("documentRangeFormattingProvider", yes),
      (
        "documentOnTypeFormattingProvider",
        .object([
          ("firstTriggerCharacter", .string("}")), ("moreTriggerCharacter", strings([";", "\n"])),
        ])
      ),
      (
        "codeActionProvider",
        .object([
          (
            "codeActionKinds",
            strings([CodeAction.Kind.quickFix.rawValue, CodeAction.Kind.fixAll.rawValue])
          )
        ])
      ),
      ("codeLensProvider", .object([])), ("foldingRangeProvider", yes),
      ("selectionRangeProvider", yes), ("inlayHintProvider", yes),
      (
        "semanticTokensProvider",
        .object([
          (
            "legend",
            .object([
              ("tokenTypes", strings(SemanticToken.Kind.allCases.map(\.word))),
              ("tokenModifiers", strings(TokenCoder.modifiers)),
            ])
          ), ("full", yes), ("range", yes),
        ])
      ),
      (
        "executeCommandProvider",
        .object([("commands", strings(LanguageCommand.allCases.map(\.rawValue)))])
      ),
      (
        "workspace",
        .object([
          ("workspaceFolders", .object([("supported", yes), ("changeNotifications", yes)]))
        ])
      ),
    ]
  }
}
