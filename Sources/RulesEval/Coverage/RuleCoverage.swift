public import RulesLang

/// What became of the statements and expressions of one rules file over many requests.
public struct RuleCoverage: Sendable {
  /// One value that an expression had, or one error that it ended in.
  public struct Sample: Sendable {
    /// The value or error.
    public var outcome: Outcome
    /// How often.
    public var count: Int
    /// The numbers of the tests in which it came up, ascending, the first few only.
    public var tests: [Int]
  }

  /// How often an expression came out how.
  public struct Tally: Sendable {
    /// The times it was true.
    public var trues = 0
    /// The times it was false.
    public var falses = 0
    /// The times it had a value that is no bool.
    public var values = 0
    /// The times it ended in an error.
    public var errors = 0
    /// The different values and errors, in the order of their first occurrence.
    public var samples: [Sample] = []
    /// The evaluations whose value is not among the samples, because those are full.
    public var unlisted = 0
    /// The fingerprints of the samples' outcomes.
    fileprivate var fingerprints: [UInt64] = []

    /// The number of evaluations.
    public var total: Int { trues + falses + values + errors }
  }

  /// How often a statement came out how.
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

  /// The most values that are kept of one expression, and the most tests of one value: enough to
  /// see what is covered, and an end to what a long run can cost.
  public static let mostSamples = 24

  /// By `ExprID`; parentheses stay empty.
  public private(set) var expressions: [Tally]
  /// By `AllowID`.
  public private(set) var statements: [StatementTally]
  /// The number of decisions that were added.
  public private(set) var decisions = 0

  /// Nothing was evaluated yet.
  public init(_ rules: Ruleset) {
    expressions = Array(repeating: Tally(), count: rules.expressions.count)
    statements = Array(repeating: StatementTally(), count: rules.allows.count)
  }

  /// Adds what a traced decision has evaluated. `test` is the caller's number for it; nil if nobody has to
  /// find it again.
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

  /// Where the sample with an outcome is. Whole requests are compared here, so what differs must be
  /// told apart by less than all of it.
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
  /// Adds a number that is not smaller than the last one, once, while there is room.
  fileprivate mutating func note(_ number: Int?) {
    guard let number, last != number, count < RuleCoverage.mostSamples else { return }
    append(number)
  }
}

extension Outcome {
  /// The same for outcomes that would be reported alike, and mostly different for others.
  fileprivate var fingerprint: UInt64 {
    switch self {
    case .value(let value): value.fingerprint
    case .error(let error): UInt64(error.expression.raw)
    }
  }

  /// Whether two outcomes would be reported alike.
  fileprivate func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.value(let one), .value(let two)): Value.areIdentical(one, two)
    case (.error(let one), .error(let two)):
      one.expression == two.expression && one.reason.message == two.reason.message
    case (.value, .error), (.error, .value): false
    }
  }
}
