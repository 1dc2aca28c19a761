// The stages of a verdict on one kind of request, in `Prover.decide`:
//
// 1. The rules and the claim are encoded (`Goal`). A search without all axioms comes first: most claims
//    that hold need no more (`Goal.earlyProof`).
// 2. If the write may be part of a commit, a request with that one write is looked for, then the other
//    writes are encoded (`Goal.followWrites`).
// 3. A search with all axioms; models that the evaluator does not confirm are excluded by facts, and in
//    the end requests near them are tried (`CounterexampleSearch`).
// 4. If that stays undecided, once more from the beginning, with the axioms decided as well.
// 5. An UNSAT answer holds if no limit of Firestore can stop the rules (`LimitProof`).
// 6. It counts as a proof when generated requests have not refuted it (`Attack`).

/// The limits of the proofs, in the order in which a claim, a matrix or a comparison meets them.
///
/// Beyond a limit an answer can become undecided, a report can show less, or work is done again;
/// nothing is concluded from it. Figures are measured on 39,453 answers about 89 files, 49 of them
/// drawn from public repositories.
enum Strategy {
  // MARK: The budget of a question

  /// The divisor of a question's steps for a part of it: axioms, one statement, requests near a model.
  static let share = 8
  /// The divisor of a claim's steps for the check of its proof.
  static let checkShare = 4
  /// Maximum steps of work that an answer seldom needs: the proof that limits do not matter, the encoding
  /// that versions share, one of hundreds of questions about a file. Proofs that limits do not matter
  /// save 5 of 8,649 answers.
  static let sideSteps = 4_000_000
  /// Maximum steps of a search that versions of a file share; nearly all take a tenth of it.
  static let sharedSearchSteps = 1_000_000

  // MARK: Counterexamples

  /// Maximum attempts that start again: commits with a single write, expensive requests, later requests
  /// of a sequence, statements that a repair changes, fruitless questions before less is tried.
  static let tries = 4
  /// Maximum models of a search that are excluded by facts, and enabling requests that are kept.
  static let refinements = 24
  /// Maximum models of a search that are excluded although no fact excludes them.
  static let blocks = 8
  /// Maximum requests that are tried near unconfirmed ones, within their share of the steps. Without any, 4
  /// of 8,649 answers are lost. In 209 files the 16 successful searches needed at most 171, a condition on
  /// the pieces of a text more than 1,200.
  static let probes = 1500
  /// Maximum strings of which a text is put together in a model.
  static let pieces = 64

  // MARK: Requests that test a conclusion

  /// Minimum requests for a conclusion over all kinds of requests, and maximum attempts to make a
  /// counterexample smaller.
  static let requests = 200
  /// Minimum requests of a kind, and variants of a near miss. With 24, five more answers stay open, because
  /// steps run out, and two fewer.
  static let requestsOfKind = 8
  /// Maximum kinds of requests for one conclusion. Preparing rules for a kind costs more than requests.
  static let attackedKinds = 64
  /// The period of generated requests: one from scratch, one near a granted one, the others variants of
  /// one part.
  static let rhythm = 8
  /// The number of clients, of generated lists or maps for a name, and of attempts to find a variant.
  static let samples = 4
  /// Maximum depth at which values are generated or changed.
  static let valueDepth = 3
  /// Maximum names, constants and operands that are read from the rules. Generated requests would not combine
  /// more.
  static let seeds = 200

  // MARK: Sequences

  /// Maximum expressions of a condition that is followed, three times the 1,000 that Firestore
  /// evaluates.
  static let followedExpressions = 3000
  /// Maximum alternatives of a condition; each duplicates the text around it.
  static let alternatives = 8

  // MARK: Reports

  /// Maximum differences that are reported for one kind of request.
  static let differences = 12
  /// Maximum roles with a column in a matrix; more appear as conditions of strangers.
  static let roles = 24
  /// Maximum relations with a column in a matrix.
  static let relations = 3
  /// Maximum columns for combinations of marks: three independent ones have seven, and one more may be
  /// a role that only members can have.
  static let combinations = 8
  /// Maximum elements of a list that a mutant rewrites, which takes quadratic memory.
  static let rewrittenElements = 64

  // MARK: Memory

  /// Maximum propositions of versions, and expressions of rules, that are kept.
  static let keptPropositions = 1_000_000
  /// Maximum total steps of the cached encodings.
  static let keptSteps = 20_000_000
  /// Maximum kinds whose requests are kept.
  static let keptPools = 600
  /// Maximum other versions whose decisions are kept.
  static let keptVersions = 2

  // MARK: Words

  /// Maximum names, fields or alternatives in a sentence, to fit a line of 80 columns.
  static let names = 3
  /// Maximum paths that are suggested in place of one that no block is for.
  static let suggestions = 5
  /// Maximum characters of a value in a sentence, half a line; the test has the whole value.
  static let valueText = 40
  /// Maximum bytes of an argument that replaces its parameter in a quotation.
  static let argumentText = 60
  /// Maximum bytes of an inlined function.
  static let functionText = 120
  /// Maximum bytes of a description of alternatives.
  static let sentenceText = 160
  /// Maximum bytes of an inlined function of which a part is certain.
  static let residualText = 400

  // MARK: Prices

  /// Steps of the evaluator for a request.
  static let stepsOfDecision = 1000
  /// Steps of the evaluator for each expression.
  static let stepsOfExpression = 60

  /// The speed of the machine that decides generated requests, relative to the evaluator.
  static let speedOfMachine = 4
  /// Steps of encoding a claim's part about one kind of client.
  static let stepsForKind = 480
}
