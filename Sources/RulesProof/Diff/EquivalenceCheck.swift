import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// The check of a comparison. Before "equivalent" is said of a method, the proof checker encodes both versions
// of the rules over one request of each kind, and must confirm that no request is granted by one of them and
// denied by the other.

extension RulesComparison {
  /// Returns the methods of a row of which the proof checker does not confirm that requests are decided
  /// alike, with the reason.
  func objections(to methods: [Method], in row: DiffRow) -> [Method: ProofCheck.Reason] {
    var claim = Claim(name: row.text, path: row.pattern, methods: [], obligation: .never)
    for method in methods { claim.methods.formUnion(MethodSet(method)) }
    let part = budget.question(steps: steps / Strategy.checkShare)
    defer { part.settle() }
    var objections: [Method: ProofCheck.Reason] = [:]
    if let spent = part.exhaustion {
      for method in methods { objections[method] = .spent(spent) }
      return objections
    }
    do throws(Unconfirmed) {
      let confirmed = try ProofChecker.confirmAlike(
        claim, from: old.rules, to: new.rules, profile: new.profile
      ) { shared, _ in
        part.charge(shared.question.extent)
        var refutation = CellRefutation(shared.question)
        for direction in VersionQuestion.Direction.allCases {
          _ = refutation.refute(shared.difference(direction), within: part)
        }
        return refutation.lines(within: part)
      }
      part.charge(confirmed.effort)
      for method in methods where !confirmed.contains(method) {
        objections[method] = confirmed.reasons[method]?.reason(within: part) ?? .notAsked
      }
    } catch {
      for method in methods { objections[method] = error.reason(within: part) }
    }
    return objections
  }
}

extension PathShape {
  /// The shape as the path of a claim, without the documents of other shapes.
  func path(except others: [PathShape]) -> ClaimPath {
    var path = ClaimPath(claimSteps)
    path.exceptions = others.map { $0.claimSteps }
    return path
  }

  private var claimSteps: [ClaimPath.Step] {
    steps.enumerated().map { place, step in
      switch step {
      case .literal(let text): .literal(text)
      case .any: .capture(Text("s\(place)"))
      case .run: .glob(Text("s\(place)"))
      }
    }
  }
}
