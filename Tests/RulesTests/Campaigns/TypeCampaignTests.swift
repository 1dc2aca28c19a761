import Foundation
import RulesEval
import RulesLang
import RulesStyle
import Testing

@testable import RulesTesting
@testable import rules_check_dev

/// What `check` takes for the types of expressions, beside the values that they have.
@Suite struct TypeCampaignTests {
  private static let seed = Wanted.seed("TYPE_SEED")
  private static let cases = Wanted.number("TYPE_CASES", usually: 6, sample: 1)

  /// Expressions at random: none has a value of another type than the compiler says, and one of which it says
  /// that it is always an error has none at all.
  @Test func noExpressionHasAValueOfAnotherType() throws {
    var (narrowed, failing) = (0, 0)
    for number in 0..<Self.cases {
      let trials = ExpressionCampaign.trials(seed: Self.seed, number)
      // All of them are about the same rules.
      let checked = try #require(trials.first.flatMap { OurSide($0.rules).checked })
      for trial in trials {
        guard let question = trial.question else { continue }
        let request = Request(
          principal: question.principal, time: .epoch,
          operation: question.operation)
        let decision = try? Engine(checked).decide(
          request, on: question.documents, tracing: true)
        for tried in decision?.tried ?? [] {
          for event in tried.trace?.events ?? [] {
            let types = checked.types[event.expression.index]
            if types.isEmpty { failing += 1 }
            guard case .value(let value) = event.outcome else { continue }
            if types != .any { narrowed += 1 }
            let text = checked.ruleset.source.string(checked.ruleset[event.expression].range)
            #expect(types.contains(value.type), "\(text) is \(value.type.word) (seed \(Self.seed))")
          }
        }
      }
    }
    #expect(narrowed > Self.cases * 20)
    #expect(failing > 0)
  }

  /// Conditions on one field, two at a time.
  private static let conditions = [
    "X is string", "X is number", "X is map", "!(X is list)", "!(X is string)", "X > 1",
    "X.size() > 0", "X == 'abc'", "X == 1.0", "X == null", "X != 1", "X.k == 1", "'k' in X",
    "X[0] == 1", "X[0:1] == 'a'", "X in ['abc', 1]", "X", "!X", "X.keys().size() > 0",
    "!(X > 1 || X is string)", "(X is string || X > 1)", "-X < 1", "X + 1 > 0", "X + 'a' != ''",
    "X.hasAny([1])", "X.matches('a.*')", "X < request.time", "(X is int ? X > 0 : true)",
    "1 in X", "(exists(X) || true)", "get(X) == null", "!(X == 1 && X is int)", "X is bool",
  ]
  private static let values = [
    "1", "0", "2.5", "true", "false", "null", "\"abc\"", "\"\"", "[1, 2]", "[]", "{\"k\": 1}", "{}",
    "{\"$timestamp\": \"2020-02-29T12:34:56Z\"}", "{\"$bytes\": \"AP9hYmM=\"}",
    "{\"$ref\": \"/t/a\"}",
    "{\"$latlng\": [10.5, -20.25]}", "{\"$vector\": [1.5, -2.0]}", "{\"$float\": \"NaN\"}",
  ]

  /// Rules with a block for each condition.
  private static func rules(_ conditions: [String]) throws -> Checked {
    let blocks = conditions.enumerated().map { number, condition in
      let whole = condition.replacingOccurrences(of: "X", with: "request.resource.data.v")
      return "match /e\(number)/{id} { allow create: if \(whole); }"
    }
    let text =
      "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
      + blocks.joined(separator: "\n") + "\n}}\n"
    let outcome = Checker.check(SourceText(name: "r", text))
    return try #require(outcome.checked, "\(outcome.diagnostics.map(\.message))")
  }

  /// Both conditions of a pair are true of a value if each of them is.
  @Test func noValueFitsWhatIsSaidToContradictItself() throws {
    let engine = Engine(try Self.rules(Self.conditions))
    let fitting = try Self.conditions.indices.map { number in
      Set(try Self.values.filter { try Self.allows("/e\(number)/a", $0, engine) })
    }
    let pairs = Self.conditions.indices.flatMap { one in Self.conditions.indices.map { (one, $0) } }
    let checked = try Self.rules(
      pairs.map { "\(Self.conditions[$0.0]) && \(Self.conditions[$0.1])" })
    var levels: [Code: LintLevel] = [:]
    for lint in Lints.all where lint.code.name != "contradictory-types" { levels[lint.code] = .off }
    let told = Set(
      Linter(levels: levels).run(checked).filter { $0.origin == .lint }.compactMap { finding in
        finding.range.map { checked.ruleset.source.line(of: $0.start) - 3 }
      })
    var missed = 0
    for (number, pair) in pairs.enumerated() {
      let both = fitting[pair.0].intersection(fitting[pair.1])
      let text = "\(Self.conditions[pair.0]) && \(Self.conditions[pair.1])"
      if told.contains(number) {
        #expect(both.isEmpty, "\(text) is true of \(both.sorted())")
      } else if both.isEmpty {
        missed += 1
      }
    }
    print("contradictions: \(told.count) told, \(missed) of \(pairs.count) pairs hold of no value")
    #expect(told.count > 300)
  }

  private static func allows(_ path: String, _ value: String, _ engine: Engine) throws -> Bool {
    let suite = """
      {"tests": [{"as": null, "create": "\(path)", "data": {"v": \(value)}, "expect": "allow"}]}
      """
    let (read, _) = SuiteReader.read(SourceText(name: "suite", suite))
    let tests = try #require(read)
    let result = engine.run(
      tests.tests[0], documents: tests.documents, now: .epoch,
      tracing: false)
    return result.decision?.isAllowed ?? false
  }
}
