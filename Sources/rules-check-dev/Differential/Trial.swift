import RulesEval
import RulesHost
import RulesLang

/// One question for both sides: rules, stored documents and a request.
struct Trial {
  /// The rules file.
  var rules: String
  /// What is stored, by path, in the notation of suites.
  var documents: [(path: String, data: JSONText)]
  /// The request: a test of a suite without its expectation. `batchGet` with a list of paths is
  /// understood beside the suites' own operations.
  var request: JSONText

  /// A trial that can be put to both sides.
  struct Question {
    /// What is stored.
    var documents: Documents
    /// Who asks.
    var principal: Principal?
    /// What is asked for.
    var operation: Request.Operation
  }

  /// The trial as values; nil if it is no well-formed test.
  var question: Question? {
    guard case .object(let members) = request else { return nil }
    guard let batch = members.first(where: { $0.0 == "batchGet" }) else { return question(members) }
    guard case .array(let paths) = batch.1 else { return nil }
    let others = members.filter { $0.0 != "batchGet" }
    let questions = paths.compactMap { question(others + [("get", $0)]) }
    guard questions.count == paths.count, var first = questions.first else { return nil }
    first.operation = .get(
      questions.flatMap { question -> [DocumentPath] in
        if case .get(let paths) = question.operation { return paths }
        return []
      })
    return first
  }

  private func question(_ members: [(String, JSONText)]) -> Question? {
    let test = JSONText.object(members + [("expect", .string("allow"))])
    let suite = JSONText.object([
      ("documents", .object(documents.map { ($0.path, $0.data) })), ("tests", .array([test])),
    ])
    let (read, _) = SuiteReader.read(SourceText(name: "trial", suite.compact))
    guard let suite = read, let test = suite.tests.first, test.unsupported == nil,
      case .operation(let operation) = test.subject
    else { return nil }
    return Question(
      documents: suite.documents, principal: test.principal, operation: operation)
  }
}

/// What one side says to a trial.
struct Answer {
  /// What came of the request.
  enum Verdict: Equatable, CaseIterable {
    /// The rules do not compile.
    case rejected
    /// The request is refused before the rules are asked.
    case refused
    case allow
    case deny
  }

  /// What came of the request.
  var verdict: Verdict
  /// The message of a denial or refusal; several where the order of documents is open.
  var messages: [String] = []
  /// What became of the expressions.
  var outcomes: [ReportedSpan: [Coverage.Outcome]] = [:]
  /// The lines of the statements that were tried.
  var lines: Set<Int> = []
  /// The lines of the statements that apply, whether a document is stored or not.
  var candidates: Set<Int> = []
  /// Whether the emulator decides it by chance, one time so, another time the other way.
  var isByChance = false
  /// Whether it is known which document is decided first.
  var isOrdered = true
}
