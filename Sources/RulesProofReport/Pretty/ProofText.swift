import RulesEncoding
import RulesEval
package import RulesLang
import RulesProof
import RulesReport

/// The report of claims as text.
package struct ProofText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it has no claims with the expected verdict.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns every file with its claims, and the number of each verdict.
  package func render(_ report: ProofReport) -> String {
    var text = ""
    for file in report.files {
      let shown = isQuiet ? file.results.filter { !$0.isPassed } : file.results
      if shown.isEmpty { continue }
      text += palette.paint(Printable.text(file.rulesPath), as: .strong)
      if !file.source.bytes.isEmpty { text += " (claims of \(Printable.text(file.source.name)))" }
      text += file.database.suffix + "\n\n"
      for result in shown { text += render(result, in: file.source) + "\n" }
    }
    let results = report.results
    if isQuiet, results.allSatisfy({ $0.isPassed }) { return text }
    return text + summary(results)
  }

  private func summary(_ results: [ClaimResult]) -> String {
    let unexpected = results.filter { $0.conclusion == .failure }.count
    let violatingOutcome =
      unexpected == 0 ? "" : ", " + palette.paint("\(unexpected) unexpected", as: .error)
    return "\(results.count.of("claim")): "
      + results.verdictWords(naming: ["proved", "violated", "undecided"]) + violatingOutcome + "\n"
  }

  /// Returns one claim with the evidence for its verdict.
  func render(_ result: ClaimResult, in source: SourceText) -> String {
    let isKnown = result.isPassed && result.claim.expectation != .proved
    var text =
      verdict(result) + (isKnown ? ", as expected" : "")
      + "  \(Printable.text(result.claim.name))\n"
    if result.claim.isNamed { text += "  \(Printable.text(result.claim.statement))\n" }
    if result.conclusion == .failure {
      text += "  " + place(of: result.claim, in: source)
      text += "expected \(result.claim.expectation.word)\n"
    }
    text += remarks(result)
    if let reason = result.uncheckedReason {
      text += "  not checked by the proof checker: \(Printable.text(reason))\n"
    }
    let rules = result.rules
    switch result.verdict {
    case .vacuous(let vacuity): return text + render(vacuity, of: result)
    case .proved(let proof): return text + render(proof, in: rules)
    case .violated(let counterexample):
      return text + render(counterexample, in: rules)
        + repairs(of: result)
    case .undecided(let openReasons):
      return text + openReasons.reduce("") { $0 + render($1, in: rules) }
    }
  }

  /// Returns the place of the claim; empty for one of the command line.
  private func place(of claim: Claim, in source: SourceText) -> String {
    if source.bytes.isEmpty { return "" }
    let place = source.position(of: claim.range.start)
    return "--> \(Printable.text(source.name)):\(place.line):\(place.column): "
  }

  private func verdict(_ result: ClaimResult) -> String {
    let word = result.verdict.word.uppercased()
    switch result.conclusion {
    case .success: return palette.paint(word, as: .good)
    case .undecided: return palette.paint(word, as: .warning)
    case .failure: return palette.paint(word, as: .error)
    }
  }

  private func remarks(_ result: ClaimResult) -> String {
    result.remarks.reduce("") { $0 + "  note: \(Printable.text($1))\n" }
  }

  private func render(_ vacuity: Vacuity, of result: ClaimResult) -> String {
    var text = "  \(Printable.text(vacuity.sentence))\n"
    for help in result.isPassed ? [] : vacuity.help {
      text += "  help: \(Printable.text(help))\n"
    }
    return text
  }

  // MARK: Proofs

  private func render(_ proof: Proof, in rules: Ruleset) -> String {
    var text = proof.induction.map { "  in any number of requests: \($0)\n" } ?? ""
    for statement in proof.statements {
      let allow = rules[statement.allow]
      let place = rules.source.position(of: allow.keyword.start)
      let methods = statement.methods.methods.map { $0.word }.joined(separator: ", ")
      text += "  --> \(Printable.text(rules.source.name)):\(place.line):\(place.column) "
      text += "for \(methods)" + (statement.core.isEmpty ? "" : ", safe because of") + "\n"
      for conjunct in statement.core { text += underlined(rules[conjunct].range, in: rules.source) }
    }
    return text
  }

  private func underlined(_ range: SourceRange, in source: SourceText) -> String {
    let line = source.line(of: range.start)
    let digits = "\(line)".utf8.count
    let excerpt = Excerpt(
      source, line: line, around: range, columns: palette.sourceColumns(beside: digits + 6))
    let blank = String(repeating: " ", count: digits)
    let padding = String(repeating: " ", count: excerpt.column(of: range.start))
    let marks = String(repeating: "^", count: max(1, excerpt.width(of: range)))
    return palette.paint("   \(line) |", as: .gutter) + " " + excerpt.text + "\n"
      + palette.paint("   \(blank) |", as: .gutter) + " " + padding
      + palette.paint(marks, as: .good) + "\n"
  }

  // MARK: Counterexamples

  private func render(
    _ counterexample: Counterexample, in rules: Ruleset
  ) -> String {
    var text = "  \(Printable.text(counterexample.sentence(in: rules)))\n"
    for step in counterexample.steps {
      guard let allow = step.allow else { continue }
      let place = rules.source.position(of: rules[allow].keyword.start)
      text += "  --> \(Printable.text(rules.source.name)):\(place.line):\(place.column)\n"
    }
    if let allow = counterexample.allow {
      let place = rules.source.position(of: rules[allow].keyword.start)
      text += "  --> \(Printable.text(rules.source.name)):\(place.line):\(place.column)\n"
    }
    let (shown, closing) = (JSONText(counterexample.test), JSONText(counterexample.closingTest))
    return text + "  the test that shows it today:\n  \(shown.compact)\n"
      + "  the test that closes it:\n  \(closing.compact)\n"
  }

  private func repairs(of result: ClaimResult) -> String {
    guard let repairs = result.repairs else { return "" }
    if repairs.isEmpty { return "  no repair was found\n" }
    var text = ""
    for (place, repair) in repairs.enumerated() {
      text += "  " + palette.paint("repair \(place + 1)", as: .info)
      text += ": \(Printable.text(repair.change))\n"
      for line in repair.lines { text += "    \(Printable.text(line))\n" }
      for sentence in repair.takesAway { text += "    breaks: \(Printable.text(sentence))\n" }
    }
    return text
  }

  private func render(_ openReason: OpenReason, in rules: Ruleset) -> String {
    guard let range = openReason.range else { return "  \(Printable.text(openReason.reason))\n" }
    let place = rules.source.position(of: range.start)
    return "  \(Printable.text(rules.source.name)):\(place.line):\(place.column): "
      + "\(Printable.text(openReason.reason))\n" + underlined(range, in: rules.source)
  }
}
