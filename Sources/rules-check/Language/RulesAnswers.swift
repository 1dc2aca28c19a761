import RulesEval
import RulesHost
import RulesLang
import RulesService

/// Answers requests about one open text of rules.
struct RulesAnswers {
  /// The text.
  let document: TextDocument
  /// The analysis of the text.
  let analysis: RulesAnalysis
  /// The abilities of the editor.
  let client: ClientAbilities

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  // MARK: Names

  /// Answers with the hover at a position.
  func hover(_ parameters: JSON) throws(CallError) -> JSONText {
    coder.hover(analysis.hover(at: try coder.offset(parameters)))
  }

  /// Answers with the declaration of a name.
  func definition(_ parameters: JSON) throws(CallError) -> JSONText {
    analysis.definition(at: try coder.offset(parameters)).map { coder.location($0) } ?? .null
  }

  /// Answers with the uses of a name.
  func references(_ parameters: JSON) throws(CallError) -> JSONText {
    guard let places = analysis.places(at: try coder.offset(parameters)) else { return .array([]) }
    let withDeclaration =
      parameters.at(["context", "includeDeclaration"]).map { $0.isTrue } ?? true
    return .array(
      places.all.filter { withDeclaration || !$0.isDeclaration }.map { coder.location($0.range) })
  }

  /// Answers with the occurrences of the name at a position.
  func highlights(_ parameters: JSON) throws(CallError) -> JSONText {
    guard let places = analysis.places(at: try coder.offset(parameters)) else { return .array([]) }
    return .array(
      places.all.map { place in
        .object([
          ("range", coder.range(place.range)), ("kind", .int(place.isDeclaration ? 3 : 2)),
        ])
      })
  }

  /// Answers with the name that can be changed.
  func prepareRename(_ parameters: JSON) throws(CallError) -> JSONText {
    let offset = try coder.offset(parameters)
    do throws(RenameRefusal) {
      let range = try analysis.renamable(at: offset)
      return .object([
        ("range", coder.range(range)),
        ("placeholder", .string(document.source.string(range))),
      ])
    } catch {
      throw .failed(error.reason)
    }
  }

  /// Answers with the outline of the text.
  func symbols() -> JSONText {
    OutlineCoder(document: document, isNested: client.hasNestedSymbols).json(analysis.outline)
  }

  // MARK: Writing

  /// Answers with the completions at a position.
  func completion(_ parameters: JSON) throws(CallError) -> JSONText {
    let items = analysis.completions(at: try coder.offset(parameters))
    return CompletionCoder(document: document, client: client).json(items)
  }

  /// Answers with the signatures of the call at a position.
  func signature(_ parameters: JSON) throws(CallError) -> JSONText {
    guard let help = analysis.signature(at: try coder.offset(parameters)) else { return .null }
    let signatures = help.signatures.map { signature in
      JSONText.object([
        ("label", .string(signature.label)),
        ("documentation", LanguageCoder.markdown(signature.about)),
        (
          "parameters",
          .array(
            signature.parameters.map { range in
              // Names and types are of ASCII alone: bytes and units are the same.
              .object([("label", .array([.int(range.lowerBound), .int(range.upperBound)]))])
            })
        ),
      ])
    }
    return .object([
      ("signatures", .array(signatures)), ("activeSignature", .int(help.active)),
      ("activeParameter", .int(help.argument)),
    ])
  }

  /// Answers with the edits that format the text.
  func formatting() -> JSONText { coder.edits(analysis.formatting) }

  /// Answers with the edits that format a range.
  func rangeFormatting(_ parameters: JSON) throws(CallError) -> JSONText {
    coder.edits(analysis.formatting(of: try coder.range(parameters)))
  }

  /// Answers with the edits that format the line just typed.
  func formattingOnType(_ parameters: JSON) throws(CallError) -> JSONText {
    guard let character = parameters.member("ch")?.plainText else {
      throw .parameters("\"ch\" is the character that was typed")
    }
    return coder.edits(
      analysis.formatting(afterTyping: character, at: try coder.offset(parameters)))
  }

  /// Answers with the code actions for a range.
  func actions(_ parameters: JSON, asksForReasons: Bool) throws(CallError) -> JSONText {
    let wanted = parameters.at(["context", "only"])?.list.compactMap(\.plainText)
    let actions = analysis.actions(in: try coder.range(parameters)).filter { action in
      guard let wanted else { return true }
      return wanted.contains { ("." + action.kind.rawValue + ".").hasPrefix("." + $0 + ".") }
    }
    return .array(actions.map { json($0, asksForReasons: asksForReasons) })
  }

  private func json(_ action: CodeAction, asksForReasons: Bool) -> JSONText {
    var members: [(String, JSONText)] = [
      ("title", .string(action.title)), ("kind", .string(action.kind.rawValue)),
    ]
    if let diagnostic = action.diagnostic {
      members.append(
        ("diagnostics", DiagnosticCoder(document: document, client: client).list([diagnostic])))
    }
    if action.isPreferred { members.append(("isPreferred", .bool(true))) }
    if asksForReasons, action.ignored != nil, let edit = action.edits.first {
      // The editor asks for the reason, and puts it behind the comment before the line ends.
      let place = coder.position(at: edit.range.start)
      let command = JSONText.object([
        ("title", .string(action.title)), ("command", .string("rules-check.ignore")),
        (
          "arguments",
          .array([.string(document.uri), place, .string(String(edit.text.dropLast()))])
        ),
      ])
      members.append(("command", command))
    } else {
      members.append(("edit", LanguageCoder.workspaceEdit([(document, action.edits)], for: client)))
    }
    return .object(members)
  }

  // MARK: Showing

  /// Answers with the folding ranges.
  func folds() -> JSONText { FoldCoder.json(analysis.foldingRanges(in: document)) }

  /// Answers with the selection ranges around some positions.
  func selections(_ parameters: JSON) throws(CallError) -> JSONText {
    var results: [JSONText] = []
    for place in parameters.member("positions")?.list ?? [] {
      let position = try LanguageCoder.position(place, named: "positions")
      var outer = JSONText.null
      for range in analysis.selectionRanges(at: document.offset(of: position)).reversed() {
        var members = [("range", coder.range(range))]
        if case .object = outer { members.append(("parent", outer)) }
        outer = .object(members)
      }
      results.append(outer)
    }
    return .array(results)
  }

  /// Answers with the semantic tokens.
  func tokens(_ parameters: JSON) throws(CallError) -> JSONText {
    let range = parameters.member("range") == nil ? nil : try coder.range(parameters)
    return TokenCoder(document: document).json(analysis.semanticTokens, in: range)
  }

  /// Answers with inlay hints of the access that each statement gives.
  func hints(_ parameters: JSON) throws(CallError) -> JSONText {
    let range = try coder.range(parameters)
    let shown = (analysis.deep?.access ?? []).filter {
      range.start <= $0.place && $0.place <= range.end
    }
    return .array(
      shown.map { access in
        .object([
          ("position", coder.position(at: access.place)), ("label", .string(access.summary)),
          ("paddingLeft", .bool(true)),
          (
            "tooltip",
            LanguageCoder.markdown(access.details.map { "- " + $0 }.joined(separator: "\n"))
          ),
        ])
      })
  }

  /// Answers with the code lenses above statements.
  func lenses() -> JSONText { LensCoder(document: document).json(analysis.lenses) }

  /// Answers with the outcomes of each statement that tests have shown: `both`, one of them, or `none`.
  func coverage(_ runs: RulesRuns) -> JSONText {
    let statements = analysis.rules.allows.enumerated().map { index, allow in
      var (granted, refused) = (0, 0)
      for (_, run) in runs.suites where index < run.coverage.statements.count {
        let tally = run.coverage.statements[index]
        granted += tally.granted
        refused += tally.refused + tally.failed
      }
      let state = granted + refused == 0 ? "none" : granted > 0 && refused > 0 ? "both" : "one"
      return JSONText.object([
        ("range", coder.range(allow.range)), ("state", .string(state)),
        ("granted", .int(granted)), ("refused", .int(refused)),
      ])
    }
    return .object([("uri", .string(document.uri)), ("statements", .array(statements))])
  }
}
