/// The limits of the solver, in the order in which a query meets them.
///
/// Beyond a limit an axiom or a model is missing, so that a query can become undecided and nothing
/// else. Each has a figure: what changes with another value, or without the limit, among 39,453 answers
/// about 89 files, of which 49 are from public repositories; among 2,059 of these about 53 files; or for
/// a file of `Benchmarks/hostile.py`. Limits without any effect were removed.
package enum SearchStrategy {
  // MARK: Axioms

  /// Maximum parts of a constant that are compared with an unknown value one by one, and the least
  /// number of keys that is not counted. With 8 keys one of 2,059 answers is lost.
  package static let constantParts = 64
  /// Maximum terms that are distinguished in pairs, threes or sets of a few: eight have 56 threes and 70
  /// sets of four, and each costs a proposition. Sizes of lists are counted up to half of it. Without
  /// the limits the file "equal lists" takes 3,300 MB and more instead of 27; with 2, one of 2,059
  /// answers is lost.
  package static let group = 8

  // MARK: Search

  /// Steps between two looks at the clock and at what the query has left. With 1 the 2,059 answers take a
  /// fifth longer.
  static let stepsBetweenLooks = 1000
  /// Steps for a generated request, an expression that the evaluator evaluates, and a condition of a
  /// matrix that is encoded: about a microsecond. Prices of 1,000, 60 and 480 gave the same answers.
  package static let stepsOfRequest = 100
  /// Maximum conflicts of a search after which others follow. Of 282,000 searches of 186 real files
  /// seven had more than a hundred, and then further axioms help more than further search.
  package static let fewConflicts = 200
  /// Maximum visits of terms for one new difference; the check at the end of a search finds the other
  /// cycles. Without it the files "circle", "pigeons" and "equal lists" take 12.9 s instead of 9.9, and a
  /// cycle elsewhere that is not found yet could be followed without end.
  static let cycleVisits = 200

  // MARK: Models

  /// Maximum strings that a search for the text of a model reads. Without the limit 4 of 39,453 answers
  /// are lost, because no steps are left, and the file "16 patterns" takes 156 MB instead of 38.
  static let texts = 100_000
  /// Maximum propositions that are kept: of the encodings of versions and kinds of requests, of the
  /// models of a search, and expressions of versions. A proposition takes about 100 bytes.
  package static let keptNodes = 1_000_000
}

extension Budget {
  /// Default steps of one query: one or two seconds of work. One of 39,453 answers needs more.
  package static let questionSteps = 60_000_000
  /// Ratio of the overall budget of a report to that of a query. The longest of 529 reports about the 89
  /// files takes 5 s of processor.
  package static let questionsInAll = 40
}
