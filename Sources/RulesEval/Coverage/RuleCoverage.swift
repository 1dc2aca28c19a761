public import RulesLang

/// Outcome counts of the statements and expressions of one rules file over many requests.
public struct RuleCoverage: Sendable {
  /// One value that an expression had, or one error that it ended in.
  public struct Sample: Sendable {
    /// The value or error.
    public var outcome: Outcome
    /// The number of evaluations that gave it.
    public var count: Int
    /// The numbers of the tests that gave it, ascending, the first few only.
    public var tests: [Int]
  }

  /// Outcome counts of one expression.
  public struct Tally: Sendable {
    /// The times it was true.
    public var trues = 0
    /// The times it was false.
    public var falses = 0
    /// The times it had a value other than a bool.
    public var values = 0
    /// The times it ended in an error.
    public var errors = 0
    /// The different values and errors, in the order of their first occurrence.
    public var samples: [Sample] = []
    /// The evaluations whose value is not among the samples, because there is no room for more.
    public var unlisted = 0
    /// The fingerprints of the samples' outcomes.
    fileprivate var fingerprints: [UInt64] = []

    /// The number of evaluations.
    public var total: Int { trues + falses + values + errors }
  }

  /// Outcome counts of one statement.
  public struct StatementTally: Sendable {
    /// The times it granted.
    public var granted = 0
    /// The times its condition was false.
    public var refused = 0
    /// The times its condition ended in an error.
    public var failed = 0
    /// The numbers of the tests that it granted, the first few only.
    public var grantedIn: [Int] = []
    /// The numbers of the tests that it did not grant, the first few only.
    public var refusedIn: [Int] = []

    /// The number of times that it was tried.
    public var total: Int { granted + refused + failed }
  }

  /// Maximum samples of an expression, and maximum tests listed for one sample: enough to see what is
  /// covered, and a bound on the memory of a long run.
  public static let mostSamples = 24

  /// The outcome counts of expressions, by `ExprID`; those of parentheses stay empty.
  public private(set) var expressions: [Tally]
  /// The outcome counts of statements, by `AllowID`.
  public private(set) var statements: [StatementTally]
  /// The number of decisions that were added.
  public private(set) var decisions = 0

  /// Creates the coverage of rules that have decided nothing yet.
  public init(_ rules: Ruleset) {
    expressions = Array(repeating: Tally(), count: rules.expressions.count)
    statements = Array(repeating: StatementTally(), count: rules.allows.count)
  }

  /// Adds the evaluations of a traced decision. `test` is the caller's number for it; nil if it is not to be
  /// listed.
  public mutating func add(_ decision: Decision, test: Int?) {
    decisions += 1
    for tried in decision.tried {
      statements[Int(tried.allow.raw)].add(tried.result, in: test)
      for event in tried.trace?.events ?? [] {
        expressions[event.expression.index].add(event.outcome, in: test)
      }
    }
  }
}

extension RuleCoverage.Tally {
  fileprivate mutating func add(_ outcome: Outcome, in test: Int?) {
    switch outcome {
    case .value(.bool(true)): trues += 1
    case .value(.bool(false)): falses += 1
    case .value: values += 1
    case .error: errors += 1
    }
    let fingerprint = outcome.fingerprint
    if let place = place(of: outcome, fingerprint) {
      samples[place].count += 1
      samples[place].tests.note(test)
    } else if samples.count < RuleCoverage.mostSamples {
      samples.append(
        RuleCoverage.Sample(outcome: outcome, count: 1, tests: test.map { [$0] } ?? []))
      fingerprints.append(fingerprint)
    } else {
      unlisted += 1
    }
  }

  /// Returns the index of the sample with an outcome. Outcomes can be whole requests, so fingerprints are
  /// compared first.
  private func place(of outcome: Outcome, _ fingerprint: UInt64) -> Int? {
    for place in fingerprints.indices
    where fingerprints[place] == fingerprint && samples[place].outcome.isSame(as: outcome) {
      return place
    }
    return nil
  }
}

extension RuleCoverage.StatementTally {
  fileprivate mutating func add(_ result: Tried.Result, in test: Int?) {
    switch result {
    case .granted:
      granted += 1
      grantedIn.note(test)
      return
    case .refused: refused += 1
    case .failed: failed += 1
    }
    refusedIn.note(test)
  }
}

extension [Int] {
  /// Appends a test number unless it is the last one already or the list is full.
  ///
  /// - Requires: The number is not smaller than the last one.
  fileprivate mutating func note(_ number: Int?) {
    guard let number, last != number, count < RuleCoverage.mostSamples else { return }
    append(number)
  }
}

extension Outcome {
  /// A hash that is equal for outcomes that reports show alike, and mostly differs for others.
  fileprivate var fingerprint: UInt64 {
    switch self {
    case .value(let value): value.fingerprint
    case .error(let error): UInt64(error.expression.raw)
    }
  }

  /// True if reports show both outcomes alike.
  fileprivate func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.value(let one), .value(let two)): Value.areIdentical(one, two)
    case (.error(let one), .error(let two)):
      one.expression == two.expression && one.reason.message == two.reason.message
    case (.value, .error), (.error, .value): false
    }
  }
}
