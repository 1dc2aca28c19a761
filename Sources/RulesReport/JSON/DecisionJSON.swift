package import RulesEval
package import RulesLang

/// A decision in a machine-readable report: the content of `DecisionText` as data.
package struct DecisionJSON: Sendable {
  private let decision: Decision?
  private let rules: Checked
  private let reason: DenialReason?

  /// Prepares a decision of the rules; nil for a request that could not be decided.
  package init(_ decision: Decision?, of rules: Checked) {
    self.decision = decision
    self.rules = rules
    reason = decision.map { DenialReason($0, in: rules) }
  }

  /// The members that reports have of a decision.
  package static let members: [JSONMember<DecisionJSON>] = [
    .list("tried", "The statements that were tried.", of: tried.defined("tried")) { one in
      (one.decision?.accesses ?? []).flatMap { access in
        access.tried.map { ($0, access, one.rules) }
      }
    },
    .member("cost", cost) { $0.decision },
    .text("denial?", "The emulator's message.") { $0.decision?.denial(in: $0.rules.ruleset) },
    .texts("why?", "The reasons for the denial.") { $0.reason?.sentences },
    .member("nearest?", nearest.defined("nearest")) { one in
      one.reason?.nearestMatch.map { ($0, one.rules.ruleset) }
    },
    .texts("notes?", "Notes on the request.") { $0.decision?.notes },
  ]

  /// The definitions of the schema.
  package static let definitions = [
    ("tried", tried.schema), ("note", note.schema), ("nearest", nearest.schema),
    ("obstacle", obstacle.schema), ("call", call.schema), ("place", place.schema),
  ]

  private static let place = JSONForm<SourceText.Position>("A place.", .place { $0 })

  private static let cost = JSONForm<Decision?>(
    "The cost of the request.",
    [
      .count("expressions", "The expressions that were evaluated.") { $0?.expressions ?? 0 },
      .count("lookups", "The documents that were looked up.") { $0?.lookups ?? 0 },
    ])

  private static let tried = JSONForm<(tried: Tried, access: AccessDecision, rules: Checked)>(
    "A statement that was tried.",
    .place { $0.rules.place($0.rules.ruleset[$0.tried.allow].keyword) },
    [
      .word("outcome", "The result of its condition.", among: ["true", "false", "error"]) {
        switch $0.tried.result {
        case .granted: "true"
        case .refused: "false"
        case .failed: "error"
        }
      },
      .text("message?", "The engine's message.") {
        guard case .failed = $0.tried.result else { return nil }
        return $0.tried.errorMessage(in: $0.rules.ruleset) ?? ""
      },
      .member("at?", place.defined("place")) {
        guard case .failed(let error) = $0.tried.result else { return nil }
        return $0.rules.place(error.site)
      },
      .list(
        "obstacles?", "The parts of conditions that prevent the access.",
        of: obstacle.defined("obstacle")
      ) {
        one in one.access.obstacles(of: one.tried, in: one.rules).map { ($0, one.rules) }
      },
    ],
    explanation.inside(optional: { one in
      guard let condition = one.rules.ruleset[one.tried.allow].condition,
        let trace = one.tried.trace
      else { return nil }
      return (Explanation(of: condition, trace, in: one.rules), one.rules)
    }))

  private static let explanation: [JSONMember<(Explanation, Checked)>] = [
    .list("values?", "The values of the parts.", of: note.defined("note")) { explanation, rules in
      explanation.notes.map { ($0, rules) }
    },
    .list(
      "calls?", "The functions called.",
      of: JSONForm(schema: JSONSchema.reference("call")) { call.json($0) }
    ) { explanation, rules in explanation.calls.map { ($0, rules) } },
  ]

  private static let outcomes = ["true", "false", "value", "error", "skipped"]

  private static let obstacle = JSONForm<(Obstacle, Checked)>(
    "A part of a condition that prevents the access.",
    .place { $1.place($1.ruleset[$0.expression].range) },
    [
      .text("expression", "The part.") { $1.text($0.expression) },
      .word("outcome", "The result of the part.", among: outcomes) { obstacle, _ in
        word(obstacle.outcome)
      },
      .flag("wanted", "The result that the part would need.") { obstacle, _ in obstacle.wanted
      },
      .text("detail?", "The reason for the result.") { obstacle, _ in
        obstacle.detail.isEmpty ? nil : obstacle.detail
      },
    ])

  private static let note = JSONForm<(Explanation.Note, Checked)>(
    "The value of a part.", .place { $1.place($1.ruleset[$0.expression].range) },
    [
      .count("offset", "The offset of the part's first character in the file.") {
        $1.characters($0.expression).lowerBound
      },
      .count("endOffset", "The offset of the part's last character in the file.") {
        $1.characters($0.expression).upperBound
      },
      .count(
        "anchor", "The offset of the character to show its value at: an operator or the last name."
      ) { $1.ruleset.source.characterOffset(of: $0.anchor) },
      .text("expression", "The part.") { $1.text($0.expression) },
      .word("outcome", "The result of the part.", among: outcomes) { note, _ in word(note.outcome)
      },
      .text("type?", "The value's type.") { note, _ in
        if case .value(let value) = note.outcome { value.type.word } else { nil }
      },
      .text("text?", "The value.") { note, _ in
        if case .value = note.outcome { note.text } else { nil }
      },
      .text("message?", "The engine's message.") { note, _ in
        if case .error(let error) = note.outcome { error.reason.message ?? note.text } else { nil }
      },
    ])

  private static let call = JSONForm<(Explanation.Call, Checked)>(
    "A function that was called.",
    [.text("function", "The name of the function.") { String($1.ruleset[$0.function].name.text) }],
    .place { $1.place($1.ruleset[$0.function].range) },
    [.text("expression", "The call.") { $1.text($0.expression) }],
    explanation.inside { ($0.inside, $1) })

  private static let nearest = JSONForm<(NearestMatch, Ruleset)>(
    "The block that came nearest to matching.",
    .place { $1.source.position(of: $1[$0.match].keyword.start) },
    [
      .text("match", "The pattern of the block.") { NearestMatch.pattern(of: $0.match, in: $1) },
      .text("message", "The reason why the block does not match.") { $0.sentence(in: $1) },
    ])

  private static func word(_ outcome: Outcome?) -> String {
    switch outcome {
    case .none: "skipped"
    case .value(.bool(let flag)): flag ? "true" : "false"
    case .value: "value"
    case .error: "error"
    }
  }
}

extension Checked {
  fileprivate func place(_ range: SourceRange) -> SourceText.Position {
    ruleset.source.position(of: range.start)
  }

  fileprivate func text(_ id: ExprID) -> String {
    SourceSnippet.text(ruleset[id].range, in: ruleset.source)
  }

  /// Returns the offsets of the first and last character of an expression.
  fileprivate func characters(_ id: ExprID) -> ClosedRange<Int> {
    let start = ruleset.source.characterOffset(of: ruleset[id].range.start)
    return start...max(start, ruleset.source.characterOffset(of: ruleset[id].range.end) - 1)
  }
}
