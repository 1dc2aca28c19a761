import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// `rules-check differential`: compares this evaluator with the official emulator on random input.
enum DifferentialCommand {
  static let command = Command(
    name: "differential", operands: "[RULES…]", operandCount: 0...Int.max,
    summary: "ourselves against the official emulator, at random",
    details: """
      Makes up expressions, rule sets with requests, queries and damaged sources, puts them to the
      official emulator and to us, and reports every difference, made as small as possible. Without
      a count it asks a few of each; RULES are files or folders that both compile as they are.
      The emulator is a running one, the jar that FIRESTORE_EMULATOR_JAR names, or the one of the
      Debian package; without one nothing is compared, and the exit code is 2. --calls, alone in a
      run, puts sequences of calls over gRPC to it and to our emulator.
      Seven options, one a run, ask ourselves alone, and need no emulator. --shapes compares the
      prover with our own evaluator: every shape of value under every operation, on one request of
      each method.
      --concretisation compares the encodings of prover and checker with the evaluator under the
      values of drawn requests, on RULES and then on made up rule sets until there are N comparisons.
      --falsehoods asks the prover what a request refutes that was drawn first. --forgeries puts
      damaged and forged certificates to their checker. --sequences looks for what clients can make
      true in a small world through all its states, beside the prover. --audits evaluates the
      conditions that reports of audits print on drawn requests, --sentences the words of `diff`.
      """,
    run: DifferentialCommand.run)

  private static func run(_ options: DifferentialOptions) throws(UsageProblem) -> ExitStatus {
    let alone = [
      options.falsehoods, options.shapes, options.forgeries, options.sequences, options.audits,
      options.concretisation, options.sentences,
    ]
    // Else the others would seem to have passed.
    guard alone.count(where: { $0 != nil }) < 2 else {
      throw UsageProblem("a run asks ourselves one kind of question: name one of the seven options")
    }
    guard options.calls == nil || options.asksNothingElse else {
      throw UsageProblem(
        "\(DifferentialOptions.calls.name) asks alone: leave the other options out")
    }
    if let status = askOurselves(options) { return status }
    let files = try paths(options.paths)
    if let wanted = options.concretisation {
      return try concretise(wanted, files: files, seed: options.seed ?? 1)
    }
    let seed = options.seed ?? Clock.nanoseconds >> 10 & 0xFFFF_FFFF
    if let wanted = options.shapes {
      Terminal.print("seed \(seed)\n")
      return ShapeCampaign(seed: seed).run(wanted, methods: options.methods) ? .success : .failure
    }
    if let count = options.forgeries {
      var campaign = ForgeryCampaign(seed: seed)
      campaign.run(count)
      Terminal.print("seed \(seed)\n" + campaign.summary + "\n")
      for text in campaign.wrong.prefix(3) { Terminal.print("\n" + text) }
      return campaign.wrong.isEmpty && campaign.made > 0 ? .success : .failure
    }
    let arena = try EmulatorSession(options.emulator)
    defer { arena.close() }
    do throws(EmulatorClient.Problem) {
      let referee = Referee(arena.client)
      if let folder = options.replayFolder {
        let result = try Replay(referee).run(folder, recordingTo: options.recordFolder)
        Terminal.print("\(result.files) cases, \(result.different) differ\n")
        return result.files > 0 && result.different == 0 ? .success : .failure
      }
      Terminal.print("seed \(seed)\n")
      if let count = options.calls {
        let official = CallComparison.Official(client: arena.newClient, link: arena.link)
        var campaign = CallCampaign(with: official, seed: seed)
        try campaign.run(count) { Terminal.print($0) }
        Terminal.print(campaign.summary)
        return campaign.isGood ? .success : .failure
      }
      let findings = Findings(referee, folder: options.recordFolder, patience: 40)
      let tallies = try compare(
        with: options, files: files, seed: seed, referee: referee, findings: findings)
      return tallies.allSatisfy(\.isGood) ? .success : .failure
    } catch {
      throw UsageProblem(error.message)
    }
  }

  /// Runs the campaign whose questions depend on the seed alone; nil if the options name none.
  private static func askOurselves(_ options: DifferentialOptions) -> ExitStatus? {
    if let count = options.falsehoods { return askFalsehoods(count, with: options) }
    if let count = options.sequences { return askSequences(count, seed: options.seed ?? 1) }
    if let count = options.audits {
      var campaign = AuditCampaign(seed: options.seed ?? 1)
      campaign.run(0..<count)
      Terminal.print(campaign.summary)
      for text in campaign.failures.prefix(3) { Terminal.print("\n" + text) }
      return campaign.isGood ? .success : .failure
    }
    if let count = options.sentences {
      var campaign = SentenceCampaign(seed: options.seed ?? 1)
      campaign.run(0..<count)
      for text in campaign.failures.prefix(5) { Terminal.print("\n" + text) }
      Terminal.print(campaign.summary)
      return campaign.isGood ? .success : .failure
    }
    return nil
  }

  /// Runs the campaigns against the prover alone, which need no emulator.
  private static func askFalsehoods(
    _ count: Int, with options: DifferentialOptions
  ) -> ExitStatus {
    var campaign = FalsehoodCampaign(seed: options.seed ?? 1, validation: options.validation)
    campaign.run(0..<count)
    for failure in campaign.failures.prefix(40) { Terminal.print(failure + "\n") }
    Terminal.print(campaign.summary)
    return campaign.isGood ? .success : .failure
  }

  private static func askSequences(_ count: Int, seed: UInt64) -> ExitStatus {
    var campaign = SequenceCampaign(seed: seed)
    campaign.run(0..<count)
    for failure in campaign.failures.prefix(10) { Terminal.print(failure + "\n") }
    for (reason, count) in campaign.reasons.sorted(by: { $0.value > $1.value }) {
      Terminal.print("\(count) undecided, \(reason)\n")
    }
    Terminal.print(campaign.summary)
    return campaign.isGood ? .success : .failure
  }

  private static func concretise(
    _ wanted: Int, files: [String], seed: UInt64
  ) throws(UsageProblem) -> ExitStatus {
    var campaign = ConcretisationCampaign(seed: seed)
    for path in files {
      do throws(FileProblem) {
        let source = SourceText(name: path, bytes: try FileSystem.read(path))
        if !campaign.run(source) { Terminal.print("\(path) does not compile\n") }
      } catch {
        throw UsageProblem(error)
      }
    }
    if !files.isEmpty { Terminal.print(campaign.summary) }
    campaign.run(until: wanted)
    for text in campaign.figures.different.prefix(20) { Terminal.print("\n" + text + "\n") }
    Terminal.print(campaign.summary)
    return campaign.isGood ? .success : .failure
  }

  private static func compare(
    with options: DifferentialOptions, files: [String], seed: UInt64, referee: Referee,
    findings: Findings
  ) throws(EmulatorClient.Problem) -> [Tally] {
    var tallies: [Tally] = []
    func keep(_ tally: Tally) {
      tallies.append(tally)
      Terminal.print(tally.summary + "\n")
    }
    let campaigns = [
      Campaign.expressions(options.expressions, seed: seed),
      Campaign.requests(options.requests, seed: seed),
      Campaign.queries(options.queries, seed: seed),
    ]
    for campaign in campaigns where campaign.wanted > 0 {
      keep(try campaign.run(against: referee, findings: findings))
    }
    if options.sources > 0 {
      keep(try SourceCampaign(seed: seed, findings).run(options.sources, against: referee))
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

  /// An emulator for a comparison, with its process if it was started for it.
  private struct EmulatorSession {
    let client: EmulatorClient
    private let address: EmulatorAddress?
    private let process: EmulatorProcess?

    init(_ address: EmulatorAddress?) throws(UsageProblem) {
      self.address = address
      let project = "differential-\(Clock.nanoseconds & 0xFFFF_FFFF)"
      if let address {
        client = address.client(project)
        process = nil
        return
      }
      guard let jar = EmulatorProcess.jar() else {
        throw UsageProblem(
          "nothing was compared: there is no emulator to ask",
          help: "install google-cloud-cli-firestore-emulator and Java, set FIRESTORE_EMULATOR_JAR, "
            + "or give \(DifferentialOptions.emulator.name) HOST:PORT")
      }
      do throws(EmulatorClient.Problem) {
        let started = try EmulatorProcess(jar: jar)
        process = started
        client = EmulatorClient(host: "127.0.0.1", port: started.port, project: project)
      } catch {
        throw UsageProblem("nothing was compared: \(error.message)")
      }
    }

    /// Returns a client of another project.
    func newClient(_ project: String) -> EmulatorClient {
      address?.client(project)
        ?? EmulatorClient(host: "127.0.0.1", port: process?.port ?? 0, project: project)
    }

    /// Opens a connection for calls.
    func link() throws(EmulatorClient.Problem) -> EmulatorLink {
      if let address { return try address.link() }
      return try EmulatorLink(host: "127.0.0.1", port: process?.port ?? 0)
    }

    /// Ends the process. The call at the end also keeps the process alive until then.
    func close() { process?.stop() }
  }
}
