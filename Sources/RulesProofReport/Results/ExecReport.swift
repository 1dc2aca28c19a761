package import RulesReport

/// Everything that a report of `exec` can say: a command that ran against the emulator, and what the rules
/// said to its requests.
package struct ExecReport: Sendable {
  /// The requests that were answered, by what came of them.
  package struct Tally: Sendable {
    /// Requests that the rules allowed.
    package var allowed = 0
    /// Requests that the rules denied.
    package var denied = 0
    /// Requests of the owner, which no rules are asked about.
    package var admin = 0
    /// Requests to databases that have no rules, and are open therefore.
    package var open = 0
    /// Requests that were neither allowed nor denied: rules that do not compile were in force, or the request
    /// cannot be decided.
    package var refused = 0

    /// No request yet.
    package init() {}

    /// All of them.
    package var requests: Int { allowed + denied + admin + open + refused }
  }

  /// A file that recorded requests were written to.
  package struct Recorded: Sendable {
    /// The suite.
    package var file: String
    /// How many tests were added to it.
    package var tests: Int

    /// A suite to which tests were added.
    package init(file: String, tests: Int) {
      self.file = file
      self.tests = tests
    }
  }

  /// The command and its arguments.
  package var command: [String]
  /// The exit code of the command; 128 and the signal's number if one ended it.
  package var exitCode: Int32
  /// The requests that were answered.
  package var tally = Tally()
  /// Coverage and cost of the requests, with the denials as tests if these are explained.
  package var requests = TestReport(suites: [], nanoseconds: 0)
  /// The changes of the rules that the requests would notice; nil if that was not asked.
  package var mutation: MutationReport?
  /// The suites that requests were written to.
  package var recorded: [Recorded] = []
  /// Remarks about the run, a sentence each.
  package var notes: [String] = []
  /// True if something was to be measured and no request was decided by rules: a gate that looked at nothing.
  package var isIdle = false
  /// True if denials are explained.
  package var explainsDenials = false

  /// The report of a command that has ended.
  package init(command: [String], exitCode: Int32) {
    self.command = command
    self.exitCode = exitCode
  }

  /// The result of the gates, whatever the command says.
  package var conclusion: Conclusion {
    let measured = isIdle ? .failure : requests.conclusion
    guard let mutation, mutation.thresholds.breaking > 0 else { return measured }
    return measured.and(mutation.conclusion)
  }
}
