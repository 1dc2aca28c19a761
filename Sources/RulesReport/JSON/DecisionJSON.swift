package import RulesEval
package import RulesLang

/// A decision in a machine-readable report: the content of `DecisionText` as data.
package struct DecisionJSON {
  private let rules: Checked

  /// Prepares for decisions of the rules.
  package init(_ rules: Checked) { self.rules = rules }

  /// Returns the members of a decision that every report has, in order.
  package func members(_ decision: Decision?) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      (
        "tried",
        .array(
          (decision?.accesses ?? []).flatMap { access in access.tried.map { tried($0, in: access) }
          })
      ),
      (
        "cost",
        .object([
          ("expressions", .int(decision?.expressions ?? 0)),
          ("lookups", .int(decision?.lookups ?? 0)),
        ])
      ),
    ]
    guard let decision else { return members }
    if let denial = decision.denial(in: rules.ruleset) {
      members.append(("denial", .string(denial)))
    }
    let reason = DenialReason(decision, in: rules)
    if !reason.sentences.isEmpty {
      members.append(("why", .array(reason.sentences.map { .string($0) })))
    }
    if let nearest = reason.nearestMatch { members.append(("nearest", json(nearest))) }
    if !decision.notes.isEmpty {
      members.append(("notes", .array(decision.notes.map { .string($0) })))
    }
    return members
  }

  /// Returns a statement that was tried: place, outcome, the engine's message for an error, and with a trace
  /// the values of sub-expressions.
  private func tried(_ tried: Tried, in access: AccessDecision) -> JSONText {
    let allow = rules.ruleset[tried.allow]
    var members = place(allow.keyword.start)
    switch tried.result {
    case .granted: members.append(("outcome", .string("true")))
    case .refused: members.append(("outcome", .string("false")))
    case .failed(let error):
      members.append(("outcome", .string("error")))
      let message = tried.errorMessage(in: rules.ruleset) ?? ""
      members.append(("message", .string(message)))
      members.append(("at", .object(place(error.site.start))))
    }
    let obstacles = access.obstacles(of: tried, in: rules)
    if !obstacles.isEmpty { members.append(("obstacles", .array(obstacles.map { json($0) }))) }
    if let condition = allow.condition, let trace = tried.trace {
      members += json(Explanation(of: condition, trace, in: rules))
    }
    return .object(members)
  }

  private func place(_ offset: UInt32) -> [(String, JSONText)] {
    let position = rules.ruleset.source.position(of: offset)
    return [("line", .int(position.line)), ("column", .int(position.column))]
  }

  private func expression(_ id: ExprID) -> (String, JSONText) {
    let text = SourceSnippet.text(rules.ruleset[id].range, in: rules.ruleset.source)
    return ("expression", .string(text))
  }

  private func json(_ obstacle: Obstacle) -> JSONText {
    var members = place(rules.ruleset[obstacle.expression].range.start)
    members += [
      expression(obstacle.expression), ("outcome", .string(Self.word(obstacle.outcome))),
      ("wanted", .bool(obstacle.wanted)),
    ]
    if !obstacle.detail.isEmpty { members.append(("detail", .string(obstacle.detail))) }
    return .object(members)
  }

  private func json(_ explanation: Explanation) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("values", .array(explanation.notes.map { json($0) }))
    ]
    if !explanation.calls.isEmpty {
      members.append(("calls", .array(explanation.calls.map { json($0) })))
    }
    return members
  }

  private func json(_ note: Explanation.Note) -> JSONText {
    let (source, range) = (rules.ruleset.source, rules.ruleset[note.expression].range)
    let offset = source.characterOffset(of: range.start)
    var members = place(range.start)
    members += [
      ("offset", .int(offset)),
      ("endOffset", .int(max(offset, source.characterOffset(of: range.end) - 1))),
      ("anchor", .int(source.characterOffset(of: note.anchor))), expression(note.expression),
      ("outcome", .string(Self.word(note.outcome))),
    ]
    switch note.outcome {
    case .value(let value):
      members += [("type", .string(value.type.word)), ("text", .string(note.text))]
    case .error(let error):
      members.append(("message", .string(error.reason.message ?? note.text)))
    case .none: break
    }
    return .object(members)
  }

  private func json(_ call: Explanation.Call) -> JSONText {
    let function = rules.ruleset[call.function]
    return .object(
      [("function", .string(String(function.name.text)))] + place(function.range.start)
        + [expression(call.expression)] + json(call.inside))
  }

  private func json(_ nearest: NearestMatch) -> JSONText {
    .object(
      place(rules.ruleset[nearest.match].keyword.start) + [
        ("match", .string(NearestMatch.pattern(of: nearest.match, in: rules.ruleset))),
        ("message", .string(nearest.sentence(in: rules.ruleset))),
      ])
  }

  private static func word(_ outcome: Outcome?) -> String {
    switch outcome {
    case .none: "skipped"
    case .value(.bool(let flag)): flag ? "true" : "false"
    case .value: "value"
    case .error: "error"
    }
  }
}
