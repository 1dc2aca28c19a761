import RulesEncoding
import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesVerify

/// What to send to whoever mends rules-check when the prover contradicts itself: files that show it
/// again by `rules-check prove` and `rules-check test`, and what the search believed.
struct DefectBundle {
  /// The rules, by the endings of their files' names: one, or an older and a newer one.
  private var rules: [(ending: String, source: SourceText)]
  private var claim: Claim?
  private var profile: Profile
  private var replays: [FailedReplay]

  /// The bundle of a claim about a rules file as it was read; nil if nothing speaks of a defect.
  init?(_ result: ClaimResult, about source: SourceText) {
    switch result.verdict {
    case .proved, .vacuous: replays = []
    case .violated(let found): replays = [found.missed].compactMap { $0 }
    case .undecided(let doubts): replays = doubts.compactMap { $0.replay }
    }
    if replays.isEmpty { return nil }
    rules = [("", source)]
    claim = result.claim
    profile = result.set.engine.profile
  }

  /// The bundle of a comparison; nil if nothing speaks of a defect.
  init?(_ pair: DiffReport.Pair, _ profile: Profile) {
    let doubts = pair.paths.flatMap { $0.methods.flatMap { $0.doubts } }
    replays = doubts.compactMap { $0.doubt.replay } + pair.missed
    if replays.isEmpty { return nil }
    rules = [("-old", pair.old.source), ("", pair.new.source)]
    self.profile = profile
  }

  /// Where bundles go.
  static let option = Option(
    name: "--defects", value: "DIR",
    summary: "should the prover contradict itself: write what to report to this folder")

  /// Says on standard error that so many answers were put right by an attack. They are true as they
  /// are reported; that the search alone would have been wrong nobody may overlook.
  static func tell(missed count: Int) {
    if count == 0 { return }
    let answers = count == 1 ? "an answer was" : "\(count) answers were"
    Terminal.complain(
      "rules-check: \(answers) wrong until a request showed it; this is a defect of rules-check: "
        + "please report it with the rules, or with what `--defects DIR` of prove and diff writes\n"
    )
  }

  /// Writes the bundles of a command that was given the option, numbered: `1.rules`, `1.suite.json`,
  /// `1.txt` and so on. Without a defect nothing is written.
  static func write(
    _ bundles: [DefectBundle], as invocation: Invocation
  ) throws(UsageProblem) {
    guard let folder = invocation["--defects"], !bundles.isEmpty else { return }
    do throws(FileProblem) {
      try FileSystem.makeFolder(folder)
      for (place, bundle) in bundles.enumerated() {
        for file in bundle.files(named: "\(place + 1)") {
          try FileSystem.write(file.bytes, to: Path.join(folder, with: file.name))
        }
      }
    } catch {
      throw UsageProblem(error)
    }
  }

  /// The files with their contents.
  func files(named name: String) -> [(name: String, bytes: [UInt8])] {
    rules.map { (name + $0.ending + ".rules", $0.source.bytes) } + [
      (name + ".suite.json", Array((suite(named: name).pretty).utf8)),
      (name + ".txt", Array(notes.utf8)),
    ]
  }

  /// The claim, and the requests that the search expects to be decided otherwise than they are.
  private func suite(named name: String) -> JSONText {
    var members: [(String, JSONText)] = [("rules", .string(name + ".rules"))]
    if let claim { members.append(("claims", .array([JSONText(SuiteWriter.claim(claim))]))) }
    members.append(("tests", .array(replays.compactMap { $0.test.map { JSONText($0) } })))
    return .object(members)
  }

  /// What the search believed.
  private var notes: String {
    let hashes = rules.map { "sha256 " + Certificate.hash($0.source) }
    let head = ["rules-check \(Product.version)", "profile \(profile.rawValue)"]
    return (head + hashes + replays.flatMap { $0.found }).joined(separator: "\n") + "\n"
  }
}
