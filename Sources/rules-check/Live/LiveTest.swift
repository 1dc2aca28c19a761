import FirestoreServer
import RulesEval
import RulesLang

/// A request of the history as a test of a suite.
enum LiveTest {
  /// The test, for pasting into `"tests"`.
  case text(String)
  /// The reason why there is no test.
  case none(String)

  /// Creates the test of a request.
  init(_ call: DecidedCall) {
    guard let suite = Self.suite(of: call) else {
      self = .none(Self.reason(call))
      return
    }
    let tests = suite.tests(at: nil)
    self =
      tests.isEmpty
      ? .none("No test of a suite makes this request.")
      : .text(tests.map { SuiteTestText(indent: "").text($0) }.joined(separator: ",\n"))
  }

  /// Returns the request as a suite of its own; nil if no rules decided it.
  static func suite(of call: DecidedCall) -> RecordedSuite? {
    var recording = RequestRecording()
    recording.add(call)
    return recording.groups.first.map { group in
      RecordedSuite(group, rules: group.engine.rules.ruleset.source.name, named: "request")
    }
  }

  private static func reason(_ call: DecidedCall) -> String {
    switch call.outcome {
    case .admin: "An administrator made the request, who bypasses the rules."
    case .open: "The database has no rules."
    case .refused: "The request was refused before rules could decide it."
    case .allowed, .denied: "No test of a suite makes this request."
    }
  }
}
