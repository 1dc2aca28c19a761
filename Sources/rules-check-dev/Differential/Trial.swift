import RulesEval
import RulesHost
import RulesLang

/// One question for both sides: rules, stored documents and a request.
struct Trial {
  /// The rules file.
  var rules: String
  /// The stored documents by path, in the notation of suites.
  var documents: [(path: String, data: JSONText)]
  /// The request: a test of a suite without its expectation. Besides the operations of suites it can be
  /// `batchGet` with a list of paths.
  var request: JSONText

  /// A trial in the form of values.
  struct Question {
    /// The stored documents.
    var documents: Documents
    /// The client; nil if signed out.
    var principal: Principal?
    /// The operation.
    var operation: Request.Operation
  }

  /// The trial as values; nil if it is malformed.
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

/// The answer of one side to a trial.
struct Answer {
  /// The verdict on the request.
  enum Verdict: Equatable, CaseIterable {
    /// The rules do not compile.
    case rejected
    /// The request is refused before the rules decide.
    case refused
    case allow
    case deny
  }

  /// The verdict on the request.
  var verdict: Verdict
  /// The message of a denial or refusal; several if the order of documents is unspecified.
  var messages: [String] = []
  /// The outcomes of expressions.
  var outcomes: [ReportedSpan: [Coverage.Outcome]] = [:]
  /// The lines of the statements that were tried.
  var lines: Set<Int> = []
  /// The lines of the statements that may apply, whether a document exists or not.
  var candidates: Set<Int> = []
  /// True if the emulator decides by chance, differently at different times.
  var isByChance = false
  /// True if it is known which document is decided first.
  var isOrdered = true
}
