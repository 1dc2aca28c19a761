package import RulesEval
package import RulesLang

/// What rules say to a request of a log.
package enum ReplayVerdict: Equatable, Sendable {
  /// They allow it, by the statement on a line.
  case allow(line: Int)
  /// They deny it.
  case deny
  /// It asks for something that is not modelled.
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
  /// Who asked, as the log says it; nil for signed out.
  package var principalName: Text?
  /// The method as the log says it.
  package var method: Method
  /// The path as the log says it.
  package var path: Text
  /// What the rules say to it.
  package var verdict: ReplayVerdict
  /// What the rules said that they are compared with, if they are.
  package var before: ReplayVerdict?

  /// A request with what the rules, and older ones, say to it.
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

/// What the requests of a log came to.
package struct ReplayTally: Sendable {
  /// All that could be read.
  package var count = 0
  /// Those that are allowed.
  package var allowed = 0
  /// Those that other rules decide otherwise.
  package var changed = 0
  /// Those that could not be decided.
  package var undecided = 0
  /// Lines that cannot be read.
  package var unreadable = 0

  /// No request yet.
  package init() {}

  /// Adds the counts of another part.
  package mutating func add(_ other: ReplayTally) {
    count += other.count
    allowed += other.allowed
    changed += other.changed
    undecided += other.undecided
    unreadable += other.unreadable
  }

  /// Counts a request.
  package mutating func add(_ verdict: ReplayVerdict) {
    count += 1
    switch verdict {
    case .allow: allowed += 1
    case .undecided: undecided += 1
    case .deny: break
    }
  }

  /// What they come to: a decision that changed is a failure.
  package var conclusion: Conclusion {
    changed > 0 ? .failure : undecided > 0 ? .undecided : .success
  }
}
