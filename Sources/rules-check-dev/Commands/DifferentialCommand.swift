import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// `rules-check differential`: compares ourselves with the official emulator, at random.
enum DifferentialCommand {
  static let command = Command(
    name: "differential", operands: "[RULES…]", operandCount: 0...Int.max,
    summary: "ourselves against the official emulator, at random",
    details: """
      Makes up expressions, rule sets with requests, queries and damaged sources, puts them to the
      official emulator and to us, and reports every difference, made as small as possible. Without
      a count it asks a few of each; RULES are files or folders that both compile as they are.
      The emulator is a running one, the jar that FIRESTORE_EMULATOR_JAR names, or the one of the
      Debian package; without one nothing is compared, and the exit code is 2.
      Three options ask ourselves alone, and need no emulator. --shapes compares the prover with our
      own evaluator: every shape of value under every operation, on one request of each method.
      --falsehoods asks the prover what a request refutes that was drawn first. --forgeries puts
      damaged and forged certificates to their checker.
      """,
    options: [
      Option(name: "--seed", value: "N", summary: "where the choices begin; the time by default"),
      Option(name: "--expressions", value: "N", summary: "how many expressions"),
      Option(name: "--requests", value: "N", summary: "how many requests, ten to a rule set"),
      Option(name: "--queries", value: "N", summary: "how many list queries"),
      Option(name: "--sources", value: "N", summary: "how many damaged sources"),
      Option(
        name: "--falsehoods", value: "N",
        summary: "how many questions to the prover whose answer a drawn request shows"),
      Option(
        name: "--scrutiny", value: "PARTS", choices: ["both", "search", "attack"],
        summary: "which parts of the prover answer --falsehoods"),
      Option(
        name: "--shapes", value: "N",
        summary: "how many of the prover's expressions; 0 for all of them"),
      Option(
        name: "--method", value: "METHOD", choices: Method.allCases.map { $0.word },
        summary: "the one method that --shapes is about"),
      Option(
        name: "--forgeries", value: "N", summary: "how many forged certificates"),
      Option(name: "--replay", value: "FOLDER", summary: "recorded cases to ask again"),
      Option(name: "--record", value: "FOLDER", summary: "where to write the differences"),
      Option(name: "--emulator", value: "HOST:PORT", summary: "a running emulator to ask"),
    ],
    formats: ["pretty"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    if let count = try number(in: invocation, option: "--falsehoods") {
      return askFalsehoods(
        count, seed: UInt64(try number(in: invocation, option: "--seed") ?? 1), in: invocation)
    }
    let counts = try Counts(invocation)
    let files = try paths(invocation.operands)
    let seed =
      try number(in: invocation, option: "--seed") ?? Int(Clock.nanoseconds >> 10 & 0xFFFF_FFFF)
    if let wanted = try number(in: invocation, option: "--shapes") {
      Terminal.print("seed \(seed)\n")
      let methods = Method.allCases.filter { invocation["--method"] ?? $0.word == $0.word }
      return ShapeCampaign(seed: UInt64(seed)).run(wanted, methods: methods) ? .success : .failure
    }
    if let count = try number(in: invocation, option: "--forgeries") {
      var campaign = ForgeryCampaign(seed: UInt64(seed))
      campaign.run(count)
      Terminal.print("seed \(seed)\n" + campaign.summary + "\n")
      for text in campaign.wrong.prefix(3) { Terminal.print("\n" + text) }
      return campaign.wrong.isEmpty && campaign.made > 0 ? .success : .failure
    }
    let arena = try EmulatorSession(invocation["--emulator"])
    defer { arena.close() }
    do throws(EmulatorClient.Problem) {
      let referee = Referee(arena.client)
      if let folder = invocation["--replay"] {
        let result = try Replay(referee).run(folder, recordingTo: invocation["--record"])
        Terminal.print("\(result.files) cases, \(result.different) differ\n")
        return result.files > 0 && result.different == 0 ? .success : .failure
      }
      Terminal.print("seed \(seed)\n")
      let findings = Findings(referee, folder: invocation["--record"], patience: 40)
      let tallies = try compare(
        counts, files: files, seed: UInt64(seed), referee: referee, findings: findings)
      return tallies.allSatisfy(\.isGood) ? .success : .failure
    } catch {
      throw UsageProblem(error.message)
    }
  }

  /// Questions to the prover alone; no emulator is needed.
  private static func askFalsehoods(
    _ count: Int, seed: UInt64, in invocation: Invocation
  ) -> ExitStatus {
    let parts = invocation["--scrutiny"] ?? "both"
    let scrutiny = Scrutiny(attacks: parts != "search", searches: parts != "attack")
    var campaign = FalsehoodCampaign(seed: seed, scrutiny: scrutiny)
    campaign.run(0..<count)
    for failure in campaign.failures.prefix(40) { Terminal.print(failure + "\n") }
    Terminal.print(campaign.summary)
    return campaign.isGood ? .success : .failure
  }

  private static func compare(
    _ counts: Counts, files: [String], seed: UInt64, referee: Referee, findings: Findings
  ) throws(EmulatorClient.Problem) -> [Tally] {
    var tallies: [Tally] = []
    func keep(_ tally: Tally) {
      tallies.append(tally)
      Terminal.print(tally.summary + "\n")
    }
    let campaigns = [
      Campaign.expressions(counts.expressions, seed: seed),
      Campaign.requests(counts.requests, seed: seed),
      Campaign.queries(counts.queries, seed: seed),
    ]
    for campaign in campaigns where campaign.wanted > 0 {
      keep(try campaign.run(against: referee, findings: findings))
    }
    if counts.sources > 0 {
      keep(try SourceCampaign(seed: seed, findings).run(counts.sources, against: referee))
    }
    if !files.isEmpty {
      keep(try SourceCampaign(seed: seed, findings).run(files, against: referee))
    }
    return tallies
  }

  private static func paths(_ operands: [String]) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for operand in operands {
      guard FileSystem.kind(of: operand) == .folder else {
        paths.append(operand)
        continue
      }
      do throws(FileProblem) {
        paths += try FileSystem.files(below: operand, suffix: ".rules")
      } catch {
        throw UsageProblem(error)
      }
    }
    return paths
  }

  /// How many questions of each kind were asked for.
  private struct Counts {
    var expressions: Int
    var requests: Int
    var queries: Int
    var sources: Int

    /// A few of each, unless the command line says what it wants.
    init(_ invocation: Invocation) throws(UsageProblem) {
      let names = ["--expressions", "--requests", "--queries", "--sources"]
      let isSelective = names.contains { invocation.has($0) } || !invocation.operands.isEmpty
      let few = isSelective ? 0 : 500
      expressions = try number(in: invocation, option: names[0]) ?? few
      requests = try number(in: invocation, option: names[1]) ?? few
      queries = try number(in: invocation, option: names[2]) ?? few
      sources = try number(in: invocation, option: names[3]) ?? few
    }
  }

  private static func number(
    in invocation: Invocation, option name: String
  ) throws(UsageProblem) -> Int? {
    guard let text = invocation[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw UsageProblem("`\(name) \(text)` is no number")
    }
    return number
  }

  /// An emulator to ask, and for as long as the comparison lasts its process, if it is ours.
  private struct EmulatorSession {
    let client: EmulatorClient
    private let process: EmulatorProcess?

    init(_ address: String?) throws(UsageProblem) {
      let project = "differential-\(Clock.nanoseconds & 0xFFFF_FFFF)"
      if let address {
        client = try EmulatorAddress(address).client(project)
        process = nil
        return
      }
      guard let jar = EmulatorProcess.jar() else {
        throw UsageProblem(
          "nothing was compared: there is no emulator to ask",
          help: "install google-cloud-cli-firestore-emulator and Java, set FIRESTORE_EMULATOR_JAR, "
            + "or give --emulator HOST:PORT")
      }
      do throws(EmulatorClient.Problem) {
        let started = try EmulatorProcess(jar: jar)
        process = started
        client = EmulatorClient(host: "127.0.0.1", port: started.port, project: project)
      } catch {
        throw UsageProblem("nothing was compared: \(error.message)")
      }
    }

    /// Ends the process. Called at the end, it also keeps the process until then.
    func close() { process?.stop() }
  }
}
