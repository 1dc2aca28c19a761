import RulesEval
import RulesProof

/// Writes what others can check claims by: a certificate, and scripts for SMT solvers.
struct ClaimEvidence {
  private let invocation: Invocation
  private let runner: ClaimRunner
  private let complaints: Complaints

  /// Reads `--certificate`, `--smtlib` and `--timeout`.
  init(_ invocation: Invocation) throws(UsageProblem) {
    self.invocation = invocation
    runner = try ClaimRunner(invocation, explaining: false)
    complaints = Complaints(invocation.terminal)
  }

  /// Writes the files that were asked for.
  func write(_ report: ProofReport) throws(UsageProblem) {
    do throws(FileProblem) {
      if let folder = invocation["--smtlib"] { try writeScripts(report, to: folder) }
      if let file = invocation["--certificate"] { try writeCertificate(report, to: file) }
    } catch {
      throw UsageProblem(error)
    }
  }

  /// One script for each claim, named after its place in the report and what it says.
  private func writeScripts(_ report: ProofReport, to folder: String) throws(FileProblem) {
    try FileSystem.makeFolder(folder)
    var number = 0
    for result in report.results {
      number += 1
      let script = runner.prover(result.set).script(of: result.index, remarks: result.notes)
      let name = "\(number)-" + Self.plain(result.claim.name) + ".smt2"
      try FileSystem.write(Array(script.utf8), to: Path.join(folder, name))
    }
  }

  /// A name of letters, digits and dashes.
  private static func plain(_ name: String) -> String {
    var plain = ""
    for octet in name.utf8.prefix(60) {
      let isPlain = (0x30...0x39).contains(octet) || (0x61...0x7A).contains(octet | 0x20)
      if isPlain {
        plain.unicodeScalars.append(Unicode.Scalar(octet))
      } else if !plain.isEmpty, !plain.hasSuffix("-") {
        plain += "-"
      }
    }
    return plain.hasSuffix("-") ? String(plain.dropLast()) : plain
  }

  /// That nothing in the scope of a claim is ever granted is a claim, too, with a proof of its own.
  private func addNever(
    _ result: ClaimResult, of file: ProofReport.File, to certificate: inout Certificate
  ) {
    let rules = result.set.engine
    let set = try? ClaimSet([result.claim.asNever], about: rules.rules, profile: rules.profile)
    let isAdded =
      set.map {
        certificate.add(0, by: runner.prover($0), rulesPath: file.rulesPath, rules: file.rules)
      } ?? false
    if !isAdded {
      complaints.print("\(result.claim.asNever.name): not proved in time for the certificate")
    }
  }

  /// Only what is proved has a certificate; a counterexample is its own evidence.
  private func writeCertificate(_ report: ProofReport, to path: String) throws(FileProblem) {
    var certificate = Certificate()
    var count = 0
    for file in report.files {
      for result in file.results {
        guard case .proved = result.verdict else { continue }
        if certificate.add(
          result.index, by: runner.prover(result.set), rulesPath: file.rulesPath, rules: file.rules)
        {
          count += 1
          if result.grantsNothing { addNever(result, of: file, to: &certificate) }
        } else {
          complaints.print("\(result.claim.name): not proved again in time for the certificate")
        }
      }
    }
    try FileSystem.write(certificate.bytes, to: path)
    let others = report.results.count - count
    if others > 0 {
      let what = others == 1 ? "1 claim is" : "\(others) claims are"
      complaints.print("\(path): \(what) not proved, and not in the certificate")
    }
  }
}
