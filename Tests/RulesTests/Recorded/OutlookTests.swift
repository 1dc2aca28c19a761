import Testing

@testable import RulesEval
@testable import RulesLang
@testable import RulesStyle
@testable import RulesTesting

/// What lint takes to be possible, against what really happens: each statement that is tried for a
/// recorded request must come to something that its outlook for that kind of request has foreseen.
@Suite struct OutlookTests {
  @Test func whateverAStatementComesToWasForeseen() throws {
    var count = 0
    var surprises: [String] = []
    for json in Wanted.sample(of: try ConformanceData.lines("rulesets.jsonl")) {
      let rules = json["rules"]?.string ?? ""
      let source = SourceText(name: "conformance.rules", rules)
      guard let checked = Checker.check(source).checked else { continue }
      let documents = try ConformanceRequest.documents(json["documents"] ?? JSON(.null))
      let request = try ConformanceRequest.request(
        json["request"] ?? JSON(.null), isEncoded: json["topic"]?.string == "matching/encoding")
      guard request.principal.map({ !Self.isNull($0.uid) }) ?? true,
        let decision = try? Engine(checked).decide(request, on: documents)
      else { continue }
      for access in decision.accesses where Self.isOrdinary(access.access) {
        for tried in access.tried {
          count += 1
          let kind = AbstractRequest(
            method: access.access.method,
            client: request.principal == nil ? .signedOut : .signedIn)
          var outlook = Outlook(on: checked, in: kind)
          let outcomes = outlook.outcomes(of: tried.allow)
          if !Self.foresees(outcomes, tried.result) {
            surprises.append("\(tried.result) with \(outcomes) in \(kind)\n\(rules)")
          }
        }
      }
    }
    #expect(count > Wanted.cases(150, of: 1500))
    let shown = surprises.prefix(8).joined(separator: "\n")
    #expect(surprises.isEmpty, "\(surprises.count) of \(count):\n\(shown)")
  }

  /// Whether the stored document is there as the method says: a write whose precondition does not
  /// hold fails after the rules, so lint need not foresee it.
  private static func isOrdinary(_ access: Access) -> Bool {
    guard case .success(let resource) = access.resource else { return true }
    switch access.method {
    case .create: return isNull(resource)
    case .update: return !isNull(resource)
    case .get, .list, .delete: return true
    }
  }

  private static func foresees(
    _ outcomes: Prospect.Outcomes, _ result: Tried.Result
  ) -> Bool {
    switch result {
    case .granted: outcomes.contains(.truth)
    case .refused: outcomes.contains(.falsity)
    // What is no bool fails too.
    case .failed(let error): isBudget(error.reason) || outcomes.isNotBool
    }
  }

  private static func isNull(_ value: Value) -> Bool {
    if case .null = value { true } else { false }
  }

  private static func isBudget(_ reason: EvaluationError.Reason) -> Bool {
    if case .budget = reason { true } else { false }
  }

  @Test func theLintsSurviveEveryRecordedRuleset() throws {
    var count = 0
    for json in Wanted.sample(of: try ConformanceData.lines("rulesets.jsonl")) {
      let source = SourceText(name: "conformance.rules", json["rules"]?.string ?? "")
      guard let checked = Checker.check(source).checked else { continue }
      count += 1
      for finding in Linter().run(checked) {
        let end = Int(finding.range?.end ?? 0)
        #expect(end <= source.bytes.count)
      }
    }
    #expect(count > Wanted.cases(100, of: 1000))
  }
}
