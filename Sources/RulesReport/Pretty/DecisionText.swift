package import RulesEval
package import RulesLang

/// Prints a decision: the statements tried, and why each came out as it did.
package struct DecisionText {
  /// The detail with which statements are shown.
  package enum Detail {
    /// Values under the statement that decided, or under all of them if none did.
    case deciding
    /// Values under every statement, and inside the functions that it calls.
    case everything
  }

  /// The place where a user writes a request's documents, for advice.
  package enum Origin {
    /// A suite's `"documents"`.
    case suite
    /// An option of `simulate`.
    case commandLine
  }

  private let rules: Checked
  private let palette: Palette
  private let detail: Detail
  private let origin: Origin

  /// Prepares the text of a decision.
  package init(
    _ rules: Checked, in palette: Palette, showing detail: Detail = .deciding,
    documentsOf origin: Origin = .suite
  ) {
    self.rules = rules
    self.palette = palette
    self.detail = detail
    self.origin = origin
  }

  private var source: SourceText { rules.ruleset.source }

  /// `ALLOW` or `DENY`.
  package func verdict(_ decision: Decision) -> String {
    decision.isAllowed ? palette.paint("ALLOW", as: .good) : palette.paint("DENY", as: .error)
  }

  /// Returns the reason why the request is denied, in a few lines: the smallest set of parts that would have
  /// to change.
  package func why(_ decision: Decision, indent: String) -> String {
    var text = ""
    let reason = DenialReason(decision, in: rules)
    for (index, sentence) in reason.sentences.enumerated() {
      text += indent + (index == 0 ? palette.paint("why:", as: .strong) : " and")
      text += " " + said(sentence, after: 5, indent: indent) + "\n"
    }
    let missing = reason.obstacles.lazy.compactMap { $0.missing }.first
    let help = missing.map { advice(on: $0) } ?? adviceOnResource(decision, reason.obstacles)
    guard let help else { return text }
    return text + indent + "help: \(said(help, after: 6, indent: indent))\n"
  }

  /// Returns the advice to give the document of the request, if a condition reads it and it is not stored;
  /// nil for a creation, whose document cannot be stored.
  private func adviceOnResource(_ decision: Decision, _ obstacles: [Obstacle]) -> String? {
    guard case .commandLine = origin, decision.accesses.count == 1,
      decision.accesses[0].access.method != .create,
      obstacles.contains(where: { readsMissingResource($0) })
    else { return nil }
    return "give the stored document with `--before '{...}'`"
  }

  /// True if an obstacle is an error because `resource` is null.
  private func readsMissingResource(_ obstacle: Obstacle) -> Bool {
    guard case .error(let error) = obstacle.outcome, case .nullValue = error.reason,
      case .member(let base, _) = rules.ruleset[error.expression].kind
    else { return false }
    return rules.binding(rules.ruleset.unparenthesized(base)) == .resource
  }

  /// Returns a sentence behind `used` columns of an indented line, broken into lines that fit.
  private func said(_ sentence: String, after used: Int, indent: String) -> String {
    let column = indent.utf8.count + used
    return palette.wrapped(Printable.text(sentence), after: column, indent: column)
  }

  /// Returns the advice to store a document that a condition looks up.
  private func advice(on missing: Text) -> String {
    let document = "\(JSONText.string(String(missing)).compact): {...}"
    return switch origin {
    case .suite: "if it should be stored, give it in \"documents\": {\(document)}"
    case .commandLine: "if it should be stored, give it with `--documents '{\(document)}'`"
    }
  }

  /// Returns the statements that were tried, explained if they have a trace, after an empty line; empty if
  /// there is nothing to show.
  package func render(_ decision: Decision, indent: String) -> String {
    let text = statements(of: decision, indent: indent)
    return text.isEmpty ? "" : "\n" + text
  }

  private func statements(of decision: Decision, indent: String) -> String {
    var text = ""
    for note in decision.notes {
      text += indent + "note: \(said(note, after: 6, indent: indent))\n"
    }
    for access in decision.accesses {
      if decision.accesses.count > 1 {
        text += indent + "\(access.access.method.word) \(Printable.text(access.access.pathText)): "
        text += (access.isGranted ? "granted" : "not granted") + "\n"
      }
      text += render(access, indent: indent)
    }
    return text
  }

  private func render(_ access: AccessDecision, indent: String) -> String {
    // If fewer than two statements were tried, the lines of `why` name all obstacles already.
    let isRemarked = access.tried.count > 1
    return access.tried.reduce("") { text, tried in
      var isExplained = !access.isGranted || detail == .everything
      if case .granted = tried.result { isExplained = true }
      let text = text + render(tried, isExplained: isExplained, indent: indent)
      guard isRemarked else { return text }
      return text + remarks(on: access.obstacles(of: tried, in: rules), indent: indent)
    }
  }

  private func render(_ tried: Tried, isExplained: Bool, indent: String) -> String {
    let allow = rules.ruleset[tried.allow]
    var text = indent + arrow(allow.keyword.start) + " \(outcome(tried.result))\n"
    if isExplained, let condition = allow.condition, let trace = tried.trace {
      let explanation = Explanation(of: condition, trace, in: rules)
      let printer = ExplanationText(source, in: palette)
      text += printer.render(explanation, lines: allow.range, indent: indent)
      if detail == .everything {
        text += explanation.calls.reduce("") { $0 + render($1, by: printer, indent: indent + "  ") }
      }
    }
    return text
  }

  private func remarks(on obstacles: [Obstacle], indent: String) -> String {
    obstacles.reduce("") { text, obstacle in
      let sentence = DenialReason.sentence(obstacle, in: rules.ruleset)
      return text + indent + "   \(palette.paint("=", as: .gutter)) "
        + said(sentence, after: 5, indent: indent) + "\n"
    }
  }

  private func render(
    _ call: Explanation.Call, by printer: ExplanationText, indent: String
  ) -> String {
    let function = rules.ruleset[call.function]
    let name = SourceSnippet.text(rules.ruleset[call.expression].range, in: source)
    var text = indent + arrow(function.range.start) + " in `\(Printable.text(name))`\n"
    text += printer.render(call.inside, lines: function.range, indent: indent)
    return text
      + call.inside.calls.reduce("") { $0 + render($1, by: printer, indent: indent + "  ") }
  }

  private func arrow(_ offset: UInt32) -> String {
    let place = source.position(of: offset)
    return "--> \(Printable.text(source.name)):\(place.line):\(place.column)"
  }

  private func outcome(_ result: Tried.Result) -> String {
    switch result {
    case .granted: return palette.paint("grants", as: .good)
    case .refused: return palette.paint("is false", as: .error)
    case .failed(let error):
      let place = source.position(of: error.site.start)
      let message = error.reason.words ?? "the query's filters do not say"
      return palette.paint("ends in an error", as: .error)
        + " at \(place.line):\(place.column): \(Printable.text(SourceSnippet.collapsed(message)))"
    }
  }
}
