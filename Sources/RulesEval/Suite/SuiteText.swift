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
  public private(set) var content: Content
  /// True if it is the text of a suite once more, for another database that its rules are deployed to.
  public private(set) var isRepetition = false

  /// Texts of fewer bytes are read as a whole at once.
  private static let shortBytes = 1 << 16

  /// Reads a text, which is about `database` or, without one, about the one that it names. Without
  /// `streaming` all tests are in memory at once, however many there are.
  public init(_ source: SourceText, streaming: Bool, database: DatabaseName? = nil) {
    self.init(source, parts: Self.parts(of: source), streaming: streaming, database: database)
  }

  /// Reads a text once for each database that it is about: its tests and the claims that name no database for
  /// those of the choice, and claims that name another one for that, without the tests.
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

  /// A text as far as it is understood before it is known which database it is about.
  private enum Parts {
    case whole(JSON)
    case outline(SuiteOutline)
    case broken

    /// The JSON of a suite without its tests; nil if it cannot be read.
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

  /// The databases that claims name.
  private var claimed: Set<DatabaseName> {
    switch content {
    case .rulesTest: []
    case .stream(let stream): Set(stream.suite.claims.compactMap { $0.database })
    case .suite(let suite, _): Set((suite?.claims ?? []).compactMap { $0.database })
    }
  }

  /// The text with all claims, whatever database they name: another one was asked for. What their paths name
  /// must be that.
  private func overridingClaims() -> SuiteText {
    guard case .suite(var suite?, let diagnostics) = content else { return self }
    for place in suite.claims.indices { suite.claims[place].database = nil }
    let foreign = suite.foreignClaims
    var text = self
    text.content = foreign.isEmpty ? .suite(suite, diagnostics) : .suite(nil, foreign)
    return text
  }

  /// The text with the claims that are about its database; those of a database that only claims name, without
  /// the tests.
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
  /// Leaves out the claims that name another database; if `named` is given, all but those that name it.
  fileprivate mutating func keepClaims(of named: DatabaseName?) {
    let own = database
    claims.removeAll { $0.database.map { $0 != own } ?? (named != nil) }
  }
}

extension JSON {
  /// Whether it is a test of Google's format rather than a suite of ours.
  var isRulesTest: Bool {
    guard case .object(let members) = kind else { return false }
    return members.contains { $0.key == "testSuite" }
  }
}
