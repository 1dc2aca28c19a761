import RulesEval
import RulesLang
import RulesVerify

/// `rules-check verify-proof`: checks certificates of proofs, without the prover.
enum VerifyProofCommand {
  static let command = Command(
    name: "verify-proof", operands: "CERTIFICATE…", operandCount: 1...Int.max,
    summary: "checks the certificates that `prove --certificate` writes",
    details: """
      Makes the questions of the claims anew from the text of the rules and checks every step of the
      proofs by itself, in a way of its own: no part of the prover takes part. Says what is claimed of
      which rules; the name of a claim is only a name. Exits 1 if a certificate proves nothing, has been
      changed, or is about other rules than those on disk.
      """,
    options: [
      Option(
        name: "--rules", value: "FILE",
        summary: "the rules that the certificate must be about, wherever they were then")
    ],
    formats: ["pretty", "json"],
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    var verification = Verification(invocation)
    for path in invocation.operands {
      do throws(FileProblem) {
        verification.verify(path, try FileSystem.read(path))
      } catch {
        throw UsageProblem(error)
      }
    }
    let report = VerificationReport(findings: verification.findings)
    try invocation.emit { format in
      format == "json" ? report.json.pretty : report.text(isQuiet: invocation.isQuiet)
    }
    return report.refused == 0 ? .success : .failure
  }
}

/// The checking of some certificates.
struct Verification {
  /// What came of one claim of a certificate, or of the whole if it cannot be read.
  struct Finding {
    /// The certificate.
    var file: String
    /// What is claimed of which rules; nil if the certificate cannot be read.
    var entry: Certificate.Entry?
    /// The rules that were looked at.
    var rules: String?
    /// The number of steps that were checked.
    var steps = 0
    /// Why it is refused.
    var problem: CertificateProblem?
  }

  private let rulesPath: String?
  /// What came of each claim, in order.
  private(set) var findings: [Finding] = []

  /// Starts with no findings.
  init(_ invocation: Invocation) { rulesPath = invocation["--rules"] }

  /// Checks a certificate.
  mutating func verify(_ path: String, _ bytes: [UInt8]) {
    do throws(CertificateProblem) {
      let entries = try Certificate.read(bytes)
      if entries.isEmpty { throw CertificateProblem(line: 1, message: "it proves no claim") }
      for entry in entries { findings.append(check(entry, path)) }
    } catch {
      findings.append(Finding(file: path, problem: error))
    }
  }

  private func check(_ entry: Certificate.Entry, _ path: String) -> Finding {
    let rulesPath = self.rulesPath ?? entry.rulesPath
    var finding = Finding(file: path, entry: entry, rules: rulesPath)
    do throws(CertificateProblem) {
      finding.steps = try ProofChecker.check(entry, about: try rules(entry, rulesPath))
    } catch {
      finding.problem = error
    }
    return finding
  }

  /// The rules on disk.
  private func rules(
    _ entry: Certificate.Entry, _ path: String
  ) throws(CertificateProblem) -> Checked {
    let source: SourceText
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw CertificateProblem(line: entry.line, message: error.message)
    }
    guard Certificate.hash(source) == entry.rulesHash else {
      throw CertificateProblem(line: entry.line, message: "`\(path)` has changed since")
    }
    guard let rules = Checker.checkFirestore(source, profile: entry.profile).checked else {
      throw CertificateProblem(line: entry.line, message: "`\(path)` does not compile")
    }
    return rules
  }
}
