import RulesEval
import RulesLang
import RulesProof

/// `rules-check verify-proof`: checks certificates of proofs, without the prover.
enum VerifyProofCommand {
  static let command = Command(
    name: "verify-proof", operands: "CERTIFICATE…", operandCount: 1...Int.max,
    summary: "checks the certificates that `prove --certificate` writes",
    details: """
      Compiles the rules and the claims anew and checks every step of the proofs by itself: neither
      the prover's search nor its theories take part. Exits 1 if a certificate proves nothing, has
      been changed, or is about other rules than those on disk.
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
    let findings = verification.findings
    try invocation.emit { format in
      format == "json"
        ? Verification.json(findings).pretty
        : Verification.text(findings, isQuiet: invocation.isQuiet)
    }
    return findings.allSatisfy { $0.problem == nil } ? .success : .failure
  }
}

/// The checking of some certificates.
struct Verification {
  /// What came of one claim of a certificate, or of the whole if it cannot be read.
  struct Finding {
    /// The certificate.
    var file: String
    /// The claim; nil if the certificate cannot be read.
    var claim: String?
    /// The rules that it is about.
    var rules: String?
    /// The number of steps that were checked.
    var steps = 0
    /// Why it is refused.
    var problem: CertificateProblem?
  }

  private let invocation: Invocation
  /// What came of each claim, in order.
  private(set) var findings: [Finding] = []

  /// Starts with no findings.
  init(_ invocation: Invocation) { self.invocation = invocation }

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
    let rulesPath = invocation["--rules"] ?? entry.rulesPath
    var finding = Finding(file: path, claim: entry.claim.name, rules: rulesPath)
    do throws(CertificateProblem) {
      finding.steps = try ProofChecker(try question(entry, rulesPath)).check(entry)
    } catch {
      finding.problem = error
    }
    return finding
  }

  /// The claim, compiled with the rules on disk.
  private func question(
    _ entry: Certificate.Entry, _ path: String
  ) throws(CertificateProblem) -> ClaimSet {
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
    do throws(ClaimSet.Refusal) {
      return try ClaimSet([entry.claim], about: rules, profile: entry.profile)
    } catch {
      let message = error.problems.first?.message ?? "the claim does not compile"
      throw CertificateProblem(line: entry.line, message: message)
    }
  }

  // MARK: Reports

  /// One line a claim, and how many there are.
  static func text(_ findings: [Finding], isQuiet: Bool) -> String {
    var text = ""
    for finding in findings where !isQuiet || finding.problem != nil {
      if let problem = finding.problem {
        let claim = finding.claim.map { "  " + Printable.text($0) } ?? ""
        text +=
          "REFUSED\(claim)\n  --> \(Printable.text(finding.file)):\(problem.line): \(Printable.text(problem.message))\n"
      } else {
        text += "VERIFIED  \(Printable.text(finding.claim ?? ""))\n"
        text += "  \(Printable.text(finding.rules ?? "")), \(finding.steps) lines\n"
      }
    }
    let refused = findings.filter { $0.problem != nil }.count
    if isQuiet, refused == 0 { return "" }
    return text + "\(findings.count - refused) verified, \(refused) refused\n"
  }

  /// The report for programs, schema `rules-check.verify-proof/1`.
  static func json(_ findings: [Finding]) -> JSONText {
    .object([
      ("schema", .string("rules-check.verify-proof/1")),
      (
        "claims",
        .array(
          findings.map { finding in
            var members: [(String, JSONText)] = [("certificate", .string(finding.file))]
            if let claim = finding.claim { members.append(("name", .string(claim))) }
            if let rules = finding.rules { members.append(("rules", .string(rules))) }
            members.append(("verified", .bool(finding.problem == nil)))
            if let problem = finding.problem {
              members.append(("line", .int(problem.line)))
              members.append(("problem", .string(problem.message)))
            } else {
              members.append(("lines", .int(finding.steps)))
            }
            return .object(members)
          })
      ),
    ])
  }
}
