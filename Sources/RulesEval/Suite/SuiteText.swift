public import RulesLang

/// What a suite file says, as far as that takes neither the rules nor other files.
public struct SuiteText: Sendable {
  /// What a file can hold.
  public enum Content: Sendable {
    /// The body of Google's `projects.test` call.
    case rulesTest
    /// So many tests that they are read portion by portion.
    case stream(SuiteStream)
    /// A suite; nil, and what is wrong, if it cannot be run.
    case suite(Suite?, [Diagnostic])
  }

  /// The text.
  public let source: SourceText
  /// What it says.
  public let content: Content

  /// Texts of fewer bytes are read as a whole at once.
  private static let shortBytes = 1 << 16

  /// Reads a text. Without `streaming` all tests are in memory at once, however many there are.
  public init(_ source: SourceText, streaming: Bool) {
    self.source = source
    let isShort = source.bytes.count < Self.shortBytes
    content = isShort ? Self.short(source) : Self.long(source, streaming: streaming)
  }

  private static func short(_ source: SourceText) -> Content {
    guard let json = try? JSONParser.parse(source) else { return whole(source) }
    if json.isRulesTest { return .rulesTest }
    let (suite, diagnostics) = SuiteReader.read(json, in: source)
    return .suite(suite, diagnostics)
  }

  private static func long(_ source: SourceText, streaming: Bool) -> Content {
    guard let outline = SuiteOutline(source) else { return whole(source) }
    if outline.isRulesTest { return .rulesTest }
    if streaming, outline.isLong, let stream = SuiteStream(outline) { return .stream(stream) }
    return whole(source)
  }

  private static func whole(_ source: SourceText) -> Content {
    let (suite, diagnostics) = SuiteReader.read(source)
    return .suite(suite, diagnostics)
  }
}

extension JSON {
  /// Whether it is a test of Google's format rather than a suite of ours.
  var isRulesTest: Bool {
    guard case .object(let members) = kind else { return false }
    return members.contains { $0.key == "testSuite" }
  }
}
