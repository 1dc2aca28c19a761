import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesVerify

/// Writes evidence that other programs can check: certificates, and scripts for SMT solvers.
struct ClaimEvidence {
  private let options: ProveOptions
  private let complaints: Complaints

  /// Prepares to write what the options request.
  init(_ options: ProveOptions) {
    self.options = options
    complaints = Complaints(options.reporting.terminal)
  }

  /// Writes the requested files. The status is `undecided` if a claim is proved and has no certificate
  /// although one was requested.
  func write(
    _ report: ProofReport, _ suites: [LoadedSuite]
  ) throws(UsageProblem) -> ExitStatus {
    do throws(FileProblem) {
      if let folder = options.scriptFolder { try writeScripts(suites, to: folder) }
      if let file = options.certificatePath { return try writeCertificate(report, to: file) }
      return .success
    } catch {
      throw UsageProblem(error)
    }
  }

  /// Writes one script for each claim, named by its index and the claim.
  private func writeScripts(_ suites: [LoadedSuite], to folder: String) throws(FileProblem) {
    try FileSystem.makeFolder(folder)
    var number = 0
    for set in suites.compactMap(\.claims) {
      for (index, claim) in set.claims.enumerated() {
        number += 1
        let script = Prover(set, within: options.suites.limits.question()).script(of: index)
        let name = "\(number)-" + Self.plain(claim.claim.name) + ".smt2"
        try FileSystem.write(Array(script.utf8), to: FilePath.join(folder, with: name))
      }
    }
  }

  /// Returns a file name of letters, digits and dashes.
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

  /// Writes a certificate of the checked claims; a violated one has its counterexample as evidence.
  private func writeCertificate(
    _ report: ProofReport, to path: String
  ) throws(FileProblem) -> ExitStatus {
    var certificate = Certificate()
    var status = ExitStatus.success
    var others = 0
    for file in report.files {
      for result in file.results {
        guard case .proved(let proof) = result.verdict else {
          others += 1
          continue
        }
        switch proof.check {
        case .checked(let claim, let grantsNothing):
          certificate.add(claim, rulesPath: file.rulesPath)
          if let grantsNothing { certificate.add(grantsNothing, rulesPath: file.rulesPath) }
        case .unchecked(let reason):
          status = .undecided
          complaints.print(
            "\(Printable.text(result.claim.name)): proved, but without a certificate: "
              + reason.sentence)
        }
      }
    }
    try ReportOutput(path).write(certificate.bytes)
    if others > 0 {
      let what = others == 1 ? "1 claim is" : "\(others) claims are"
      complaints.print("\(path): \(what) not proved, and not in the certificate")
    }
    return status
  }
}
