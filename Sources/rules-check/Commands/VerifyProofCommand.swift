import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesSolver
import RulesVerify

/// `rules-check verify-proof`: checks certificates without the prover. A certificate that is confirmed here
/// can still be refused by the prover: as vacuous, or because of a request that violates the claim.
enum VerifyProofCommand {
  static let command = Command(
    name: "verify-proof", operands: "CERTIFICATE…", operandCount: 1...Int.max,
    summary: "checks the certificates that `prove --certificate` writes",
    details: """
      Encodes the claims again from the text of the rules and checks every step of their proofs. No
      part of the prover takes part in this. Prints each claim and its rules; the name of a claim is
      only a label. Exits 1 if a certificate proves nothing, has been changed, is about rules other
      than those on disk, or covers no request.
      """,
    run: VerifyProofCommand.run)

  private static func run(_ options: VerifyProofOptions) throws(UsageProblem) -> ExitStatus {
    var verification = Verification(options)
    for path in options.paths {
      do throws(FileProblem) {
        verification.verify(path, try FileSystem.read(path))
      } catch {
        verification.refuse(error)
      }
    }
    var report = VerificationReport(findings: verification.findings)
    let repository = Repository()
    report.refusals = verification.refusals.map { $0.naming(repository.path) }
    try options.reporting.emit { format in
      switch format {
      case .json: report.json.pretty
      // The reason why nothing could be checked has been printed.
      case .pretty where report.findings.isEmpty: nil
      case .pretty: VerificationText(isQuiet: options.reporting.isQuiet).render(report)
      }
    }
    if !report.refusals.isEmpty { return .unusable }
    return report.refused == 0 ? .success : .failure
  }
}

/// The checking of some certificates.
struct Verification {
  private let rulesPath: String?
  private let databases: Databases
  private let complaints: Complaints
  /// Errors of files that cannot be read, or of rules that do not compile.
  private(set) var refusals: [Annotation] = []
  /// The result of each claim, in order.
  private(set) var findings: [VerificationReport.Finding] = []

  /// Starts with no findings.
  init(_ options: VerifyProofOptions) {
    rulesPath = options.rulesPath
    databases = options.databases
    complaints = Complaints(options.reporting.terminal)
  }

  /// Prints the error of a certificate that cannot be read.
  mutating func refuse(_ problem: FileProblem) {
    complaints.print(problem.message)
    refusals.append(Annotation(problem))
  }

  /// Checks a certificate.
  mutating func verify(_ path: String, _ bytes: [UInt8]) {
    do throws(CertificateProblem) {
      let entries = try Certificate.read(bytes)
      if entries.isEmpty { throw CertificateProblem(line: 1, message: "it proves no claim") }
      for entry in entries { findings.append(check(entry, path)) }
    } catch {
      findings.append(VerificationReport.Finding(file: path, problem: error))
    }
  }

  private mutating func check(
    _ entry: Certificate.Entry, _ path: String
  ) -> VerificationReport.Finding {
    let rulesPath = self.rulesPath ?? entry.rulesPath
    var finding = VerificationReport.Finding(file: path, entry: entry, rules: rulesPath)
    do throws(CertificateProblem) {
      let rules = try rules(entry, rulesPath)
      finding.steps = try ProofChecker.check(entry, about: rules)
      if let objection = objection(to: entry, rules) {
        throw CertificateProblem(line: entry.line, message: objection)
      }
    } catch {
      finding.problem = error
    }
    return finding
  }

  /// Returns the prover's objection to a claim that is confirmed; nil if it has none.
  private func objection(to entry: Certificate.Entry, _ rules: Checked) -> String? {
    guard let set = try? ClaimSet([entry.claim], about: rules, profile: entry.profile) else {
      return nil
    }
    let prover = Prover(set, within: Budget(steps: Budget.questionSteps))
    switch prover.decide(0, shrinking: false, checking: false) {
    case .proved, .undecided: return nil
    case .vacuous(let vacuity): return "VACUOUS: " + vacuity.sentence
    case .violated(let found):
      return "a request refutes what is confirmed, which is a defect of rules-check: "
        + found.sentence(in: rules.ruleset)
    }
  }

  /// Returns the reason why a certificate's database is not one of those that the rules are deployed to; nil
  /// if it is.
  private func objection(to database: DatabaseName, of path: String) -> String? {
    // Without a named database the certificate may be about any.
    guard let known = try? databases.deployed(path), !known.isEmpty, !known.contains(database)
    else { return nil }
    let names = known.map { "`\(String($0.text))`" }.joined(separator: ", ")
    return "it is about the database `\(String(database.text))`, and `\(path)` is for \(names)"
  }

  /// Returns the rules of a certificate, read from their file.
  private mutating func rules(
    _ entry: Certificate.Entry, _ path: String
  ) throws(CertificateProblem) -> Checked {
    let source: SourceText
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      refusals.append(Annotation(error))
      throw CertificateProblem(line: entry.line, message: error.message)
    }
    guard Certificate.hash(source) == entry.rulesHash else {
      throw CertificateProblem(
        line: entry.line,
        message:
          "the text of the rules changed: `\(path)` is not what was proved, byte for byte; prove "
          + "the claim again")
    }
    if let objection = objection(to: entry.database, of: path) {
      throw CertificateProblem(line: entry.line, message: objection)
    }
    let outcome = Checker.checkFirestore(
      source, profile: entry.profile, database: entry.database)
    guard let rules = outcome.checked else {
      complaints.print(outcome.diagnostics, in: source)
      refusals += [Annotation](outcome.diagnostics, in: source)
      throw CertificateProblem(line: entry.line, message: "`\(path)` does not compile")
    }
    return rules
  }
}
