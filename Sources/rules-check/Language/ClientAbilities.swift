import RulesEval
import RulesHost
import RulesLang
import RulesService

/// The abilities of the editor, as it states them in `initialize`.
struct ClientAbilities {
  /// The unit of positions.
  var encoding = PositionEncoding.utf16
  /// True if a completion may place the caret.
  var hasSnippets = false
  /// True if a diagnostic may have related places.
  var hasRelatedPlaces = false
  /// True if the outline may be a tree.
  var hasNestedSymbols = false
  /// True if the server may ask the editor to request hints again.
  var refreshesHints = false
  /// True if the server may ask the editor to request lenses again.
  var refreshesLenses = false
  /// True if it returns its settings on request.
  var hasConfiguration = false
  /// True if it reports changes of files outside of it, when asked to.
  var watchesFiles = false
  /// True if it shows the progress of work that the server does by itself.
  var showsProgress = false
  /// True if edits of several files may be tied to versions.
  var hasDocumentChanges = false

  /// Creates the abilities of an unknown editor.
  init() {}

  /// Reads the parameters of `initialize`.
  init(_ parameters: JSON) {
    let all = parameters.member("capabilities") ?? JSON(.object([]))
    func has(_ keys: Text...) -> Bool { all.at(keys)?.isTrue ?? false }
    let encodings = all.at(["general", "positionEncodings"])?.list.compactMap(\.plainText) ?? []
    if encodings.contains(PositionEncoding.utf8.rawValue) { encoding = .utf8 }
    hasSnippets = has("textDocument", "completion", "completionItem", "snippetSupport")
    hasRelatedPlaces = has("textDocument", "publishDiagnostics", "relatedInformation")
    hasNestedSymbols = has("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
    refreshesHints = has("workspace", "inlayHint", "refreshSupport")
    refreshesLenses = has("workspace", "codeLens", "refreshSupport")
    hasConfiguration = has("workspace", "configuration")
    watchesFiles = has("workspace", "didChangeWatchedFiles", "dynamicRegistration")
    showsProgress = has("window", "workDoneProgress")
    hasDocumentChanges = has("workspace", "workspaceEdit", "documentChanges")
  }
}

/// The user's settings in the editor: the section `rules-check`, and the options of `initialize`.
struct LanguageOptions: Equatable {
  /// True to run proofs while the user is not typing.
  var isDeep = true
  /// True to run suites when rules or suites change.
  var runsTests = true
  /// Maximum seconds of the proofs about one text.
  var seconds = 20.0
  /// True if the editor wants coverage notifications.
  var wantsCoverage = false
  /// True if the editor itself asks for the reason of an `ignore` comment.
  var asksForReasons = false

  /// Updates the settings; those that are not mentioned stay.
  mutating func read(_ settings: JSON) {
    let own = settings.member("rules-check") ?? settings
    if case .bool(let flag)? = own.member("deep")?.kind { isDeep = flag }
    if case .bool(let flag)? = own.member("runTests")?.kind { runsTests = flag }
    if case .bool(let flag)? = own.member("coverage")?.kind { wantsCoverage = flag }
    if case .bool(let flag)? = own.member("asksForReasons")?.kind { asksForReasons = flag }
    if case .number(let text)? = own.member("seconds")?.kind, let number = Double(text),
      number > 0, number < 1e6
    {
      seconds = number
    }
  }
}
