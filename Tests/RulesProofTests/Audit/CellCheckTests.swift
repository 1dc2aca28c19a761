import RulesEval
import RulesLang
import RulesSolver
import RulesVerify
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Checks of the answers of an audit by the proof checker.
@Suite struct CellCheckTests {
  private static let blocks = """
    match /users/{uid} {
      allow read: if request.auth != null;
      allow update: if request.auth.uid == uid && request.resource.data.age >= 18;
      allow delete: if resource.data.n is int && resource.data.n > 3 && resource.data.n < 3;
      match /notes/{note} { allow get: if request.auth.uid == uid; }
    }
    match /{rest=**} { allow get: if request.auth.token.admin == true; }
    """

  /// The claims that a cell could be: that its requests are never granted, and that they always are.
  private struct Table {
    var conditions: [Text]
    /// The claims with the answers of their cells.
    var claims: [(claim: CellClaim, answer: AccessMatrix.Answer)] = []

    init(_ path: AccessMatrix.Path) {
      conditions = path.clients.map { Text(path.columns.condition(of: $0)) }
      for row in path.rows {
        let limit = row.operation.condition.map { Text($0) }
        if let limit { conditions.append(limit) }
        for (column, cell) in row.cells.enumerated() {
          for obligation in [CellClaim.Obligation.never, .always] {
            let claim = CellClaim(
              method: row.operation.method, isOfGroup: row.operation == .listGroup,
              conditions: [column] + (limit == nil ? [] : [conditions.count - 1]),
              obligation: obligation)
            claims.append((claim, cell.answer))
          }
        }
      }
    }

    /// Returns the claims that the checker confirms of rules, with refutations of the search.
    func confirmed(
      on path: ClaimPath, of rules: Checked,
      by prove: ((CellQuestion, RequestKind, [CellClaim]) -> [String])? = nil
    ) -> ConfirmedCells {
      var methods = MethodSet([])
      for (claim, _) in claims { methods.formUnion(MethodSet(claim.method)) }
      let claim = Claim(name: "", path: path, methods: methods, obligation: .never)
      return ProofChecker.confirm(
        claims.map { $0.claim }, of: claim, given: conditions, about: rules, profile: .emulator,
        by: prove ?? Self.refutations)
    }

    static func refutations(
      _ shared: CellQuestion, _ kind: RequestKind, _ cells: [CellClaim]
    ) -> [String] {
      let budget = Budget(steps: 20_000_000)
      var refutation = CellRefutation(shared.question)
      for cell in cells { _ = refutation.refute(shared.refutation(of: cell), within: budget) }
      return refutation.lines(within: budget)
    }
  }

  /// Every claim that a cell could be is put to the checker: none that the answer contradicts is confirmed.
  @Test(arguments: AuditedRules.all)
  func onlyTheAnswersAreConfirmed(_ audited: AuditedRules) {
    var confirmed = 0
    for path in audited.matrix.paths where !path.isOvershadowed {
      let table = Table(path)
      let found = table.confirmed(on: path.path, of: audited.rules)
      for (claim, answer) in table.claims where found.contains(claim) {
        confirmed += 1
        #expect(
          answer == (claim.obligation == .never ? .never : .always) || answer == .undecided,
          "\(path.path.text): \(claim)")
      }
      for case (_, .refused(_, let problem)) in found.reasons {
        Issue.record("a step is refused: \(problem.message)")
      }
    }
    #expect(confirmed > 0 || audited.matrix.cells.allSatisfy { !$0.answer.isProved })
  }

  @Test func everyProvedAnswerOfTheAppsIsChecked() throws {
    let matrix = try AuditedRules.matrix(Self.blocks)
    #expect(matrix.cells.contains { $0.answer == .never })
    #expect(matrix.cells.contains { $0.answer == .always })
    #expect(matrix.unchecked == 0)
    for cell in matrix.cells where !cell.answer.isProved { #expect(cell.unchecked == .notAsked) }
  }

  /// Answers are the same without the checker, and say that they are not checked.
  @Test func anAuditWithoutChecksSaysSo() throws {
    let rules = try Scripted.checked(Self.blocks)
    let (with, without) = (Auditor(rules).matrix(), Auditor(rules, checks: false).matrix())
    #expect(with.cells.map { $0.answer } == without.cells.map { $0.answer })
    #expect(without.unchecked == without.cells.count { $0.answer.isProved })
  }

  /// A narrower path is no part of the claim, and only that.
  @Test func documentsOfNarrowerPathsAreExcepted() throws {
    let rules = try Scripted.checked(Self.blocks)
    let matrix = Auditor(rules).matrix()
    let path = try #require(matrix.paths.first { $0.path.text == "/{rest=**}" })
    #expect(!path.path.exceptions.isEmpty)
    let table = Table(path)
    let own = table.confirmed(on: path.path, of: rules)
    let whole = table.confirmed(on: ClaimPath(path.path.steps), of: rules)
    let never = table.claims.filter {
      $0.claim.obligation == .never && $0.claim.method == .get && $0.answer == .never
    }
    #expect(never.contains { own.contains($0.claim) && !whole.contains($0.claim) })
  }

  // MARK: Forged proofs

  /// A step that does not follow is refused, and confirms nothing that needs steps.
  @Test func aForgedStepIsRefused() throws {
    let rules = try Scripted.checked(Self.blocks)
    let path = try #require(Auditor(rules).matrix().paths.first)
    let table = Table(path)
    let bare = table.confirmed(on: path.path, of: rules) { _, _, _ in [] }
    let whole = table.confirmed(on: path.path, of: rules)
    let needy = table.claims.map { $0.claim }.filter { whole.contains($0) && !bare.contains($0) }
    #expect(!needy.isEmpty)
    for forged in [["learn"], ["atom same 1 1"], ["rule bool 1"], ["nonsense"]] {
      let found = table.confirmed(on: path.path, of: rules) { _, _, _ in forged }
      for claim in needy {
        guard case .refused = found.reasons[claim] else {
          Issue.record("\(forged) is not refused for \(claim)")
          continue
        }
      }
      for (claim, _) in table.claims {
        #expect(found.contains(claim) == bare.contains(claim))
      }
    }
  }

  /// Without steps only what follows by unit propagation is confirmed, and steps about weaker rules confirm
  /// no more.
  @Test func stepsOfOtherRulesConfirmNothingWrong() throws {
    let rules = try Scripted.checked(Self.blocks)
    let weaker = try Scripted.checked(
      Self.blocks.replacing("if request.auth.uid == uid &&", with: "if"))
    let path = try #require(Auditor(rules).matrix().paths.first)
    let table = Table(path)
    var steps: [RequestKind: [String]] = [:]
    _ = table.confirmed(on: path.path, of: rules) { shared, kind, cells in
      steps[kind] = Table.refutations(shared, kind, cells)
      return steps[kind] ?? []
    }
    let found = table.confirmed(on: path.path, of: weaker) { _, kind, _ in steps[kind] ?? [] }
    let updates = table.claims.filter { $0.claim.method == .update && $0.answer == .never }
    #expect(!updates.isEmpty)
    for (claim, _) in updates where claim.conditions[0] > 0 { #expect(!found.contains(claim)) }
  }

  /// A claim about no request is not confirmed, and neither is one that was not asked.
  @Test func aCellWithoutRequestsIsNotConfirmed() throws {
    let rules = try Scripted.checked(Self.blocks)
    let path = try #require(ClaimPath("/users/{uid}" as Text))
    let claim = Claim(name: "", path: path, methods: MethodSet(.get), obligation: .never)
    let cells = [Method.get, .update].map {
      CellClaim(method: $0, isOfGroup: false, conditions: [0], obligation: .never)
    }
    let found = ProofChecker.confirm(
      cells, of: claim, given: ["request.auth == null"], about: rules, profile: .emulator,
      by: Table.refutations)
    #expect(found.contains(cells[0]))
    #expect(!found.contains(cells[1]))
    var other = cells[0]
    other.isOfGroup = true
    #expect(!found.contains(other))
  }

  /// The axioms that are added at the end count, too: that a document has at most 60 of the 3,200 fields that
  /// the rules name takes more than a million parts. No proof is asked for then, of cells or of two versions.
  @Test(.long) func whatIsTooLargeAtTheEndIsNotStated() throws {
    let names = (0..<3_200).map { "'k\($0)'" }.joined(separator: ", ")
    func rules(_ condition: String) throws -> Checked {
      let few = "request.resource.data.keys().size() <= 60"
      return try Scripted.checked(
        "match /a/{x} { allow create: if \(condition) && \(few); }"
          + "match /b/{y} { allow get: if resource.data.keys().hasOnly([\(names)]); }")
    }
    let path = try #require(ClaimPath("/a/{x}" as Text))
    let claim = Claim(name: "", path: path, methods: MethodSet(.create), obligation: .never)
    let cell = CellClaim(method: .create, isOfGroup: false, conditions: [0], obligation: .never)
    let (old, new) = (try rules("request.auth.uid == x"), try rules("request.auth.uid != x"))
    let found = ProofChecker.confirm(
      [cell], of: claim, given: ["request.auth != null"], about: old, profile: .emulator
    ) { _, _, _ in
      Issue.record("a proof about cells is asked for")
      return []
    }
    let alike = try ProofChecker.confirmAlike(claim, from: old, to: new, profile: .emulator) {
      _, _ in
      Issue.record("a proof about versions is asked for")
      return []
    }
    for reason in [found.reasons[cell], alike.reasons[.create]] {
      guard case .unstated(let message) = reason else {
        Issue.record("stated")
        continue
      }
      #expect(message == "the conditions are too large to be checked")
    }
  }

  /// "Always" is not stated where an evaluation limit could stop the rules.
  @Test func alwaysNeedsAnUpperBound() throws {
    let long = String(repeating: "allow get: if request.auth != null; ", count: 600)
    let rules = try Scripted.checked("match /a/{x} { \(long) }")
    let path = try #require(ClaimPath("/a/{x}" as Text))
    let claim = Claim(name: "", path: path, methods: MethodSet(.get), obligation: .never)
    let cells = [CellClaim.Obligation.never, .always].enumerated().map { place, obligation in
      CellClaim(method: .get, isOfGroup: false, conditions: [place], obligation: obligation)
    }
    let found = ProofChecker.confirm(
      cells, of: claim, given: ["request.auth == null", "request.auth != null"], about: rules,
      profile: .emulator, by: Table.refutations)
    #expect(found.contains(cells[0]))
    guard case .unstated = found.reasons[cells[1]] else {
      Issue.record("stated")
      return
    }
  }
}
