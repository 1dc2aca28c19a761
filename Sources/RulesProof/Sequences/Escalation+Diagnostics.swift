import RulesEncoding
import RulesEval
package import RulesLang
import RulesStyle

extension [Escalation] {
  /// Returns the diagnostics of escalations, each at the statement that enables it: alarms as errors,
  /// possibly intended ones as warnings or infos, by their excuse.
  package func diagnostics(in rules: Checked) -> [Diagnostic] {
    diagnostics(in: rules, at: .error) { $0.level == .alarm }
      + diagnostics(in: rules, at: .warning) { $0.level == .note && $0.excused == .warning }
      + diagnostics(in: rules, at: .info) { $0.level == .note && $0.excused == .info }
  }

  private func diagnostics(
    in rules: Checked, at severity: Diagnostic.Severity, where isTold: (Escalation) -> Bool
  ) -> [Diagnostic] {
    let ruleset = rules.ruleset
    var found: [Diagnostic] = []
    for escalation in self where isTold(escalation) {
      guard let step = escalation.sequence?.steps.first?.allow else { continue }
      let asking = ruleset[escalation.allow].keyword
      let range = ruleset[step].keyword
      if let place = found.firstIndex(where: { $0.range == range }) {
        found[place] = found[place].relating(asking, as: Self.asks)
        continue
      }
      let diagnostic = Diagnostic(
        escalation.lint.code, severity: severity,
        message:
          "through this statement, clients can satisfy the condition of line "
          + "\(ruleset.source.line(of: asking.start)): \(escalation.message)", at: range,
        help: escalation.help)
      found.append(diagnostic.relating(asking, as: Self.asks))
    }
    return found
  }

  private static var asks: String { "depends on it" }

  /// Returns the undecided questions, one diagnostic for each cause, at the first affected
  /// statement. The other statements are related places.
  package func openQuestions(in rules: Checked) -> [Diagnostic] {
    var causes: [(openReason: OpenReason, all: [Escalation])] = []
    for escalation in self {
      guard let openReason = escalation.openReasons.first else { continue }
      if let place = causes.firstIndex(where: { $0.openReason == openReason }) {
        causes[place].all.append(escalation)
      } else {
        causes.append((openReason, [escalation]))
      }
    }
    return causes.map { openReason, all in
      let ranges = all.map { rules.ruleset[$0.allow].keyword }
      let what =
        all.count == 1
        ? "not decided: can clients make the condition of this statement true?"
        : "not decided: can clients make the conditions of this statement and "
          + "\((all.count - 1).of("other one")) true?"
      let diagnostic = Diagnostic(
        OpenQuestion.lint.code, severity: .info, message: "\(what): \(openReason.reason)",
        at: ranges[0])
      return ranges.dropFirst().reduce(diagnostic) {
        $0.relating($1, as: "its condition, too", isPictured: false)
      }
    }
  }
}

extension Escalation {
  /// The kind of escalation, judging by the first request.
  private enum Kind {
    case grantsRole, createsMembership, namesItself
  }

  private var kind: Kind {
    guard let sequence, let step = sequence.steps.first else { return .grantsRole }
    if step.method == .create, step.fields.isEmpty { return .createsMembership }
    return step.document == sequence.document && step.namesClient ? .namesItself : .grantsRole
  }

  fileprivate var lint: Lint {
    switch kind {
    case .grantsRole: SelfGrantedRole.lint
    case .createsMembership: SelfMadeMembership.lint
    case .namesItself: SelfMadeOwner.lint
    }
  }

  fileprivate var help: String {
    switch kind {
    case .grantsRole:
      "do not let clients write the field, or store it in a document that they cannot write"
    case .createsMembership:
      "let only clients who may invite create the document, or require one that clients cannot "
        + "write"
    case .namesItself: "let only the named client change the field: check `resource.data`, too"
    }
  }
}

extension Counterexample {
  /// True if a written field contains the client's user ID, directly or in a list or map.
  var namesClient: Bool {
    guard let principal = request.principal, case .string(let uid) = principal.uid,
      case .commit(let writes) = request.operation
    else { return false }
    var left = documents
    guard left.commit(writes, at: request.time) == nil, let after = left[document] else {
      return false
    }
    return fields.contains { field in
      switch after[field] {
      case .string(let text)?: text == uid
      case .list(let elements)?:
        elements.contains { Value.areIdentical($0, .string(uid)) }
      case .map(let map)?: map[uid] != nil
      default: false
      }
    }
  }
}
