package import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// All data of a comparison's report.
package struct DiffReport: Sendable {
  /// The kinds of differences that count as failures.
  package enum Failure: String, CaseIterable, Sendable {
    case loosened, any, none
  }

  /// The reason why there are no newer rules.
  package enum Ending: Sendable {
    /// The file is gone.
    case deleted
    /// The file exists, but nothing deploys it.
    case notDeployed

    /// The reason in words.
    var words: String {
      switch self {
      case .deleted: "deleted"
      case .notDeployed: "no longer deployed"
      }
    }
  }

  /// The versions that exist: both, only the newer, or only the older.
  package enum Standing: Sendable {
    /// Both versions exist.
    case compared
    /// Only the newer version exists.
    case first
    /// Only the older version exists. Firebase does not withdraw rules: those that were deployed stay in
    /// force.
    case unmanaged(Ending)
  }

  /// Two versions of a rules file with the differences.
  package struct Pair: Sendable {
    /// The older rules.
    package var old: Ruleset
    /// The newer rules.
    package var new: Ruleset
    /// The database of both.
    package var database: DatabaseName
    /// The differences, path by path.
    package var paths: [PathDiff]
    /// The time that the comparison took.
    package var nanoseconds: UInt64
    /// The versions that exist.
    package var standing = Standing.compared
    /// The databases of both, if the project has several.
    package var databases: [String] = []

    /// Creates the comparison of older and newer rules.
    package init(
      old: Ruleset, new: Ruleset, database: DatabaseName = .standard, paths: [PathDiff],
      nanoseconds: UInt64
    ) {
      self.old = old
      self.database = database
      self.new = new
      self.paths = paths
      self.nanoseconds = nanoseconds
    }
  }

  /// The comparisons.
  package var pairs: [Pair]
  /// The kinds of differences that count as failures.
  package var failOn: Failure
  /// Errors of files that could not be compared, in order.
  package var refusals: [Annotation]
  /// Notices about rules that the project does not deploy, or that are left out.
  package var notices: [ProjectNotice] = []
  /// Comments and settings that silence findings and did not before.
  package var silences: [NewSilence] = []

  /// Creates the report of some comparisons, with the errors of others.
  package init(pairs: [Pair], failOn: Failure, refusals: [Annotation] = []) {
    self.pairs = pairs
    self.failOn = failOn
    self.refusals = refusals
  }

  /// Returns the number of pairs of path and method with a verdict; rules without an older version loosen
  /// nothing.
  func count(_ verdict: DiffVerdict) -> Int {
    pairs.filter { !$0.isFirst || verdict == .undecided }.flatMap { $0.paths }
      .flatMap { $0.methods }.count { $0.verdict == verdict }
  }

  /// Number of proved methods that the proof checker has not confirmed to be equivalent.
  var unchecked: Int {
    pairs.flatMap { $0.paths.flatMap { $0.methods } }
      .count { $0.isProvedEquivalent && $0.unchecked != nil }
  }

  /// Number of databases without newer rules.
  var unmanagedCount: Int { pairs.count { $0.ending != nil } }

  /// Number of databases without older rules.
  var firstCount: Int { pairs.count { $0.isFirst } }

  /// True if a difference that loosens (or tightens) the rules counts as a failure.
  func isFailure(isLoosened: Bool) -> Bool {
    switch failOn {
    case .loosened: isLoosened
    case .any: true
    case .none: false
    }
  }

  /// The outcome.
  package var conclusion: Conclusion {
    let isFailure = pairs.contains { pair in
      pair.paths.contains { path in
        path.differences.contains {
          self.isFailure(isLoosened: $0.isLoosened && !pair.isFirst)
        }
      }
    }
    // Rules that leave the project leave review, and stay in force.
    if isFailure || failOn != .none && unmanagedCount > 0 { return .failure }
    // A row that may also be loosened is as undecided as a row without a verdict.
    let isOpen = pairs.contains { pair in
      pair.paths.flatMap { $0.methods }.contains {
        $0.verdict == .undecided || $0.mayBeLoosened && !pair.isFirst
      }
    }
    return isOpen ? .undecided : .success
  }
}

extension MethodDiff {
  /// True if the effect of a change on the method is not completely known.
  var isOpen: Bool { verdict == .undecided || isPartial }

  /// Returns a sentence that the effect of a change on the method is not known, or not completely.
  func openness(of path: String) -> String {
    verdict == .undecided
      ? "not decided what the change does to \(method.word) of \(path)"
      : "there may be more differences in \(method.word) of \(path)"
  }
}

extension DiffReport.Pair {
  /// True if there were no rules before.
  package var isFirst: Bool {
    switch standing {
    case .first: true
    case .compared, .unmanaged: false
    }
  }

  /// The reason why there are no newer rules, in words; nil if there are some.
  var ending: String? {
    switch standing {
    case .unmanaged(let reason): reason.words
    case .compared, .first: nil
    }
  }

  /// The sentence about rules that are still in force but no longer in the project; nil for others.
  var unmanagedSentence: String? {
    ending == nil ? nil : "no longer managed here; what is deployed stays in force"
  }

  /// The advice for rules that are still in force but no longer in the project.
  static let unmanagedHelp =
    "Firebase does not undeploy rules: to close a database, first deploy rules that deny everything"

  /// Returns the word for a verdict; for first rules, the word for what they allow.
  func word(_ verdict: DiffVerdict) -> String {
    guard isFirst else { return verdict.rawValue }
    switch verdict {
    case .loosened, .changed: return "allowed"
    case .tightened, .equivalent: return "denied"
    case .undecided: return verdict.rawValue
    }
  }

  /// The outcome in a few words: `allows nothing new, 5 tightened`.
  var headline: String {
    let differences = paths.flatMap { $0.differences }
    let loosened = differences.count { $0.isLoosened }
    let isOpen = paths.contains { path in path.methods.contains { $0.isOpen } }
    let first =
      loosened > 0
      ? "\(loosened) loosened"
      : isOpen ? "nothing is known to be loosened" : "allows nothing new"
    return "\(first), \(differences.count - loosened) tightened"
      + (isOpen ? "; not everything could be decided" : "")
  }

  /// Returns the sentence about a difference; for first rules, about what they allow.
  func sentence(_ difference: AccessChange, at path: PathDiff) -> String {
    var difference = difference
    if isFirst { difference.before = nil }
    return difference.sentence(path.path)
  }

  /// Returns the rules of one side.
  func rules(_ side: DiffSide) -> Ruleset { side == .old ? old : new }

  /// Returns the reason of an open question, with its place if there is one.
  func sentence(_ openReason: DiffOpenReason) -> String {
    let source = rules(openReason.side).source
    guard let range = openReason.openReason.range else { return openReason.openReason.reason }
    let position = source.position(of: range.start)
    return "\(source.name):\(position.line):\(position.column): \(openReason.openReason.reason)"
  }

  /// Returns the lines of the statements that decide a request, in either version.
  func lines(
    of witness: DiffWitness, _ difference: AccessChange
  ) -> (old: [Int], new: [Int]) {
    func lines(of allows: [AllowID], in rules: Ruleset) -> [Int] {
      allows.map { rules.source.line(of: rules[$0].keyword.start) }
    }
    let allowing = witness.allowing.map { [$0] } ?? []
    return difference.isLoosened
      ? (lines(of: witness.refusing, in: old), lines(of: allowing, in: new))
      : (lines(of: allowing, in: old), lines(of: witness.refusing, in: new))
  }
}

extension DiffReport.Pair {
  /// The differences that the prover missed and random testing found.
  package var missed: [FailedReplay] {
    paths.flatMap { $0.differences.flatMap { $0.witnesses.compactMap { $0.missed } } }
  }
}

extension DiffWitness {
  /// Returns the request as a test of the newer file.
  func test(of difference: AccessChange) -> JSON {
    test(expecting: difference.isLoosened ? .allow : .deny)
  }

  /// For a request that became allowed: the test that the older file passes and the newer one fails, and that
  /// keeps it denied once the rules are fixed.
  var closingTest: JSON { test(expecting: .deny) }

  private func test(expecting expectation: Test.Expectation) -> JSON {
    return SuiteWriter.test(
      name: RequestSentence.name(request, on: documents, expect: expectation), request,
      on: documents, expect: expectation)
  }
}
