import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Explanations of every measured rule set: none is empty where something can be said, and what
/// they name would indeed change the outcome.
@Suite struct ExplanationConformanceTests {
  private struct Count {
    var statements = 0
    var withoutBlock = 0
    var complaints: [String] = []
  }

  @Test func whatIsInTheWayWouldMakeTheStatementGrant() throws {
    var count = Count()
    for json in Wanted.sample(of: try ConformanceData.lines("rulesets.jsonl")) {
      let name = json["id"]?.string ?? ""
      let source = SourceText(name: name, json["rules"]?.string ?? "")
      guard let rules = Checker.check(source).checked else { continue }
      let request = try ConformanceRequest.request(
        json["request"] ?? JSON(.null), isEncoded: json["topic"]?.string == "matching/encoding")
      let decision = try Engine(rules).decide(
        request, on: try ConformanceRequest.documents(json["documents"] ?? JSON(.null)),
        tracing: true)
      guard !decision.isAllowed, let refused = decision.accesses.last else { continue }
      examine(refused, rules, name, &count)
    }
    #expect(
      count.statements > Wanted.cases(90, of: 900), "\(count.statements) statements were examined")
    #expect(
      count.withoutBlock > Wanted.cases(10, of: 100),
      "\(count.withoutBlock) requests had no statement")
    #expect(count.complaints.isEmpty, "\(count.complaints.prefix(20).joined(separator: "\n"))")
  }

  private func examine(
    _ refused: AccessDecision, _ rules: Checked, _ name: String, _ count: inout Count
  ) {
    if refused.tried.isEmpty {
      count.withoutBlock += 1
      let hasStatements = rules.ruleset.matches.contains { match in
        !match.allows.isEmpty
          && rules.ruleset.services[match.service].name.text == Ruleset.firestoreService
      }
      if (NearestMatch.find(for: refused.access, in: rules) != nil) != hasStatements {
        count.complaints.append("\(name): no nearest block")
      }
    }
    for tried in refused.tried {
      guard let trace = tried.trace, let condition = rules.ruleset[tried.allow].condition
      else { continue }
      count.statements += 1
      let obstacles = refused.obstacles(of: tried, in: rules)
      if obstacles.isEmpty { count.complaints.append("\(name): nothing is in the way") }
      let what = WhatIf(rules: rules, trace: TraceIndex(trace), obstacles: obstacles)
      if !what.isTrue(TraceIndex.Place(expression: condition.root, activation: 0)) {
        let sentences = obstacles.map { $0.sentence(in: rules.ruleset) }
        count.complaints.append("\(name): \(sentences) would not do")
      }
    }
  }
}

/// A condition in which the obstacles have come out as they would have to, and all else as it did.
private struct WhatIf {
  let rules: Checked
  let trace: TraceIndex
  let obstacles: [Obstacle]

  typealias Place = TraceIndex.Place

  func isTrue(_ place: Place) -> Bool { value(place) == true }

  /// The value as a bool; nil for an error and for what is no bool.
  private func value(_ outer: Place) -> Bool? {
    let id = rules.ruleset.unparenthesized(outer.expression)
    let place = Place(expression: id, activation: outer.activation)
    if let forced = obstacles.first(where: { $0.expression == id }) { return forced.wanted }
    func at(_ id: ExprID) -> Bool? { value(Place(expression: id, activation: place.activation)) }
    switch rules.ruleset[id].kind {
    case .literal(.bool(let flag)): return flag
    case .not(let operand): return at(operand).map { !$0 }
    case .binary(.and, let left, let right):
      let (one, other) = (at(left), at(right))
      return one == false || other == false ? false : one == nil ? nil : other
    case .binary(.or, let left, let right):
      let (one, other) = (at(left), at(right))
      return one == true || other == true ? true : one == nil ? nil : other
    case .conditional(let condition, let whenTrue, let whenFalse):
      return at(condition).flatMap { $0 ? at(whenTrue) : at(whenFalse) }
    case .call:
      guard let inner = trace.activation(of: place),
        case .function(let function) = rules.binding(id)
      else { return leaf(place) }
      return value(
        Place(expression: rules.ruleset[function].result.root, activation: inner))
    case .variable: return variable(place)
    default: return leaf(place)
    }
  }

  private func variable(_ place: Place) -> Bool? {
    guard case .local(let slot) = rules.binding(place.expression),
      let call = trace.caller(of: place.activation),
      case .function(let id) = rules.binding(call.expression),
      case .call(_, let arguments) = rules.ruleset[call.expression].kind
    else { return leaf(place) }
    if Int(slot) < arguments.count {
      return value(Place(expression: arguments[Int(slot)], activation: call.activation))
    }
    let root = rules.ruleset[id].lets[Int(slot) - arguments.count].value.root
    return value(Place(expression: root, activation: place.activation))
  }

  private func leaf(_ place: Place) -> Bool? {
    // An error is told of the part that it arose in.
    let range = rules.ruleset[place.expression].range
    let inside = obstacles.first { obstacle in
      let inner = rules.ruleset[obstacle.expression].range
      return range.start <= inner.start && inner.end <= range.end
    }
    if let inside { return inside.wanted }
    guard case .value(.bool(let flag)) = trace.outcome(place) else { return nil }
    return flag
  }
}
