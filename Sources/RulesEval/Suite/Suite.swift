public import RulesLang

/// A suite: scripted requests against one rules file (the format is in Docs/Suites.md).
public struct Suite: Sendable {
  /// The text that it was read from.
  public var source: SourceText
  /// The rules file, relative to the suite; nil if the suite names none.
  public var rulesPath: Text?
  /// Where the suite names its rules, for problems with them.
  public var rulesRange: SourceRange
  /// The database that the suite was read for: requests and references are to it.
  public var database: DatabaseName
  /// The database that the suite names; nil if it names none.
  public var namedDatabase: DatabaseName?
  /// What the suite is about.
  public var description: Text?
  /// What is stored before each test.
  public var documents: Documents
  /// The tests in order, groups flattened, one for each principal.
  public var tests: [Test]
  /// The claims in order.
  public var claims: [Claim] = []
  /// What is to be known of the data: that there can be no such document, path or token.
  public var warnings: [Diagnostic] = []
}

extension Suite {
  /// Problems with claims that name another database than the suite, for callers that decide one database at
  /// a time.
  public var foreignClaims: [Diagnostic] {
    claims.filter { claim in
      [claim.database, claim.rootDatabase].contains { $0.map { $0 != database } ?? false }
    }.map { claim in
      Diagnostic(
        .suite, severity: .error,
        message: "the claim is about another database than the suite, `\(String(database.text))`",
        at: claim.range,
        help:
          "add \"database\" to the claim; `test` and `prove` decide claims about several databases")
    }
  }
}

/// One scripted request and what it must give.
public struct Test: Sendable {
  /// What the rules must say.
  public enum Expectation: Sendable {
    case allow, deny

    /// The word of suites and reports.
    public var word: String { self == .allow ? "allow" : "deny" }
  }

  /// What a test asks the rules.
  public enum Subject: Sendable {
    /// A request, to be planned on the stored documents.
    case operation(Request.Operation)
    /// Exactly what a case of Google's Rules Test API supplies.
    case supplied(Access, [FunctionMock])
    /// Requests one after the other, each on the documents that those before it have left.
    case steps([Test])
  }

  /// The test's name; made from the operation if it was given none.
  public var name: String
  /// The names of the groups around it, outermost first.
  public var groups: [String]
  /// Who asks, as the suite names it; nil for signed out.
  public var principalName: String?
  /// The documents over those of the suite.
  public var documents: [(DocumentPath, MapValue)]
  /// What is asked.
  public var subject: Subject
  /// Who asks.
  public var principal: Principal?
  /// The time of the request, if it is set.
  public var time: Timestamp?
  /// The operation as reports name it, before the stored state decides: `set`, `update`, ….
  public var verb: String
  /// The path as reports name it.
  public var path: String
  /// What the rules must say.
  public var expectation: Expectation
  /// The line of the statement that must decide, or for a deny one that must be tried.
  public var expectedLine: Int?
  /// Whether a condition must (true) or must not (false) end in an error.
  public var expectsErrors: Bool?
  /// What the request asks for that is not modelled; such a test fails.
  public var unsupported: String?
  /// Where the test stands in the suite.
  public var range: SourceRange
}

extension Test {
  /// The name with its groups and, where the test has a name of its own, who asks.
  public var displayName: String { (groups + [name]).joined(separator: " > ") }

  /// What a test is called that was given no name.
  static func name(_ verb: String, _ path: String, by principal: String?) -> String {
    "\(verb) \(path) as \(principal ?? "nobody")"
  }

  /// Who asks, for sentences.
  public var askerName: String { principalName ?? "nobody (signed out)" }

  /// The name and who asks, for reports that tell tests apart by one text; the name alone if the test
  /// has steps, each of which has its own asker, or was given none and is called what it asks.
  public var title: String {
    if case .steps = subject { return displayName }
    if name == Self.name(verb, path, by: principalName) { return displayName }
    return "\(displayName) as \(askerName)"
  }
}
