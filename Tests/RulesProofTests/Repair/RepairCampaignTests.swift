import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Repairs of many small rules files: each is read again, proved, compared and counted through.
@Suite struct RepairCampaignTests {
  /// A rules file with a claim, both drawn.
  private struct Case {
    static let breaks = ["\n", "\r\n"]
    static let conditions = [
      "true", "request.auth != null", "signedIn()", "request.auth.uid == NAME", "owns(NAME)",
      "resource.data.owner == request.auth.uid", "request.auth.uid == NAME || isAdmin()",
      "signedIn() && request.auth.uid == NAME", "request.auth.token.admin == true",
      "request.auth != null && NAME != 'x'", "signedIn() ? NAME != 'x' : NAME == 'y'",
    ]
    static let blocks: [(head: String, name: String, paths: [(path: String, name: String)])] = [
      ("match /users/{uid} {", "uid", [("/users/{u}", "u"), ("/users/{uid}", "uid")]),
      (
        "match /users/{user} { match /private/{x=**} {", "user",
        [("/users/{u}/private/{d}", "u"), ("/users/{u}/private/{rest=**}", "u")]
      ),
      (
        "match /rooms/{r}/{all=**} {", "r",
        [("/rooms/{room}/messages/{m}", "room"), ("/rooms/{room}/messages/{m}", "m")]
      ),
      ("match /{c}/{d} {", "d", [("/posts/{p}", "p"), ("/{c}/{d}", "d")]),
    ]
    static let words = [
      "read, write", "read", "write", "create, update", "update", "get", "delete",
    ]

    let rules: SourceText
    let claim: String

    init(seed: UInt64) {
      var dice = Dice(seed: seed)
      let block = dice.pick(Self.blocks)
      var lines = [
        "rules_version = '2';", "service cloud.firestore {",
        "  match /databases/{database}/documents {",
        "    function signedIn() { return request.auth != null; }",
        "    function owns(id) { return signedIn() && request.auth.uid == id; }",
        "    function isAdmin() { return request.auth.token.admin == true; }",
        "    " + block.head,
      ]
      for _ in 0...dice.roll(2) {
        let condition = dice.pick(Self.conditions).replacing("NAME", with: block.name)
        let lead = dice.roll(4) == 0 ? "\t\t" : "      "
        lines.append(lead + "allow \(dice.pick(Self.words)): if \(condition); // kept")
      }
      lines.append(
        "    " + String(repeating: "}", count: block.head.split(separator: " ").count / 3))
      lines += ["  }", "}", ""]
      let path = dice.pick(block.paths)
      let methods = dice.pick(["write", "update", "create", "read"])
      var claim = #""path": "\#(path.path)", "methods": "\#(methods)""#
      if methods != "read", dice.roll(3) == 0 { claim += #", "writes": ["a"]"# }
      if dice.roll(4) == 0 { claim += #", "given": "request.auth.token.beta != true""# }
      let asked = dice.pick(Self.conditions.dropFirst() + ["never"])
      claim +=
        asked == "never"
        ? #", "never": true"#
        : #", "onlyIf": "\#(asked.replacing("NAME", with: path.name))""#
      self.claim = "{\(claim)}"
      rules = SourceText(name: "case.rules", lines.joined(separator: dice.pick(Self.breaks)))
    }
  }

  @Test func everyRepairIsOne() throws {
    let count = Wanted.cases(15, of: 120)
    var repaired = 0
    for seed in 1...UInt64(count) {
      let one = Case(seed: seed)
      let checked = try #require(
        Checker.checkFirestore(one.rules, profile: .emulator).checked, "\(seed)")
      let (suite, problems) = SuiteReader.read(
        SourceText(name: "s.json", #"{"claims": [\#(one.claim)]}"#))
      #expect(problems.isEmpty, "\(seed): \(problems.map { $0.message })")
      let claim = try #require(suite?.claims.first)
      guard let set = try? ClaimSet([claim], about: checked),
        case .violated(let found) = Prover(set).decide(0)
      else { continue }
      let engine = Engine(checked)
      let repairs = RepairSearch(engine, claim: claim, suite: nil, at: .epoch) { Budget() }
        .repairs(of: found)
      for repair in repairs {
        repaired += 1
        try check(repair, of: engine, claim, seed: seed)
      }
    }
    #expect(repaired * 3 >= count)
  }

  private func check(_ repair: Repair, of engine: Engine, _ claim: Claim, seed: UInt64) throws {
    let text = String(decoding: repair.rules.bytes, as: UTF8.self)
    let checked = try #require(
      Checker.checkFirestore(repair.rules, profile: .emulator).checked, "\(seed): \(text)")
    #expect(
      Prover(try ClaimSet([claim], about: checked)).decide(0).word == "proved", "\(seed): \(text)")
    for path in RulesComparison(from: engine, to: Engine(checked)).run() {
      for method in path.methods {
        #expect([.tightened, .equivalent].contains(method.verdict), "\(seed): \(text)")
      }
    }
    for allow in checked.ruleset.allows {
      guard let condition = allow.condition else { continue }
      let written = checked.ruleset.source.string(checked.ruleset[condition.root].range)
      let conjuncts = RequirementText(written).conjuncts.map { $0.normal }
      #expect(Set(conjuncts).count == conjuncts.count, "\(seed): \(written)")
    }
    let bytes = engine.rules.ruleset.source.bytes
    if bytes.contains(0x0D) {
      for (place, byte) in repair.rules.bytes.enumerated() where byte == 0x0A {
        #expect(repair.rules.bytes[place - 1] == 0x0D, "\(seed)")
      }
    }
    #expect(!repair.lines.isEmpty && repair.lines.allSatisfy { !$0.contains("\n") }, "\(seed)")
    #expect(repair.change.contains("line"), "\(seed): \(repair.change)")
    #expect(!repair.takesAway.isEmpty, "\(seed): \(text)")
  }
}
