import RulesEval
import RulesHost
import RulesLang

/// Our answers to trials on one rules file.
struct OurSide {
  /// The rules; nil if they do not compile.
  let checked: Checked?
  /// The compiler's diagnostics.
  let diagnostics: [Diagnostic]
  /// The spans of conditions in coverage reports.
  let conditions: [ReportedSpan]
  private let spans: [ExprID: ReportedSpan]
  private let places: ReportedSpans

  /// Compiles rules.
  init(_ rules: String) {
    let outcome = Checker.check(SourceText(name: "trial.rules", rules))
    checked = outcome.checked
    diagnostics = outcome.diagnostics
    places = ReportedSpans(outcome.ruleset)
    var spans: [ExprID: ReportedSpan] = [:]
    if let ruleset = outcome.checked?.ruleset {
      for root in Self.roots(ruleset) {
        for (id, span) in places.spans(of: root) where !Self.isOpen(ruleset[id]) {
          spans[id] = span
        }
      }
    }
    self.spans = spans
    conditions = outcome.ruleset.allows.compactMap { allow in
      allow.condition.flatMap { spans[outcome.ruleset.unparenthesized($0.root)] }
    }
  }

  private static func roots(_ ruleset: Ruleset) -> [ExprID] {
    ruleset.allows.compactMap { $0.condition?.root }
      + ruleset.functions.flatMap { $0.bodies.map(\.root) }
  }

  /// True if the value may differ: the last digits of a distance (Docs/Language.md §8), the order of the
  /// fields that a write names (§9).
  private static func isOpen(_ node: Expression) -> Bool {
    switch node.kind {
    case .method(_, let name, _): name.text == "distance"
    case .member(_, let name): name.text == "writeFields"
    default: false
    }
  }

  /// Returns the answer to a request at a time.
  func answer(_ question: Trial.Question, at time: Timestamp) -> Answer {
    guard let checked else { return Answer(verdict: .rejected) }
    let engine = Engine(checked)
    guard let decision = decide(question, at: time, by: engine, tracing: true) else {
      return Answer(verdict: .refused)
    }
    var answer = Answer(verdict: decision.isAllowed ? .allow : .deny)
    answer.isByChance = decision.isByChance
    answer.messages = messages(for: question, at: time, by: engine)
    answer.isOrdered =
      question.operation.beginnings.count == 1 && !question.operation.namesDocuments
    for operation in question.operation.beforeReading {
      let request = Request(
        principal: question.principal, time: time, operation: operation)
      for allow in engine.candidates(request, on: question.documents) {
        answer.candidates.insert(engine.line(of: allow))
      }
    }
    for tried in decision.tried {
      answer.lines.insert(engine.line(of: tried.allow))
      for event in tried.trace?.events ?? [] { add(event, to: &answer) }
    }
    return answer
  }

  private func decide(
    _ question: Trial.Question, at time: Timestamp, by engine: Engine, tracing: Bool
  ) -> Decision? {
    let request = Request(
      principal: question.principal, time: time, operation: question.operation)
    return try? engine.decide(request, on: question.documents, tracing: tracing)
  }

  private func add(_ event: Trace.Event, to answer: inout Answer) {
    guard let span = spans[event.expression] else { return }
    let outcome: Coverage.Outcome
    switch event.outcome {
    case .value(let value): outcome = .value(ValueNotation.text(value))
    case .error(let error):
      outcome =
        error.reason.message.map { .error($0, at: places.character(of: error.site.start)) }
        ?? .unknown
    }
    if answer.outcomes[span]?.contains(outcome) != true {
      answer.outcomes[span, default: []].append(outcome)
    }
  }

  /// Returns the message of a denial; for a commit or batch that may begin with any of its documents, one for
  /// each document that can be refused first.
  private func messages(
    for question: Trial.Question, at time: Timestamp, by engine: Engine
  ) -> [String] {
    var messages: [String] = []
    for operation in question.operation.beginnings {
      var other = question
      other.operation = operation
      guard let decision = decide(other, at: time, by: engine, tracing: false),
        let message = decision.denial(in: engine.rules.ruleset), !messages.contains(message)
      else { continue }
      messages.append(message)
    }
    return messages
  }
}

extension Request.Operation {
  /// True for a query with an alternative that names a document: if that is granted without the document, the
  /// emulator does not evaluate it again.
  fileprivate var namesDocuments: Bool {
    guard case .list(let query) = self, let filter = query.filter else { return false }
    return filter.mentionsName
  }

  /// The operation, and variants of its writes before it is known whether the document exists: a set may be a
  /// create or an update.
  fileprivate var beforeReading: [Request.Operation] {
    guard case .commit(let writes) = self else { return [self] }
    return [self]
      + writes.filter { $0.precondition == .none }.flatMap { write in
        [Write.Precondition.exists, .missing].map { precondition in
          var copy = write
          copy.precondition = precondition
          return .commit([copy])
        }
      }
  }

  /// The operation with each of its documents in turn as the first one.
  fileprivate var beginnings: [Request.Operation] {
    switch self {
    case .list: return [self]
    case .get(let paths):
      return paths.map { first in .get([first] + paths.filter { $0 != first }) }
    case .commit(let writes):
      var seen: Set<DocumentPath> = []
      let paths = writes.map(\.path).filter { seen.insert($0).inserted }
      return paths.map { first in
        .commit(writes.filter { $0.path == first } + writes.filter { $0.path != first })
      }
    }
  }
}

extension Query.Filter {
  /// True if a condition is on `__name__`.
  fileprivate var mentionsName: Bool {
    switch self {
    case .field(let field, _, _): field.names == ["__name__"]
    case .and(let parts), .or(let parts): parts.contains { $0.mentionsName }
    }
  }
}
