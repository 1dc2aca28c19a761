import RulesEncoding
import RulesEval
package import RulesLang
import RulesProof
import RulesVerify
import RulesReport

/// The material for a bug report when the prover contradicts the evaluator: files that reproduce it by
/// `rules-check prove` and `rules-check test`, and the claimed counterexample.
package struct DefectBundle {
  /// The rules by the suffixes of their file names: one version, or an older and a newer one.
  private var rules: [(ending: String, source: SourceText)]
  private var claim: Claim?
  private var profile: Profile
  private var database: DatabaseName
  private var replays: [FailedReplay] = []
  /// The steps that the proof checker refuses.
  private var refusals: [String] = []

  /// Creates the bundle of a claim about a rules file as it was read; nil without a sign of a defect.
  package init?(
    _ result: ClaimResult, about source: SourceText, of database: DatabaseName = .standard
  ) {
    switch result.verdict {
    case .vacuous: break
    case .proved:
      if result.isRefused { refusals = [result.uncheckedReason].compactMap { $0 } }
    case .violated(let found): replays = [found.missed].compactMap { $0 }
    case .undecided(let openReasons): replays = openReasons.compactMap { $0.replay }
    }
    if replays.isEmpty, refusals.isEmpty { return nil }
    rules = [("", source)]
    claim = result.claim
    profile = result.profile
    self.database = database
  }

  /// Creates the bundle of a comparison; nil without a sign of a defect.
  package init?(_ pair: DiffReport.Pair, profile: Profile) {
    let openReasons = pair.paths.flatMap { $0.methods.flatMap { $0.openReasons } }
    replays = openReasons.compactMap { $0.openReason.replay } + pair.missed
    if replays.isEmpty { return nil }
    rules = [("-old", pair.old.source), ("", pair.new.source)]
    self.profile = profile
    database = pair.database
  }

  /// Returns the files' names with their contents.
  package func files(named name: String) -> [(name: String, bytes: [UInt8])] {
    rules.map { (name + $0.ending + ".rules", $0.source.bytes) } + [
      (name + ".suite.json", Array((suite(named: name).pretty).utf8)),
      (name + ".txt", Array(notes.utf8)),
    ]
  }

  /// Returns a suite with the claim, and the requests for which the prover expects other decisions than the
  /// evaluator makes.
  private func suite(named name: String) -> JSONText {
    var members: [(String, JSONText)] = [("rules", .string(name + ".rules"))]
    if !database.isStandard { members.append(("database", .string(String(database.text)))) }
    if let claim { members.append(("claims", .array([JSONText(SuiteWriter.claim(claim))]))) }
    members.append(("tests", .array(replays.compactMap { $0.test.map { JSONText($0) } })))
    return .object(members)
  }

  /// The notes about what the prover claims.
  private var notes: String {
    let hashes = rules.map { "sha256 " + Certificate.hash($0.source) }
    let head = ["rules-check \(Product.version)", "profile \(profile.rawValue)"]
    return (head + hashes + replays.flatMap { $0.found } + refusals).joined(separator: "\n") + "\n"
  }
}
