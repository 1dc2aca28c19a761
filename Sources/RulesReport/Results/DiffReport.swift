package import RulesEncoding
import RulesEval
package import RulesLang
package import RulesProof

/// Everything that a report of a comparison can say.
package struct DiffReport: Sendable {
  /// Which differences are failures.
  package enum Failure: String, CaseIterable, Sendable {
    case loosened, any, none
  }

  /// Two rules files with what the change does.
  package struct Pair: Sendable {
    /// The older rules.
    package var old: Ruleset
    /// The newer rules.
    package var new: Ruleset
    /// What the change does, path by path.
    package var paths: [PathDiff]
    /// How long it took to find out.
    package var nanoseconds: UInt64
    /// Why the newer rules are none, in words; nil if there are some.
    package var ending: String?

    /// What the change from older to newer rules does.
    package init(old: Ruleset, new: Ruleset, paths: [PathDiff], nanoseconds: UInt64) {
      self.old = old
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

  /// A report on some comparisons, and on what could not be compared.
  package init(pairs: [Pair], failOn: Failure, refusals: [Annotation] = []) {
    self.pairs = pairs
    self.failOn = failOn
    self.refusals = refusals
  }

  private var methods: [MethodDiff] { pairs.flatMap { $0.paths.flatMap { $0.methods } } }

  /// How many pairs of a path and a method have a verdict.
  func count(_ verdict: DiffVerdict) -> Int { methods.filter { $0.verdict == verdict }.count }

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
    let differences = pairs.flatMap { $0.paths.flatMap { $0.differences } }
    if differences.contains(where: { isFailure(isLoosened: $0.isLoosened) }) { return .failure }
    let isOpen = methods.contains {
      $0.verdict == .undecided || (failOn != .none && $0.mayBeLoosened)
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
