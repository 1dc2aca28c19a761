/// The limits of the solver, in the order in which a query meets them.
///
/// Beyond a limit an axiom or a model is missing, so that a query can become undecided and nothing
/// else. Figures are measured on 39,453 answers about 89 files.
package enum SearchStrategy {
  // MARK: Axioms

  /// Maximum parts of a constant that are compared with an unknown value one by one.
  package static let constantParts = 32
  /// Maximum terms that are distinguished in pairs, threes or sets of a few: eight have 56 threes and 70
  /// sets of four, and each costs a proposition.
  package static let group = 8
  /// Maximum size of a list for which members are counted.
  static let listSize: Int64 = 4
  /// Maximum pairs of nearly equal values whose parts are compared.
  static let nearPairs = 1000

  // MARK: Search

  /// Steps between two looks at the clock and at what the query has left.
  static let stepsBetweenLooks = 1000
  /// Maximum conflicts of a search.
  static let conflicts = 100_000
  /// Maximum conflicts of a search after which others follow. Of 282,000 searches of 186 real files
  /// seven had more than a hundred, and then further axioms help more than further search.
  package static let fewConflicts = 200
  /// Maximum candidates for a decision before the first conflict, and outside the query's cone: there
  /// one choice is as good as another. Looking at fewer changed no answer.
  static let candidates = 64
  /// Maximum visits of terms for one new difference; the check at the end of a search finds the other
  /// cycles.
  static let cycleVisits = 200

  // MARK: Models

  /// Maximum strings that a search for the text of a model reads.
  static let texts = 100_000
  /// Maximum words of the models that are kept: a bound of memory.
  static let wordsOfModels = 3_000_000
  /// Maximum steps for evaluating a query in the known models, which also bounds the depth of calls.
  /// More changed no answer.
  static let stepsOfModels = 2000
}

extension Budget {
  /// Default steps of one query: one or two seconds of work.
  package static let questionSteps = 60_000_000
  /// Ratio of the overall budget of a report to that of a query.
  package static let questionsInAll = 16
  /// Ratio of the overall budget to that of a query, for reports with hundreds of queries for each
  /// statement.
  package static let questionsOfMany = 40
}
