import RulesEval
package import RulesLang
import RulesProofReport

/// A clickable line of text above a place.
package struct CodeLens: Sendable {
  /// The action of a click.
  package enum Action: Sendable {
    /// Runs the tests of the rules, or of the suite.
    case runTests
    /// Runs one test of a suite.
    case runTest(SourceRange)
    /// Decides one claim of a suite.
    case decide(SourceRange)
    /// Decides a new claim about a statement, which the user has yet to state.
    case prove(path: String, methods: [String])
  }

  /// The range above which it is shown.
  package var range: SourceRange
  /// The text.
  package var title: String
  /// The action of a click.
  package var action: Action
}

extension RulesAnalysis {
  /// A lens above each statement with the results of the tests, and one to prove a claim about it.
  package var lenses: [CodeLens] {
    guard let checked else { return [] }
    var lenses: [CodeLens] = []
    for (index, allow) in rules.allows.enumerated() where !checked.methods[index].isEmpty {
      let range = allow.keyword.union(allow.operationsRange)
      if let runs {
        let (passed, failed) = runs.tests(of: AllowID(index))
        let count = passed + failed
        let title =
          switch (count, failed) {
          case (0, _): "no test"
          case (1, 0): "1 test passes"
          case (_, 0): "\(count) tests pass"
          default: "\(failed) of \(count) tests fail"
          }
        lenses.append(CodeLens(range: range, title: title, action: .runTests))
      }
      guard let path = checked.claimPath(of: allow.match) else { continue }
      let methods = checked.methods[index].methods.map { $0.word }
      lenses.append(
        CodeLens(range: range, title: "prove …", action: .prove(path: path, methods: methods)))
    }
    return lenses
  }
}

extension Checked {
  /// Returns the documents of a block as the path of a claim; nil if they are not below
  /// `/databases/{database}/documents`, or not documents.
  fileprivate func claimPath(of match: MatchID) -> String? {
    let facts = matches[match.index]
    guard facts.isReachable, facts.pattern.count > 3 else { return nil }
    var text = ""
    var names: Set<Text> = []
    for step in facts.pattern.dropFirst(3) {
      switch step {
      case .literal(let name): text += "/" + String(name)
      case .capture(let slot), .glob(let slot):
        var name = facts.captures[Int(slot)].text
        while !names.insert(name).inserted || name == "request" || name == "resource" {
          name.append(0x5F)
        }
        if case .glob = step {
          text += "/{\(String(name))=**}"
        } else {
          text += "/{\(String(name))}"
        }
      }
    }
    let hasGlob = facts.pattern.contains { step in
      if case .glob = step { return true }
      return false
    }
    return hasGlob || facts.pattern.count % 2 == 1 ? text : nil
  }
}

extension SuiteAnalysis {
  /// A lens above each test and claim with its last result, and one to run it.
  package var lenses: [CodeLens] {
    guard suite != nil else { return [] }
    var lenses: [CodeLens] = []
    func add(_ items: [OutlineItem]) {
      for item in items {
        switch item.kind {
        case .test: lenses.append(lens(ofTest: item))
        case .claim: lenses.append(lens(ofClaim: item))
        case .group: add(item.children)
        case .service, .match, .allow, .function, .suite: continue
        }
      }
    }
    add(outline)
    return lenses
  }

  private func lens(ofTest item: OutlineItem) -> CodeLens {
    let outcomes = run?.tests.filter { $0.range == item.range } ?? []
    let failed = outcomes.count { !$0.failures.isEmpty }
    let word = outcomes.isEmpty ? "run" : failed == 0 ? "passed, run" : "failed, run"
    return CodeLens(range: item.nameRange, title: word, action: .runTest(item.range))
  }

  private func lens(ofClaim item: OutlineItem) -> CodeLens {
    // An unexpected verdict in one database outweighs expected ones in others.
    let outcomes = run?.claims.filter { $0.claim.range == item.range } ?? []
    let outcome = outcomes.first { !$0.isPassed } ?? outcomes.first
    return CodeLens(
      range: item.nameRange, title: outcome.map { "\($0.word), prove" } ?? "prove",
      action: .decide(item.range))
  }
}
