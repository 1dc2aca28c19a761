import RulesEval
import RulesLang

/// `rules-check differential`: compares ourselves with the official emulator, at random.
enum DifferentialCommand {
  static let command = Command(
    name: "differential", operands: "", operandCount: 0...0,
    summary: "ourselves against the official emulator, at random",
    details: """
      Makes up expressions, rule sets with requests, queries and damaged sources, puts them to the
      official emulator and to us, and reports every difference, made as small as possible.
      """,
    options: [
      Option(name: "--seed", value: "N", summary: "where the choices begin; the time by default"),
      Option(name: "--expressions", value: "N", summary: "how many expressions"),
      Option(name: "--replay", value: "FOLDER", summary: "x"),
      Option(name: "--record", value: "FOLDER", summary: "where to write the differences"),
      Option(name: "--emulator", value: "HOST:PORT", summary: "a running emulator to ask"),
    ],
    formats: ["pretty"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let seed = UInt64(invocation["--seed"] ?? "1") ?? 1
    let count = Int(invocation["--expressions"] ?? "1000") ?? 0
    let client = EmulatorClient(host: "127.0.0.1", port: 8591, project: "diff")
    let referee = Referee(client)
    let findings = Findings(referee, folder: invocation["--record"], patience: 60)
    var tally = Tally("expressions")
    if let folder = invocation["--replay"] {
      do throws(EmulatorClient.Problem) {
        let r = try Replay(referee).run(folder, recordingTo: invocation["--record"])
        Terminal.print("\(r)\n")
        return .success
      } catch { throw UsageProblem(error.message) }
    }
    do throws(EmulatorClient.Problem) {
      var number = 0
      while tally.compared < count {
        let trials = ExpressionCampaign.trials(seed: seed, number)
        number += 1
        tally.files += 1
        let judgements: [Referee.Judgement]
        do throws(EmulatorClient.Problem) {
          judgements = try referee.judge(trials, isApart: true)
        } catch {
          Terminal.print("CRASH \(error.message)\n\(trials[0].rules)\n")
          continue
        }
        if let first = judgements.first, first.theirs.verdict == .rejected {
          let c = try referee.compile(trials[0].rules)
          Terminal.print("REJECTED \(c.message)\n")
          let lines = trials[0].rules.split(separator: "\n", omittingEmptySubsequences: false)
          for issue in c.issues.prefix(3) { Terminal.print("\(lines[issue.line - 1])\n") }
          for l in c.message.split(separator: "\n").dropFirst() {
            let n = Int(l.dropFirst().prefix { $0.isNumber }) ?? 1
            Terminal.print("  \(lines[n-1])\n")
          }
          continue
        }
        for judgement in judgements {
          tally.add(judgement)
          try findings.add(judgement)
        }
      }
    } catch {
      throw UsageProblem(error.message)
    }
    Terminal.print(tally.summary + "\n")
    return .success
  }
}
