public import RulesLang

/// The result of a test.
public struct TestResult: Sendable {
  /// The test.
  public var test: Test
  /// The decision; nil if the request could not be decided.
  public var decision: Decision?
  /// The reasons why the test failed, in sentences; empty if it passed.
  public var failures: [String]
  /// The results of the steps that were run, in order; empty for a test of one request.
  public var steps: [TestResult] = []

  /// True if the test passed.
  public var isPassed: Bool { failures.isEmpty }

  /// The results of all decided requests: those of the steps, or the test's own.
  public var requests: [TestResult] { steps.isEmpty ? [self] : steps }
}

extension Engine {
  /// Returns the reasons why a test fails, in sentences; none if the decision is as expected.
  func failures(of test: Test, with decision: Decision) -> [String] {
    var failures: [String] = []
    if decision.isAllowed != (test.expectation == .allow) {
      failures.append(
        "expected \(test.expectation.word), the rules \(decision.isAllowed ? "allow" : "deny") it")
    }
    if let line = test.expectedLine {
      failures += lineFailures(wanting: line, of: test, with: decision)
    }
    let failed = decision.tried.filter { $0.isError }.map { line(of: $0.allow) }
    switch test.expectsErrors {
    case .some(false) where !failed.isEmpty:
      failures.append("expected no errors, the condition of line \(failed[0]) ended in one")
    case .some(true) where failed.isEmpty:
      failures.append("expected an error, no condition ended in one")
    case .some, .none: break
    }
    return failures
  }

  private func lineFailures(wanting wanted: Int, of test: Test, with decision: Decision) -> [String]
  {
    let lines = decision.tried.map { line(of: $0.allow) }
    switch test.expectation {
    case .allow:
      let deciding = decision.accesses.compactMap { access in
        access.isGranted ? access.tried.last.map { line(of: $0.allow) } : nil
      }
      if deciding.contains(wanted) { return [] }
      let actual = deciding.isEmpty ? "none does" : "line \(deciding[0]) does"
      return ["expected line \(wanted) to decide, \(actual)"]
    case .deny:
      if lines.contains(wanted) { return [] }
      let actual =
        lines.isEmpty
        ? "no statement was"
        : "the lines tried were \((lines.map { "\($0)" }).joined(separator: ", "))"
      return ["expected line \(wanted) to be tried, \(actual)"]
    }
  }

  /// Returns the line of an allow statement.
  public func line(of allow: AllowID) -> Int {
    rules.ruleset.source.line(of: rules.ruleset[allow].keyword.start)
  }
}

extension Tried {
  /// The unsupported feature that the condition met; nil if none.
  var unsupported: String? {
    guard case .failed(let error) = result else { return nil }
    switch error.reason {
    case .patternTooLarge: return "the regular expression is too large"
    case .valueTooLarge: return "the value is too large"
    default: return nil
    }
  }

  /// True if the condition ended in an error.
  public var isError: Bool {
    if case .failed = result { return true }
    return false
  }
}
