package import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// Everything that a report of a comparison can say.
package struct DiffReport: Sendable {
  /// Which differences are failures.
  package enum Failure: String, CaseIterable, Sendable {
    case loosened, any, none
  }

  /// Reasons why there are no newer rules.
  package enum Ending: Sendable {
    /// The file is gone.
    case deleted
    /// The file is there, and nothing deploys it.
    case notDeployed

    /// The reason in words.
    var words: String {
      switch self {
      case .deleted: "deleted"
      case .notDeployed: "not deployed any more"
      }
    }
  }

  /// The existing versions: both, only the newer, or only the older.
  package enum Standing: Sendable {
    /// Both are.
    case compared
    /// There were no rules before.
    case first
    /// There are no rules any more. Firebase takes nothing back: what is deployed stays in force.
    case unmanaged(Ending)
  }

  /// Two rules files with what the change does.
  package struct Pair: Sendable {
    /// The older rules.
    package var old: Ruleset
    /// The newer rules.
    package var new: Ruleset
    /// The database that both are for.
    package var database: DatabaseName
    /// What the change does, path by path.
    package var paths: [PathDiff]
    /// How long it took to find out.
    package var nanoseconds: UInt64
    /// The existing versions: both, only the newer, or only the older.
    package var standing = Standing.compared
    /// The databases that they are for, if the project has several.
    package var databases: [String] = []

    /// What the change from older to newer rules does.
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

  /// What was compared.
  package var pairs: [Pair]
  /// Which differences are failures.
  package var failOn: Failure
  /// Why something could not be compared, in order.
  package var refusals: [Annotation]
  /// Rules that the project does not deploy, or that are left out.
  package var notices: [ProjectNotice] = []
  /// Comments and settings that silence findings, and did not before.
  package var silences: [NewSilence] = []

  /// A report on some comparisons, and on what could not be compared.
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

  /// Number of databases without newer rules.
  var unmanagedCount: Int { pairs.count { $0.ending != nil } }

  /// Number of databases without older rules.
  var firstCount: Int { pairs.count { $0.isFirst } }

  /// Whether differences of a kind are failures.
  func isFailure(isLoosened: Bool) -> Bool {
    switch failOn {
    case .loosened: isLoosened
    case .any: true
    case .none: false
    }
  }

  /// What it comes to.
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
  /// Whether not all is known that a change does to the method.
  var isOpen: Bool { verdict == .undecided || isPartial }

  /// That it is not known what a change does to the method, or not all of it.
  func openness(of path: String) -> String {
    verdict == .undecided
      ? "it is not known what the change does to \(method.word) of \(path)"
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

  /// Why there are no newer rules, in words; nil if there are some.
  var ending: String? {
    switch standing {
    case .unmanaged(let reason): reason.words
    case .compared, .first: nil
    }
  }

  /// The sentence for rules that are in force and not managed here any more; nil if they are managed.
  var unmanagedSentence: String? {
    ending == nil ? nil : "no longer managed here; what is deployed stays in force"
  }

  /// The advice for a database whose rules in force are no longer in the project.
  static let unmanagedHelp =
    "Firebase takes back no rules: to close a database, deploy rules that deny everything to it first"

  /// The word for a verdict: of first rules, what they say.
  func word(_ verdict: DiffVerdict) -> String {
    guard isFirst else { return verdict.rawValue }
    switch verdict {
    case .loosened, .changed: return "allowed"
    case .tightened, .equivalent: return "denied"
    case .undecided: return verdict.rawValue
    }
  }

  /// The sentence about a difference: of first rules, what they allow.
  func sentence(_ difference: AccessChange, at path: PathDiff) -> String {
    var difference = difference
    if isFirst { difference.before = nil }
    return difference.sentence(path.path)
  }

  /// The rules of one file.
  func rules(_ side: DiffSide) -> Ruleset { side == .old ? old : new }

  /// Why something stayed open, with the place if there is one.
  func sentence(_ doubt: DiffDoubt) -> String {
    let source = rules(doubt.side).source
    guard let range = doubt.doubt.range else { return doubt.doubt.reason }
    let position = source.position(of: range.start)
    return "\(source.name):\(position.line):\(position.column): \(doubt.doubt.reason)"
  }

  /// The lines of the statements that decide a request in either file.
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
  /// The differences that only an attack showed.
  package var missed: [FailedReplay] {
    paths.flatMap { $0.differences.flatMap { $0.witnesses.compactMap { $0.missed } } }
  }
}

extension DiffWitness {
  /// The request as a test of the newer file.
  func test(of difference: AccessChange) -> JSON {
    test(expecting: difference.isLoosened ? .allow : .deny)
  }

  /// The test that the older file passes and the newer one fails, for a request that became allowed: what
  /// keeps it denied once the rules are mended.
  var closingTest: JSON { test(expecting: .deny) }

  private func test(expecting expectation: Test.Expectation) -> JSON {
    let who: String
    if let principal = request.principal {
      if case .string(let uid) = principal.uid { who = String(uid) } else { who = "a user" }
    } else {
      who = "who is not signed in"
    }
    let may = expectation == .allow ? "may" : "may not"
    let isList = method == .list
    let place = isList ? DocumentPath(Array(document.segments.dropLast())).text : document.text
    return SuiteWriter.test(
      name: "\(who) \(may) \(verb) \(String(place))", request, on: documents, expect: expectation)
  }
}
