public import RulesLang

/// A suite: scripted requests against one rules file (the format is in Docs/Suites.md).
public struct Suite: Sendable {
  /// The text of the suite.
  public var source: SourceText
  /// The path of the rules file, relative to the suite; nil if the suite names none.
  public var rulesPath: Text?
  /// The range of that path in the suite, for problems with the rules.
  public var rulesRange: SourceRange
  /// The database that the suite was read for: requests and references are to it.
  public var database: DatabaseName
  /// The database named in the suite; nil if none is.
  public var namedDatabase: DatabaseName?
  /// The description in the suite.
  public var description: Text?
  /// The documents stored before each test.
  public var documents: Documents
  /// The tests in order, with groups flattened and one test for each principal.
  public var tests: [Test]
  /// The claims in order.
  public var claims: [Claim] = []
  /// Warnings about impossible documents, paths and tokens.
  public var warnings: [Diagnostic] = []
}

extension Suite {
  /// Errors for claims that name another database than the one that the suite was read for.
  var foreignClaims: [Diagnostic] {
    claims.filter { claim in
      [claim.database, claim.rootDatabase].contains { $0.map { $0 != database } ?? false }
    }.map { claim in
      Diagnostic(
        .suite, severity: .error,
        message: "the claim is about another database than the suite, `\(String(database.text))`",
        at: claim.range,
        help: "add \"database\" to the claim")
    }
  }
}

/// One scripted request with the expected decision.
public struct Test: Sendable {
  /// The expected decision.
  public enum Expectation: Sendable {
    case allow, deny

    /// The word for it in suites and reports.
    public var word: String { self == .allow ? "allow" : "deny" }
  }

  /// The subject of a test.
  public enum Subject: Sendable {
    /// An operation, planned on the stored documents.
    case operation(Request.Operation)
    /// An access with exactly what a case of Google's Rules Test API supplies.
    case supplied(Access, [FunctionMock])
    /// Requests one after the other, each on the documents that the earlier ones have left.
    case steps([Test])
  }

  /// The test's name; made of the operation if it was given none.
  public var name: String
  /// The names of the enclosing groups, outermost first.
  public var groups: [String]
  /// The client's name in the suite; nil for signed out.
  public var principalName: String?
  /// The test's documents, stored over those of the suite.
  public var documents: [(DocumentPath, MapValue)]
  /// The request or requests.
  public var subject: Subject
  /// The client; nil for signed out.
  public var principal: Principal?
  /// The time of the request; nil if the test sets none.
  public var time: Timestamp?
  /// The operation as reports name it, before the stored state decides: `set`, `update`, ….
  public var verb: String
  /// The path as reports name it.
  public var path: String
  /// The expected decision.
  public var expectation: Expectation
  /// The line of the statement that must grant, or for a deny one that must be tried.
  public var expectedLine: Int?
  /// True if a condition must end in an error, false if none may; nil if either is fine.
  public var expectsErrors: Bool?
  /// A feature of the request that is not modelled, in which case the test fails.
  public var unsupported: String?
  /// The test's range in the suite.
  public var range: SourceRange
  /// True if the suite has the request for a list of clients, one test for each.
  public var isOfList = false
}

extension Test {
  /// The name after those of the groups around the test.
  public var displayName: String { (groups + [name]).joined(separator: " > ") }

  /// Returns the name of a test that was given none.
  static func name(_ verb: String, _ path: String, by principal: String?) -> String {
    "\(verb) \(path) as \(principal ?? "nobody")"
  }

  /// The client, for sentences.
  public var askerName: String { principalName ?? "nobody (signed out)" }

  /// The name, for reports that identify tests by one text; with the client if the suite has the test for a
  /// list of clients, unless its name is made of the request, which includes the client.
  public var title: String {
    guard isOfList else { return displayName }
    if name == Self.name(verb, path, by: principalName) { return displayName }
    return "\(displayName) as \(askerName)"
  }
}
