import RulesEval
import RulesHost
import RulesLang
import RulesService

/// Encodes and decodes positions of one text in the protocol's JSON.
struct LanguageCoder {
  /// The text.
  let document: TextDocument

  /// Encodes a position.
  func position(_ position: TextPosition) -> JSONText {
    .object([("line", .int(position.line)), ("character", .int(position.character))])
  }

  /// Encodes the position of an offset.
  func position(at offset: UInt32) -> JSONText { position(document.position(of: Int(offset))) }

  /// Encodes a range of the text.
  func range(_ range: SourceRange) -> JSONText {
    let positions = document.positions(of: range)
    return .object([
      ("start", position(positions.lowerBound)), ("end", position(positions.upperBound)),
    ])
  }

  /// Encodes a range together with the text's URI.
  func location(_ range: SourceRange) -> JSONText {
    .object([("uri", .string(document.uri)), ("range", self.range(range))])
  }

  /// Encodes a hover; null for none.
  func hover(_ hover: Hover?) -> JSONText {
    guard let hover else { return .null }
    return .object([
      ("contents", Self.markdown(hover.markdown)), ("range", range(hover.range)),
    ])
  }

  /// Encodes edits.
  func edits(_ edits: [TextEdit]) -> JSONText {
    .array(
      edits.map { .object([("range", range($0.range)), ("newText", .string($0.text))]) })
  }

  /// Encodes edits of several texts; with the versions of these, if the client takes them, so that it
  /// refuses edits of an older text.
  static func workspaceEdit(
    _ edits: [(TextDocument, [TextEdit])], for client: ClientAbilities
  ) -> JSONText {
    if client.hasDocumentChanges {
      let changes = edits.map { document, edits in
        JSONText.object([
          (
            "textDocument",
            .object([
              ("uri", .string(document.uri)),
              ("version", document.version.map { .int($0) } ?? .null),
            ])
          ), ("edits", LanguageCoder(document: document).edits(edits)),
        ])
      }
      return .object([("documentChanges", .array(changes))])
    }
    return .object([
      (
        "changes",
        .object(edits.map { ($0.0.uri, LanguageCoder(document: $0.0).edits($0.1)) })
      )
    ])
  }

  /// Encodes a text in Markdown.
  static func markdown(_ text: String) -> JSONText {
    .object([("kind", .string("markdown")), ("value", .string(text))])
  }

  // MARK: Reading

  /// Decodes the offset of the position in some parameters.
  func offset(_ parameters: JSON, key: Text = "position") throws(CallError) -> Int {
    document.offset(of: try Self.position(parameters.member(key), named: String(key)))
  }

  /// Decodes the range in some parameters.
  func range(_ parameters: JSON) throws(CallError) -> SourceRange {
    document.range(of: try Self.range(parameters.member("range")))
  }

  /// Decodes a position.
  static func position(_ json: JSON?, named name: String) throws(CallError) -> TextPosition {
    guard let line = json?.member("line")?.plainInt,
      let character = json?.member("character")?.plainInt, line >= 0, character >= 0
    else { throw .parameters("\"\(name)\" is a position: {\"line\": 0, \"character\": 0}") }
    return TextPosition(line: line, character: character)
  }

  /// Decodes a range of positions; a reversed one is put in order.
  static func range(_ json: JSON?) throws(CallError) -> Range<TextPosition> {
    let start = try position(json?.member("start"), named: "range.start")
    let end = try position(json?.member("end"), named: "range.end")
    return min(start, end)..<max(start, end)
  }
}
