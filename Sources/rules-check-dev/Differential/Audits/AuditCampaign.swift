import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver

/// Compares audits with the evaluator: clients and conditions as the JSON report prints them are evaluated on
/// random requests.
///
/// Every request has exactly one client. It is denied where the answer is "never", allowed where it is
/// "always", and where it is "only if" allowed exactly if one of the printed conditions is true. A query that
/// is allowed promises that one is, since its filters decide, and is in a row. If a client whom no stored
/// document mentions may get, update or delete a document, there must be a finding.
struct AuditCampaign {
  /// Number of answers that were compared with a request.
  private(set) var compared = 0
  /// Number of audited files.
  private(set) var files = 0
  /// The wrong answers, each as text that reproduces it.
  private(set) var failures: [String] = []

  private let seed: UInt64
  /// Requests for each file.
  private static let requests = 300

  /// Prepares a campaign; its questions depend on the seed alone.
  init(seed: UInt64) { self.seed = seed }

  /// True if answers were compared and none was wrong.
  var isGood: Bool { failures.isEmpty && compared > 0 }

  /// The figures in one line.
  var summary: String {
    "audits: \(files) files, \(compared) answers compared, \(failures.count) wrong\n"
  }

  /// Audits generated files.
  mutating func run(_ numbers: Range<Int>) {
    for number in numbers {
      var dice = Dice(seed: seed, 11, UInt64(number))
      let world = AuditWorld(&dice, withLists: true)
      guard let rules = world.rules else { continue }
      let matrix = Auditor(rules, examples: .ofFindings, checks: false) {
        Budget(steps: Budget.questionSteps)
      }
      .matrix()
      let report = AuditReport(
        rulesPath: "drawn.rules", rules: rules.ruleset, hash: "", date: "", profile: .emulator,
        matrix: matrix)
      guard let printed = PrintedAudit(report.json, about: rules) else {
        failures.append("\(number): a condition of the report does not compile\n\(world.text)")
        continue
      }
      files += 1
      let told = world.engine(of: rules, keeping: matrix.opened.union(matrix.unknown))
      for _ in 0..<Self.requests {
        let access = world.access(&dice)
        guard
          let problem = printed.problem(with: access, comparing: &compared)
            ?? printed.silence(about: access, told: told)
        else { continue }
        failures.append("\(number): \(problem)\n\(world.text)")
        break
      }
    }
  }
}

extension AuditWorld {
  /// Returns the evaluator of its rules with some of the statements, each of which has a line of its own.
  fileprivate func engine(of rules: Checked, keeping kept: Set<AllowID>) -> Engine? {
    let ruleset = rules.ruleset
    let others = ruleset.allows.indices.map { AllowID($0) }.filter { !kept.contains($0) }
    let dropped = Set(others.map { ruleset.source.line(of: ruleset[$0].keyword.start) })
    // An empty block does not compile.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { dropped.contains($0.offset + 1) ? "allow get: if false;" : $0.element }
    return Checker.check(SourceText(name: "drawn", lines.joined(separator: "\n"))).checked.map {
      Engine($0)
    }
  }
}

/// The cells of a report for the only path of its rules, with the printed conditions compiled.
private struct PrintedAudit {
  private struct Answer {
    var client: Text
    var method: Text
    var operation: Text
    var field: Text?
    var answer: Text
    var conditions: [Condition]
  }

  /// A printed condition of one statement.
  private struct Condition {
    var function: FunctionID
    /// The queries that it is limited to.
    var queries: Text?
  }

  private let engine: Engine
  private let reported: Engine
  private var clients: [(name: Text, condition: FunctionID)] = []
  private var answers: [Answer] = []
  /// The fields with rows of their own.
  private var fields: Set<Text> = []

  /// Reads a report; nil if it has a condition that does not compile.
  init?(_ report: JSONText, about rules: Checked) {
    guard let json = try? JSONParser.parse(SourceText(name: "report", report.compact)),
      let path = json["paths"]?.elements.first
    else { return nil }
    engine = Engine(rules)
    let block = rules.ruleset.matches.firstIndex { !$0.allows.isEmpty } ?? 0
    var texts: [Text] = []
    func add(_ condition: Text) -> FunctionID {
      texts.append(condition)
      return FunctionID(rules.ruleset.functions.count + texts.count - 1)
    }
    for client in path["clients"]?.elements ?? [] {
      guard let name = client["client"]?.text, let condition = client["condition"]?.text else {
        return nil
      }
      clients.append((name, add(condition)))
    }
    for answer in path["answers"]?.elements ?? [] {
      guard let client = answer["client"]?.text, let method = answer["method"]?.text,
        let operation = answer["operation"]?.text, let word = answer["answer"]?.text
      else { return nil }
      var conditions: [Condition] = []
      for each in answer["onlyIf"]?.elements ?? [] {
        guard let condition = each["condition"]?.text else { return nil }
        conditions.append(Condition(function: add(condition), queries: each["queries"]?.text))
      }
      let field = answer["field"]?.text
      if let field { fields.insert(field) }
      answers.append(
        Answer(
          client: client, method: method, operation: operation, field: field, answer: word,
          conditions: conditions))
    }
    let outcome = Checker.extend(
      rules,
      with: texts.map {
        AddedCondition(
          name: "printed", parameters: [], owner: .match(MatchID(block)), text: $0)
      })
    guard let checked = outcome.checked else { return nil }
    reported = Engine(checked)
  }

  /// Returns the report's mistake about a request; nil if there is none.
  func problem(with access: AuditWorld.Access, comparing count: inout Int) -> String? {
    let own = clients.filter { isTrue($0.condition, of: access) }
    guard own.count == 1, let client = own.first else {
      return "\(words(for: access)) is made by \(own.count) clients: \(own.map { $0.name })"
    }
    let decision = try? engine.decide(access.request, on: access.documents)
    guard let isAllowed = decision?.isAllowed else { return nil }
    if access.query != nil { return problem(with: access, client.name, isAllowed, &count) }
    for answer in answers where answer.client == client.name && isMeant(answer, by: access) {
      let expected: Bool? =
        switch answer.answer {
        case "never": false
        case "always": true
        case "onlyIf": answer.conditions.contains { isTrue($0.function, of: access) }
        default: nil
        }
      guard let expected else { continue }
      count += 1
      if expected != isAllowed {
        return
          "\(words(for: access)), \(String(client.name)), is \(isAllowed ? "allowed" : "denied"), and "
          + "\(String(answer.operation)) is \(String(answer.answer))"
      }
    }
    return nil
  }

  /// Returns the report's mistake about a query that returns the document; nil if there is none.
  private func problem(
    with access: AuditWorld.Access, _ client: Text, _ isAllowed: Bool, _ count: inout Int
  ) -> String? {
    let own = answers.filter { $0.client == client && isMeant($0, by: access) }
    if own.isEmpty, isAllowed { return "\(words(for: access)) is allowed, and in no row" }
    for answer in own {
      let isWrong: Bool
      switch answer.answer {
      case "never": isWrong = isAllowed
      // Each alternative of a query is decided by itself.
      case "always": isWrong = !isAllowed && access.query?.hasAlternative == false
      case "onlyIf":
        isWrong =
          isAllowed
          && !answer.conditions.contains { condition in
            Self.covers(condition.queries, access) && isTrue(condition.function, of: access)
          }
      default: continue
      }
      count += 1
      if isWrong {
        return
          "\(words(for: access)), \(String(client)), is \(isAllowed ? "allowed" : "denied"), and "
          + "\(String(answer.operation)) is \(String(answer.answer))"
      }
    }
    return nil
  }

  /// True if a limit of a condition to some queries includes a query.
  private static func covers(_ limit: Text?, _ access: AuditWorld.Access) -> Bool {
    guard let limit, let drawn = access.query else { return true }
    let isBelow = drawn.query.isCollectionGroup && !drawn.query.parent.segments.isEmpty
    switch limit {
    case "that name the document": return drawn.isNamed
    case "below a document": return isBelow
    default: return drawn.isNamed || isBelow
    }
  }

  /// Returns a failure if a request of an outsider is allowed without a finding; nil otherwise.
  ///
  /// A document that does not exist yet has no owner. `told` decides by the statements of which findings say
  /// that outsiders satisfy them, or that this is not known: one of these may grant a request that another
  /// statement is tried for first. All other statements are proved to grant outsiders nothing.
  func silence(about access: AuditWorld.Access, told: Engine?) -> String? {
    if access.query != nil || access.method == .create
      || access.method == .update && access.changedOutside.isEmpty
    {
      return nil
    }
    func isAllowed(_ engine: Engine) -> Bool {
      (try? engine.decide(access.outside, on: access.documents))?.isAllowed == true
    }
    guard isAllowed(engine), told.map(isAllowed) != true else { return nil }
    // A statement that grants everything has its own finding.
    var own = access
    (own.request, own.changed) = (access.outside, access.changedOutside)
    let client = clients.first { isTrue($0.condition, of: own) }
    if answers.contains(where: {
      $0.client == client?.name && $0.answer == "always" && isMeant($0, by: own)
    }) {
      return nil
    }
    let test = SuiteWriter.test(
      name: "drawn", access.outside, on: access.documents, expect: .allow)
    return "\(JSONText(test).compact) is allowed, and no finding says so"
  }

  private func isMeant(_ answer: Answer, by access: AuditWorld.Access) -> Bool {
    guard answer.method == Text(access.method.word) else { return false }
    if let drawn = access.query {
      return answer.operation == "list"
        ? !drawn.query.isCollectionGroup || drawn.isNamed : drawn.query.isCollectionGroup
    }
    if access.method != .update { return true }
    if let field = answer.field { return access.changed.contains(field) }
    return access.changed.contains { !fields.contains($0) }
  }

  private func isTrue(_ function: FunctionID, of access: AuditWorld.Access) -> Bool {
    let outcome = try? reported.outcome(
      of: function, arguments: [], for: access.document, in: access.request, on: access.documents)
    if case .value(.bool(true)) = outcome { return true }
    return false
  }

  private func words(for access: AuditWorld.Access) -> String {
    JSONText(
      SuiteWriter.test(
        name: "drawn", access.request, on: access.documents, expect: .allow)
    ).compact
  }
}

extension JSON {
  fileprivate subscript(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var elements: [JSON] {
    if case .array(let elements) = kind { return elements }
    return []
  }

  fileprivate var text: Text? {
    if case .string(let text) = kind { return text }
    return nil
  }
}
