import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesTesting

/// The access matrix against the evaluator: what it says of all requests holds of random ones.
@Suite struct AuditTests {
  /// Random requests for each path and method.
  private static let attempts = Wanted.cases(40, of: 400)

  @Test(arguments: AuditedRules.all)
  func noRandomRequestContradictsAnAnswer(_ audited: AuditedRules) throws {
    let engine = Engine(audited.rules)
    let conditions = try ResidueConditions(audited)
    var random = SplitMix(seed: 20_261_121)
    var checked = 0
    for path in audited.matrix.paths {
      for method in Method.allCases {
        for _ in 0..<Self.attempts {
          let access = RandomAccess(path, method, using: &random)
          // It is asked about where its path is narrowest.
          if path.path.exceptions.contains(where: { access.matches($0) }) { continue }
          if let query = access.query, let data = access.before,
            !query.returns(access.document, with: data, in: .standard)
          {
            continue
          }
          let isAllowed = try engine.decide(access.request, on: access.documents).isAllowed
          for row in path.rows where access.isMeant(by: row.operation) {
            guard let client = access.client(among: path.columns, on: path.path),
              let column = path.clients.firstIndex(of: client)
            else { continue }
            let cell = row.cells[column]
            let about = "\(path.columns.labels[column]), \(row.operation.label): \(access.summary)"
            switch cell.answer {
            case .never: #expect(!isAllowed, "\(about)")
            case .always: #expect(isAllowed, "\(about)")
            case .onlyIf where method != .list:
              let isGranted = cell.alternatives.contains { conditions.hold($0, for: access) }
              #expect(isAllowed == isGranted, "\(about)")
            case .onlyIf, .undecided: continue
            }
            checked += 1
          }
        }
      }
    }
    #expect(checked > Self.attempts * audited.matrix.paths.count)
  }

  @Test(arguments: AuditedRules.all)
  func everyWitnessIsDecidedAsTheMatrixSaysAndIsMadeByItsClient(_ audited: AuditedRules) throws {
    let engine = Engine(audited.rules)
    var witnesses = 0
    for path in audited.matrix.paths {
      for row in path.rows {
        for (client, cell) in zip(path.clients, row.cells) {
          #expect((cell.allowed == nil) == (cell.answer == .never || !cell.openReasons.isEmpty))
          #expect((cell.denied != nil) == (cell.answer == .onlyIf))
          for (witness, isAllowed) in [(cell.allowed, true), (cell.denied, false)] {
            guard let witness else { continue }
            let decision = try engine.decide(witness.request, on: witness.documents)
            #expect(decision.isAllowed == isAllowed)
            let access = RandomAccess(witness)
            #expect(access.client(among: path.columns, on: path.path) == client)
            #expect(access.isMeant(by: row.operation))
            #expect(!path.path.exceptions.contains { access.matches($0) })
            witnesses += 1
          }
        }
      }
    }
    #expect(witnesses > 0)
  }

  @Test(arguments: AuditedRules.all)
  func nothingIsUndecided(_ audited: AuditedRules) {
    #expect(audited.matrix.count(.undecided) == 0)
    #expect(audited.matrix.count(.always) + audited.matrix.count(.onlyIf) > 0)
  }
}

/// The conditions of a matrix, compiled where their statements stand.
private struct ResidueConditions {
  private let engine: Engine
  private var functions: [AccessMatrix.Alternative: FunctionID] = [:]

  init(_ audited: AuditedRules) throws {
    var alternatives: [AccessMatrix.Alternative] = []
    for each in audited.matrix.cells.flatMap({ $0.alternatives }) where !alternatives.contains(each)
    {
      alternatives.append(each)
    }
    let outcome = Checker.extend(
      audited.rules,
      with: alternatives.map {
        AddedCondition(
          name: "residue", parameters: [],
          owner: .match(audited.rules.ruleset[$0.allow].match), text: Text($0.residual.text))
      })
    engine = Engine(try #require(outcome.checked))
    for (alternative, function) in zip(alternatives, outcome.functions) {
      functions[alternative] = function
    }
  }

  func hold(_ alternative: AccessMatrix.Alternative, for access: RandomAccess) -> Bool {
    if let place = alternative.place, let pattern = ClaimPath(Text(place)),
      !access.matches(pattern.steps)
    {
      return false
    }
    guard let function = functions[alternative] else { return false }
    let outcome = try? engine.outcome(
      of: function, arguments: [], for: access.document, in: access.request, on: access.documents)
    if case .value(.bool(true)) = outcome { return true }
    return false
  }

}

extension RandomAccess {
  /// Whether the document is one of a pattern.
  fileprivate func matches(_ pattern: [ClaimPath.Step]) -> Bool {
    Self.matches(pattern[...], document.segments[...])
  }

  private static func matches(_ steps: ArraySlice<ClaimPath.Step>, _ path: ArraySlice<Text>) -> Bool
  {
    guard let step = steps.first else { return path.isEmpty }
    switch step {
    case .literal(let text):
      return path.first == text && matches(steps.dropFirst(), path.dropFirst())
    case .capture: return !path.isEmpty && matches(steps.dropFirst(), path.dropFirst())
    case .glob:
      return matches(steps.dropFirst(), path)
        || !path.isEmpty && matches(steps, path.dropFirst())
    }
  }

  /// The request for a message.
  fileprivate var summary: String {
    let parts = [before, after].map { $0.map { ValueText.short(.map($0)) } ?? "nothing" }
    let who = principal.map { ValueText.short($0.value) } ?? "nobody"
    return "\(method.word) \(document.text) by \(who), \(parts[0]) -> \(parts[1])"
  }

  /// The access that a witness is about.
  fileprivate init(_ witness: Counterexample) {
    document = witness.document
    principal = witness.request.principal
    method = witness.method
    before = witness.documents[witness.document]
    others = witness.documents.all.map { ($0.path, $0.data) }.filter { $0.0 != witness.document }
    switch witness.request.operation {
    case .list(let query): self.query = query
    case .commit(let writes):
      if case .set(let data, _) = writes.first(where: { $0.path == witness.document })?.change {
        after = data
      }
    default: break
    }
  }
}
