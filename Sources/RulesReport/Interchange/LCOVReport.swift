import RulesEval
import RulesLang

/// Coverage in the trace format of lcov: lines, functions, and a branch for each outcome of a
/// condition.
package struct LCOVReport {
  private let report: CoverageReport

  /// Creates the trace of a report.
  package init(_ report: CoverageReport) { self.report = report }

  /// The whole text, with a record for each rules file.
  package var text: String { report.files.reduce("") { $0 + Self.record($1) } }

  private static func record(_ file: CoverageReport.File) -> String {
    // A line of lcov that begins with `#` is a comment.
    (file.untestedWords.map { "# \(Printable.text(file.path)) is deployed and \($0)\n" } ?? "")
      + "TN:\nSF:\(file.path)\n" + functions(file) + branches(file) + lines(file)
      + "end_of_record\n"
  }

  private static func functions(_ file: CoverageReport.File) -> String {
    let rules = file.rules.ruleset
    var declared = ""
    var called = ""
    var hit = 0
    for function in rules.functions {
      let line = rules.source.line(of: function.range.start)
      let plain = String(function.name.text)
      // Functions of different blocks may share a name; the format knows them by name only.
      let isUnique = rules.functions.filter { $0.name.text == function.name.text }.count == 1
      let name = isUnique ? plain : "\(plain):\(line)"
      let root = rules.unparenthesized(function.result.root)
      let count = file.coverage.expressions[root.index].total
      declared += "FN:\(line),\(name)\n"
      called += "FNDA:\(count),\(name)\n"
      if count > 0 { hit += 1 }
    }
    return declared + called + "FNF:\(rules.functions.count)\nFNH:\(hit)\n"
  }

  private static func branches(_ file: CoverageReport.File) -> String {
    var text = ""
    var found = 0
    var hit = 0
    for (block, place) in file.places.enumerated() where place.possible == 2 {
      let line = file.rules.ruleset.source.line(of: place.range.start)
      let counts = file.coverage.branches(of: place.subject)
      for (branch, count) in [counts.yes, counts.no].enumerated() {
        let taken = counts.total == 0 ? "-" : "\(count)"
        text += "BRDA:\(line),\(block),\(branch),\(taken)\n"
        found += 1
        if count > 0 { hit += 1 }
      }
    }
    return text + "BRF:\(found)\nBRH:\(hit)\n"
  }

  private static func lines(_ file: CoverageReport.File) -> String {
    var hits: [Int: Int] = [:]
    for place in file.places {
      let line = file.rules.ruleset.source.line(of: place.range.start)
      hits[line] = max(hits[line] ?? 0, file.coverage.branches(of: place.subject).total)
    }
    let sorted = hits.sorted { $0.key < $1.key }
    let hit = sorted.filter { $0.value > 0 }.count
    return sorted.reduce("") { $0 + "DA:\($1.key),\($1.value)\n" }
      + "LF:\(sorted.count)\nLH:\(hit)\n"
  }
}

extension RuleCoverage {
  /// Returns how often a place was true or granted, how often it was not, and how often it was evaluated.
  func branches(of subject: CoveragePlace.Subject) -> (yes: Int, no: Int, total: Int) {
    switch subject {
    case .statement(let id), .condition(let id):
      let tally = statements[Int(id.raw)]
      return (tally.granted, tally.refused + tally.failed, tally.total)
    case .expression(let id):
      let tally = expressions[id.index]
      return (tally.trues, tally.falses, tally.total)
    }
  }
}
