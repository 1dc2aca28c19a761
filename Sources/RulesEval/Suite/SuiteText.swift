public import RulesLang

/// The content of a suite file, as far as it can be read without the rules or other files.
public struct SuiteText: Sendable {
  /// The kinds of content.
  public enum Content: Sendable {
    /// The body of Google's `projects.test` call.
    case rulesTest
    /// A suite with so many tests that it is read in portions.
    case stream(SuiteStream)
    /// A suite; nil, with errors, if it cannot be run.
    case suite(Suite?, [Diagnostic])
  }

  /// The text of the file.
  public let source: SourceText
  /// The content.
  public private(set) var content: Content
  /// True if the same suite was read for another database before: its rules are deployed to several.
  public private(set) var isRepetition = false

  /// Texts of fewer bytes are parsed as a whole at once.
  private static let shortBytes = 1 << 16

  /// Reads a text for `database`; if that is nil, for the one that it names. Without `streaming` all tests
  /// are kept in memory.
  public init(_ source: SourceText, streaming: Bool, database: DatabaseName? = nil) {
    self.init(source, parts: Self.parts(of: source), streaming: streaming, database: database)
  }

  /// Reads a text once for each of its databases: with its tests and the claims that name no database for
  /// each database of `choice`; and for each database that only claims name, with these claims alone.
  public static func all(
    _ source: SourceText, streaming: Bool, in choice: DatabaseChoice
  ) -> [SuiteText] {
    let parts = parts(of: source)
    func text(_ database: DatabaseName?) -> SuiteText {
      SuiteText(source, parts: parts, streaming: streaming, database: database)
    }
    guard let head = parts.head, !head.isRulesTest else { return [text(nil)] }
    switch choice.databases(of: head) {
    case .unknown(let problem):
      var broken = text(nil)
      let diagnostic = Diagnostic(
        .suite, severity: .error, message: problem, at: SourceRange(start: UInt32(0), end: 1),
        help: "say \"database\": \"NAME\" in the suite")
      broken.content = .suite(nil, [diagnostic])
      return [broken]
    case .to(let databases):
      let texts = databases.enumerated().map { number, database in
        var text = text(database)
        text.isRepetition = number > 0
        return text
      }
      if choice.named != nil { return texts.map { $0.overridingClaims() } }
      let named = texts.first?.claimed.subtracting(databases) ?? []
      if named.isEmpty { return texts.map { $0.keepingClaims(of: nil) } }
      let others = named.sorted { Text.precedesByCodePoint($0.text, $1.text) }
      return texts.map { $0.keepingClaims(of: nil) }
        + others.map { text($0).keepingClaims(of: $0) }
    }
  }

  // MARK: Parts

  /// A text as far as it can be parsed before its database is known.
  private enum Parts {
    case whole(JSON)
    case outline(SuiteOutline)
    case broken

    /// The JSON of a suite without its tests; nil if it cannot be parsed.
    var head: JSON? {
      switch self {
      case .whole(let json): json
      case .outline(let outline): outline.json
      case .broken: nil
      }
    }
  }

  private static func parts(of source: SourceText) -> Parts {
    if source.bytes.count < shortBytes {
      return (try? JSONParser.parse(source)).map { .whole($0) } ?? .broken
    }
    return SuiteOutline(source).map { .outline($0) } ?? .broken
  }

  private init(
    _ source: SourceText, parts: Parts, streaming: Bool, database: DatabaseName?
  ) {
    self.source = source
    if parts.head?.isRulesTest == true {
      content = .rulesTest
      return
    }
    let read: (suite: Suite?, diagnostics: [Diagnostic])
    switch parts {
    case .whole(let json): read = SuiteReader.read(json, in: source, database: database)
    case .outline(let outline):
      if streaming, outline.isLong, let stream = SuiteStream(outline, database: database) {
        content = .stream(stream)
        return
      }
      read = SuiteReader.read(source, database: database)
    case .broken: read = SuiteReader.read(source, database: database)
    }
    content = .suite(read.suite, read.diagnostics)
  }

  /// The databases named in claims.
  private var claimed: Set<DatabaseName> {
    switch content {
    case .rulesTest: []
    case .stream(let stream): Set(stream.suite.claims.compactMap { $0.database })
    case .suite(let suite, _): Set((suite?.claims ?? []).compactMap { $0.database })
    }
  }

  /// The text with all claims, as claims about the database of the command line; a path that names another
  /// one is an error.
  private func overridingClaims() -> SuiteText {
    guard case .suite(var suite?, let diagnostics) = content else { return self }
    for place in suite.claims.indices { suite.claims[place].database = nil }
    let foreign = suite.foreignClaims
    var text = self
    text.content = foreign.isEmpty ? .suite(suite, diagnostics) : .suite(nil, foreign)
    return text
  }

  /// The text with the claims about its database; if only claims name that database, without the tests.
  private func keepingClaims(of named: DatabaseName?) -> SuiteText {
    var text = self
    switch content {
    case .rulesTest: break
    case .stream(var stream):
      stream.suite.keepClaims(of: named)
      text.content = named == nil ? .stream(stream) : .suite(stream.suite, [])
    case .suite(var suite, let diagnostics):
      suite?.keepClaims(of: named)
      if let foreign = suite?.foreignClaims, !foreign.isEmpty {
        text.content = .suite(nil, foreign)
        return text
      }
      if named != nil { suite?.tests = [] }
      text.content = .suite(suite, diagnostics)
    }
    return text
  }
}

extension Suite {
  /// Removes the claims that name another database; if `named` is given, also those that name none.
  fileprivate mutating func keepClaims(of named: DatabaseName?) {
    let own = database
    claims.removeAll { $0.database.map { $0 != own } ?? (named != nil) }
  }
}

extension JSON {
  /// True if it is a test in Google's format, not a suite.
  var isRulesTest: Bool {
    guard case .object(let members) = kind else { return false }
    return members.contains { $0.key == "testSuite" }
  }
}
