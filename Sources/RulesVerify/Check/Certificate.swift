package import RulesEval
package import RulesLang

// A certificate lists, for each proved claim, the claim, the rules file that it is about, and for
// each kind of request the proof steps that exclude a counterexample. Docs/Proofs.md describes the
// lines.

/// Text from which a checker confirms proofs without trusting the prover.
package struct Certificate: Sendable {
  /// A proved claim about one rules file.
  package struct Entry: Sendable {
    /// The path by which the rules file was opened.
    package var rulesPath: String
    /// The SHA-256 of the rules file, in hexadecimal digits.
    package var rulesHash: String
    /// The profile whose semantics the proof follows.
    package var profile: Profile
    /// The database that the rules are deployed to.
    package var database: DatabaseName
    /// The claim.
    package var claim: Claim
    /// The line of the certificate at which the entry begins, from 1.
    package var line: Int
    /// The lines of the proof, numbered as in the certificate.
    var steps: [CertificateLine]
  }

  /// Prefix of the first line; the format version follows.
  static let title = "rules-check certificate "
  /// The format version; other versions are refused.
  static let version = "2"

  private var lines = [title + version]

  /// Creates a certificate without claims.
  package init() {}

  /// Appends a claim and the steps of its proof. The steps are not checked here.
  package mutating func add(
    _ claim: Claim, about rules: Checked, rulesPath: String, profile: Profile, steps: [String]
  ) {
    add(
      claim, rulesPath: rulesPath, hash: Self.hash(rules.ruleset.source), profile: profile,
      database: rules.database, steps: steps)
  }

  /// Appends a confirmed claim and the steps of its proof.
  package mutating func add(_ confirmed: ConfirmedClaim, rulesPath: String) {
    add(
      confirmed.claim, rulesPath: rulesPath, hash: confirmed.rulesHash,
      profile: confirmed.profile, database: confirmed.database, steps: confirmed.steps)
  }

  private mutating func add(
    _ claim: Claim, rulesPath: String, hash: String, profile: Profile, database: DatabaseName,
    steps: [String]
  ) {
    lines.append("rules " + ConstantText.escaped(Array(rulesPath.utf8), spaces: true))
    lines.append("sha256 " + hash)
    lines.append("profile " + profile.rawValue)
    lines.append("database " + ConstantText.escaped(database.text.bytes, spaces: true))
    lines += claim.certificateLines + steps
  }

  /// The whole text. The last line is the SHA-256 of all lines before it.
  package var bytes: [UInt8] {
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    return text + Array(("end " + Self.digits(SHA256.hash(text)) + "\n").utf8)
  }

  /// The SHA-256 of a rules file, in hexadecimal digits.
  package static func hash(_ rules: SourceText) -> String { digits(SHA256.hash(rules.bytes)) }

  static func digits(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// One line of a certificate.
struct CertificateLine: Sendable {
  /// The number, from 1.
  var number: Int
  /// The space-separated words.
  var words: [Text]

  init(number: Int, octets: ArraySlice<UInt8>) {
    self.number = number
    words = octets.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { Text(decoding: Array($0)) }
  }

  /// The words with spaces between them.
  var text: String { words.map { String($0) }.joined(separator: " ") }

  /// Returns an error about this line.
  func problem(_ message: String) -> CertificateProblem {
    CertificateProblem(line: number, message: message)
  }
}

/// The reason why a certificate is refused.
package struct CertificateProblem: Error, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The problem, for messages.
  package var message: String

  /// Creates an error.
  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension Claim {
  /// The claim as lines of a certificate, one for each part.
  fileprivate var certificateLines: [String] {
    func line(_ word: String, text: [UInt8]) -> String {
      word + " " + ConstantText.escaped(text, spaces: true)
    }
    var lines = [
      line("claim", text: Array(name.utf8)), line("path", text: Array(path.text.utf8)),
      "methods " + methods.methods.map { $0.word }.joined(separator: " "),
    ]
    lines += writes.map { line("writes", text: $0.notation.bytes) }
    if let given { lines.append(line("given", text: given.text.bytes)) }
    switch obligation {
    case .onlyIf(let condition): lines.append(line("only-if", text: condition.text.bytes))
    case .alwaysIf(let condition): lines.append(line("always-if", text: condition.text.bytes))
    case .never: lines.append("never")
    case .noErrors: lines.append("no-errors")
    }
    return lines
  }
}
