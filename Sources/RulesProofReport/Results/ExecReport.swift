package import RulesReport

/// All data of the report of `exec`: a command that ran against the emulator, and the decisions on its
/// requests.
package struct ExecReport: Sendable {
  /// Counts of the answered requests by outcome.
  package struct Tally: Sendable {
    /// Requests that the rules allowed.
    package var allowed = 0
    /// Requests that the rules denied.
    package var denied = 0
    /// Requests with admin rights, which bypass the rules.
    package var admin = 0
    /// Requests to databases without rules, which are open.
    package var open = 0
    /// Requests that were neither allowed nor denied, because the rules in force do not compile or cannot
    /// decide the request.
    package var refused = 0

    /// Creates counts of no requests.
    package init() {}

    /// The number of all requests.
    package var requests: Int { allowed + denied + admin + open + refused }
  }

  /// A file to which recorded requests were written.
  package struct Recorded: Sendable {
    /// The suite.
    package var file: String
    /// The number of tests added to it.
    package var tests: Int

    /// Creates the record of a suite to which tests were added.
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
  /// The mutants of the rules that the requests would notice; nil if mutation testing was not requested.
  package var mutation: MutationReport?
  /// The suites that requests were written to.
  package var recorded: [Recorded] = []
  /// Notes about the run, a sentence each.
  package var notes: [String] = []
  /// True if a measurement was requested and no request was decided by rules, so that the gate checked
  /// nothing.
  package var isIdle = false
  /// True if denials are explained.
  package var explainsDenials = false

  /// Creates the report of a command that has ended.
  package init(command: [String], exitCode: Int32) {
    self.command = command
    self.exitCode = exitCode
  }

  /// The outcome of the gates, regardless of the command's exit code.
  package var conclusion: Conclusion {
    let measured = isIdle ? .failure : requests.conclusion
    guard let mutation, mutation.thresholds.breaking > 0 else { return measured }
    return measured.and(mutation.conclusion)
  }
}
