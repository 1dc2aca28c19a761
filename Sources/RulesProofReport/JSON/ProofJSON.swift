import RulesEncoding
package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension ProofReport {
  /// The machine-readable report, schema `rules-check.prove/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The report of prove.",
    [
      .schema("prove"), .list("suites", "The files with claims.", of: file) { $0.files },
      .errors { $0.refusals },
      .member("summary", JSONForm("The numbers of claims.", ClaimResult.counts)) { $0.results },
    ])

  private static let file = JSONForm<File>(
    "The results of the claims of a file.",
    [
      .text("suite", "The suite, or another place of the claims.") { $0.source.name },
      .text("rules", "The rules of the claims.") { $0.rulesPath },
      .database { $0.database },
      .list("claims", "The result of each claim.", of: ClaimResult.form) { $0.results },
    ])
}

extension ClaimResult {
  /// The numbers of claims by verdict, as members of a summary.
  static let counts: [JSONMember<[ClaimResult]>] =
    [.count("claims", "All claims.") { $0.count }]
    + ["proved", "violated", "undecided", "vacuous"].map { word in
      .count(word, "Claims that are \(word).") { $0.count { $0.verdict.word == word } }
    } + [
      .count("unchecked", "Proved claims that the proof checker has not confirmed.") {
        $0.count { $0.isUnchecked }
      }
    ]

  /// The form of a result.
  static let form = anyForm.defined("claim")

  /// The forms of results with each verdict.
  static let anyForm = JSONForm<Self>(
    schema: JSONSchema.either(
      "The result of a claim.",
      [proved.schema, violated.schema, undecided.schema, vacuous.schema])
  ) { result in
    switch result.verdict {
    case .proved(let proof): proved.json((result, proof))
    case .violated(let counterexample): violated.json((result, counterexample))
    case .undecided(let reasons): undecided.json((result, reasons))
    case .vacuous(let vacuity): vacuous.json((result, vacuity))
    }
  }

  private static let proved = form(
    "proved",
    [
      .flag("checked", "True if the proof checker has confirmed the proof.") {
        $0.1.check.isChecked
      },
      .text("uncheckedBecause?", "Why the proof checker has not confirmed the proof.") {
        $0.0.uncheckedReason
      },
      .flag("grantsNothing?", "True if nothing in its scope is allowed.") {
        $0.1.grantsNothing ? true : nil
      },
      .text("induction?", "The fact that every request preserves.") { $0.1.induction },
      .list("statements", "The statements that were considered.", of: consideration) {
        (result: Self, proof: Proof) in proof.statements.map { (result, $0) }
      },
    ])

  private static let violated = form(
    "violated",
    [
      .text("summary", "The request in a sentence.") {
        (result: Self, found: Counterexample) in found.sentence(in: result.rules)
      },
      .count("line?", "The line of the statement that allows the request.") {
        (result: Self, found: Counterexample) in found.allow.map { result.line(of: $0) }
      },
      .test("counterexample", "A test that shows the violation today.") {
        (result: Self, found: Counterexample) in JSONText(found.test)
      },
      .test("closing", "The test that passes once the rules deny the request.") {
        (result: Self, found: Counterexample) in
        JSONText(found.closingTest)
      },
      .list("repairs?", "Changes of the rules under which the claim is proved.", of: repair) {
        $0.0.repairs
      },
    ])

  private static let undecided = form(
    "undecided",
    [
      .list("reasons", "The reasons that stopped the proof.", of: OpenReasonJSON.form) {
        (result: Self, reasons: [OpenReason]) in
        reasons.map { OpenReasonJSON($0, in: result.rules.source) }
      }
    ])

  private static let vacuous = form(
    "vacuous",
    [
      .text("didYouMean?", "The name that was probably intended.") {
        (_: Self, vacuity: Vacuity) in vacuity.meant
      }
    ])

  /// Returns the form of a result with a verdict; `members` are those that only this verdict has.
  private static func form<Detail>(
    _ verdict: String, _ members: [JSONMember<(ClaimResult, Detail)>]
  ) -> JSONForm<(ClaimResult, Detail)> {
    let common: [JSONMember<ClaimResult>] =
      [.text("name", "The name of the claim.") { $0.claim.name }] + Claim.scope.inside { $0.claim }
      + [
        .constant("verdict", verdict),
        .word("expect", "The expected verdict.", among: ["proved", "violated", "vacuous"]) {
          $0.claim.expectation.word
        },
        .flag("passed", "True if the verdict is the expected one.") { $0.isPassed },
        .number("milliseconds", "The duration.") { $0.milliseconds },
        .texts("notes?", "Notes on the result.") { $0.notes },
      ]
    return JSONForm("A claim that is \(verdict).", common.inside { $0.0 } + members)
  }

  private static let consideration = JSONForm<(ClaimResult, Proof.Safety)>(
    "A statement that was considered.",
    [
      .count("line", "The line of the statement.") { $0.line(of: $1.allow) },
      .methods("The methods for which the statement is considered.") { $1.methods },
      .texts("because", "The parts of the condition that make the statement safe.") {
        result, safety in
        safety.core.map { result.rules.source.string(result.rules[$0].range) }
      },
    ])

  private static let repair = JSONForm<Repair>(
    "A change of the rules.",
    [
      .text("change", "The change in words.") { $0.change },
      .texts("lines", "The change as a diff.", of: "A line.") { $0.lines },
      .texts("takesAway", "Requests that are no longer allowed, in words.") { $0.takesAway },
    ])

  /// The time in milliseconds, to three places.
  var milliseconds: String {
    let microseconds = nanoseconds / 1000
    let fraction = String(1000 + microseconds % 1000).dropFirst()
    return "\(microseconds / 1000).\(fraction)"
  }

  private func line(of allow: AllowID) -> Int {
    rules.source.line(of: rules[allow].keyword.start)
  }
}

extension Claim {
  /// The scope and the obligation as members of a report, in the words of suites.
  fileprivate static let scope: [JSONMember<Claim>] = [
    .text("path", "The path of the documents.") { $0.path.text },
    .methods("The methods.") { $0.scopeMethods },
    .texts("writes?", "The fields that are written.", of: "A field.") {
      $0.writes.map { String($0.notation) }
    },
    .text("given?", "The condition that every request in scope meets.") {
      ($0.kept == nil ? $0.given : $0.keptGiven).map { String($0.text) }
    },
    JSONMember(
      "through?", .object([("description", .string("How many requests: `any`, or a number."))])
    ) {
      switch $0.through {
      case .any: .string("any")
      case .steps(let count): .int(count)
      case nil: nil
      }
    },
    .text("obligation", "The kind of claim, by its key in suites.") {
      $0.kept == nil ? $0.obligation.key : "keeps"
    },
    .text("condition?", "The condition that is claimed.") {
      ($0.kept ?? $0.obligation.condition).map { String($0.text) }
    },
  ]
}
