package import RulesEval
package import RulesLang

/// The decision on a request of a log.
package enum ReplayVerdict: Equatable, Sendable {
  /// The request is allowed, by the statement on a line.
  case allow(line: Int)
  /// The request is denied.
  case deny
  /// The request needs something that is not modelled.
  case undecided(String)

  /// The verdict in a word.
  package var word: String {
    switch self {
    case .allow: "allow"
    case .deny: "deny"
    case .undecided: "undecided"
    }
  }
}

/// A request of a log that was decided.
package struct ReplayedRequest: Sendable {
  /// The line of the log, from 1.
  package var line: Int
  /// The client as the log has it; nil for signed out.
  package var principalName: Text?
  /// The method as the log has it.
  package var method: Method
  /// The path as the log has it.
  package var path: Text
  /// The decision.
  package var verdict: ReplayVerdict
  /// The decision of the rules that are compared with, if there are any.
  package var before: ReplayVerdict?

  /// Creates a request with the decisions on it.
  package init(
    _ logged: LoggedRequest, line: Int, verdict: ReplayVerdict, before: ReplayVerdict?
  ) {
    self.line = line
    principalName = logged.principalName
    method = logged.method
    path = logged.path
    self.verdict = verdict
    self.before = before
  }
}

/// Counts of a log's requests by their decisions.
package struct ReplayTally: Sendable {
  /// Requests that could be read.
  package var count = 0
  /// Requests that are allowed.
  package var allowed = 0
  /// Requests that the other rules decide differently.
  package var changed = 0
  /// Requests that could not be decided.
  package var undecided = 0
  /// Lines that could not be read.
  package var unreadable = 0

  /// Creates counts of no requests.
  package init() {}

  /// Adds the counts of another part.
  package mutating func add(_ other: ReplayTally) {
    count += other.count
    allowed += other.allowed
    changed += other.changed
    undecided += other.undecided
    unreadable += other.unreadable
  }

  /// Counts a decision.
  package mutating func add(_ verdict: ReplayVerdict) {
    count += 1
    switch verdict {
    case .allow: allowed += 1
    case .undecided: undecided += 1
    case .deny: break
    }
  }

  /// The outcome: a decision that changed is a failure.
  package var conclusion: Conclusion {
    changed > 0 ? .failure : undecided > 0 ? .undecided : .success
  }
}
