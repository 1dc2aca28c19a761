// The stages of a verdict on one kind of request. A claim begins with the first (`Prover.decideRequest`),
// everything else with the second (`Prover.decide`):
//
// 1. The proof checker's own query is searched and its refutation checked (`ClaimCheck`). What the checker
//    confirms goes on with stage 7.
// 2. The rules and the claim are encoded (`Goal`). A search without all axioms comes first
//    (`Goal.isRefutedEarly`).
// 3. If the write may be part of a commit, a request with that one write is looked for, then the other
//    writes are encoded (`Goal.followWrites`).
// 4. A search with all axioms; models that the evaluator does not confirm are excluded by facts, and in
//    the end requests near them are tried (`CounterexampleSearch`).
// 5. If that stays undecided, once more from the beginning, with the axioms decided as well.
// 6. An UNSAT answer holds if no limit of Firestore can stop the rules (`LimitProof`).
// 7. It counts as a proof when generated requests have not refuted it (`Attack`).

/// The limits of the proofs, in the order in which a claim, a matrix or a comparison meets them.
///
/// Beyond a limit an answer can become undecided, a report can show less, or work is done again;
/// nothing is concluded from it. For the figures see `SearchStrategy`.
enum Strategy {
  // MARK: The budget of a question

  /// Divisor of a question's steps for a part of it: axioms, one statement, requests near a model.
  /// A part beyond it stays open, and the others have steps left. With 1, 2,059 answers
  /// are the same: what is limited is the time of questions that stay open.
  static let share = 8
  /// Divisor of a question's steps for the check of its proof. With 8, as many of 505 claims are checked.
  static let checkShare = 4
  /// Maximum steps of work that an answer seldom needs: the proof that limits do not matter, the
  /// encoding and the search that versions share, a question after one that stayed open. Without the
  /// limit 2,059 answers are the same. Proofs that limits do not matter save 5 of 8,649 answers.
  static let sideSteps = 4_000_000

  // MARK: Counterexamples

  /// Maximum attempts that start again: commits with a single write, expensive requests, later requests
  /// of a sequence, statements that a repair changes, other lists of a model, fruitless questions before
  /// less is tried. With 1 one report of 68 differs, and no answer.
  static let tries = 4
  /// Maximum models of a search that are excluded by facts, and enabling requests that are kept. Without
  /// the limit one file of 53 takes 5.9 times as long; with 6, one of 2,059 answers is lost.
  static let refinements = 24
  /// Maximum requests that are tried near unconfirmed ones, within their share of the steps. Without
  /// any, 2 of 2,059 answers are lost. In 209 files the 16 successful searches needed at most 171, a
  /// condition on the pieces of a text more than 1,200.
  static let probes = 1500
  /// Maximum elements of a list, pieces of a text, and tried numbers in a model. Without it a list of
  /// `size() > n` can have 2⁴⁸ elements. With 64 pieces of a text 2,059 answers are the same.
  static let elements = 10_000

  // MARK: Requests that test a conclusion

  /// Minimum requests for a conclusion over all kinds of requests, maximum attempts to make a
  /// counterexample smaller, and maximum names, constants and operands that are read from the rules. With
  /// 25 the 2,059 answers are the same: requests find defects of the search, and it has none there.
  static let requests = 200
  /// Minimum requests of a kind, variants of a near miss, models without a fact that are excluded,
  /// clients, and generated values of a name; the period at which a request is made from scratch. With
  /// 24 requests of a kind 5 more of 39,453 answers stay open, because steps run out, and two fewer.
  static let samples = 8
  /// Maximum kinds of requests for one conclusion, and kinds whose requests are kept, 200 of each: a bound
  /// of memory. Without it `diff` and `check --deep` of the file "1000 blocks" take as long.
  static let attackedKinds = 64
  /// Maximum depth at which values are generated or changed. Without it a value whose fields contain each
  /// other has no end.
  static let valueDepth = 3

  // MARK: Reports

  /// Maximum alternatives of a condition over several requests, each of which duplicates the text
  /// around it, and columns for combinations of marks: three independent ones have seven. With 3
  /// columns 14 of 2,059 answers are lost.
  static let alternatives = 8
  /// Maximum roles with a column in a matrix, and differences that are reported for one kind of request.
  /// With two differences 5 of 2,059 answers are lost; 12 leave two of 39,453 open that 24 do not.
  static let columns = 24
  /// Maximum names, fields, alternatives or suggested paths in a sentence, to fit a line of 80 columns, and
  /// relations with a column in a matrix. With one relation 38 of 2,059 answers are lost; with 24 tables
  /// have "two or more of" in place of the columns for combinations.
  static let names = 3
  /// Maximum characters of a value in a sentence, and bytes of an argument that replaces its parameter:
  /// most of a line. The test has the whole value. With 40 characters of a value no command-line case
  /// differs.
  static let phraseText = 60
  /// Maximum bytes of an inlined function and of a description of alternatives: two lines. Nested
  /// substitution grows exponentially. With 120 or 400 for some of them no command-line case differs.
  static let sentenceText = 160
}
