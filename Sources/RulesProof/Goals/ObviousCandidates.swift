import RulesEncoding
import RulesEval
import RulesLang

// Most scopes contain an obvious request: the owner, or a signed-out client, reads or writes a
// document with the fields that the claim names. Evaluating it takes a fraction of the time of a
// search.

/// Obvious candidates for requests in the scope of a claim.
struct ObviousCandidates {
  private let claim: CompiledClaim
  private let database: DatabaseName
  /// The fields that the claim writes or, if none, those that `given` names.
  private let fields: [FieldPath]

  private static let owner: Text = "alice"

  /// Prepares the candidates.
  init(_ claim: CompiledClaim, in rules: Checked) {
    self.claim = claim
    database = rules.database
    if !claim.claim.writes.isEmpty || claim.given == nil {
      fields = claim.claim.writes
    } else {
      var vocabulary = Vocabulary(rules)
      if let given = claim.given { vocabulary.add(given) }
      fields = vocabulary.sorted.filter { !$0.isEmpty }.map { FieldPath([$0]) }
    }
  }

  /// Returns the first confirmed candidate of a kind.
  func first(of scenario: Scenario, where confirms: (CandidateRequest) -> Bool) -> CandidateRequest?
  {
    for named in fields.isEmpty ? [[]] : [fields, []] {
      for uid in [Self.owner, nil] {
        let candidate = candidate(of: scenario, uid: uid, fields: named)
        if confirms(candidate) { return candidate }
      }
    }
    return nil
  }

  private func candidate(of scenario: Scenario, uid: Text?, fields: [FieldPath]) -> CandidateRequest
  {
    var candidate = CandidateRequest(
      method: scenario.method, access: scenario.access,
      path: DocumentPath(scenario.path.map { $0 ?? Self.owner }),
      principal: uid.map { Principal(uid: $0) }, time: .epoch, database: database)
    if scenario.method != .create { candidate.before = Self.data(with: fields, text: "old") }
    if scenario.method == .create || scenario.method == .update {
      candidate.after = Self.data(with: fields, text: "new")
    }
    return candidate
  }

  private static func data(with fields: [FieldPath], text: Text) -> MapValue {
    var data = MapValue()
    for field in fields { data.set(.string(text), at: field) }
    return data
  }
}
