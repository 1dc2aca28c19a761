import RulesEval
import RulesHost
import RulesLang
import RulesService

/// What the editor at the other end can do, as it says itself.
struct ClientAbilities {
  /// What it counts as a character.
  var encoding = PositionEncoding.utf16
  /// Whether a completion may say where the caret belongs.
  var hasSnippets = false
  /// Whether a diagnostic may name other places.
  var hasRelatedPlaces = false
  /// Whether the outline may be a tree.
  var hasNestedSymbols = false
  /// Whether hints and lenses can be asked for anew.
  var refreshesHints = false
  /// The same for lenses.
  var refreshesLenses = false
  /// Whether it gives its settings when asked.
  var hasConfiguration = false
  /// Whether it tells of files that change outside of it, if it is asked to.
  var watchesFiles = false
  /// Whether changes of several files may be tied to their versions.
  var hasDocumentChanges = false

  /// Knows nothing of an editor.
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
    hasDocumentChanges = has("workspace", "workspaceEdit", "documentChanges")
  }
}

extension JSON {
  /// The value under some keys, one inside the other.
  func at(_ keys: [Text]) -> JSON? {
    var place: JSON? = self
    for key in keys { place = place?.member(key) }
    return place
  }
}

/// What whoever uses the editor has set there: the section `rules-check` of its settings, and what
/// `initialize` brings along.
struct LanguageOptions: Equatable {
  /// Whether findings that take proofs are looked for when nobody is typing.
  var isDeep = true
  /// Whether suites are run when rules or suites change.
  var runsTests = true
  /// The seconds that the proofs about one text may take.
  var seconds = 20.0
  /// Whether the editor wants to be told what tests cover.
  var wantsCoverage = false
  /// Whether the editor asks for the reason of an `ignore` comment itself.
  var asksForReasons = false

  /// Takes over what some settings say; what they do not mention stays.
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
