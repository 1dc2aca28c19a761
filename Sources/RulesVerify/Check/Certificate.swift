package import RulesEval
package import RulesLang

// A certificate: for each proved claim what is claimed of which rules, and for each kind of request
// the steps that show that there is no counterexample. Docs/Proofs.md describes the lines.

/// Text that lets a checker confirm proofs without trusting who found them.
package struct Certificate: Sendable {
  /// What was proved about one rules file.
  package struct Entry: Sendable {
    /// The rules file, as it was opened.
    package var rulesPath: String
    /// The SHA-256 of the rules file, in hexadecimal digits.
    package var rulesHash: String
    /// Whose behaviour was followed.
    package var profile: Profile
    /// The database that the rules are deployed to.
    package var database: DatabaseName
    /// The claim.
    package var claim: Claim
    /// Where it begins in the certificate: a line, from 1.
    package var line: Int
    /// The lines of the proof, with their numbers in the certificate.
    var steps: [CertificateLine]
  }

  /// What the first line begins with, and the version of what follows.
  static let title = "rules-check certificate "
  /// The version of the lines.
  static let version = "2"

  private var lines = [title + version]

  /// Starts with no claim.
  package init() {}

  /// Adds a claim and the steps that prove it; whether they do is for the checker to say.
  package mutating func add(
    _ claim: Claim, about rules: Checked, rulesPath: String, profile: Profile, steps: [String]
  ) {
    lines.append("rules " + ConstantText.escaped(Array(rulesPath.utf8), spaces: true))
    lines.append("sha256 " + Self.hash(rules.ruleset.source))
    lines.append("profile " + profile.rawValue)
    lines.append("database " + ConstantText.escaped(rules.database.text.bytes, spaces: true))
    lines += claim.certificateLines + steps
  }

  /// The text: the last line is the hash of all others.
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
  /// Its number, from 1.
  var number: Int
  /// Its words.
  var words: [Text]

  init(number: Int, octets: ArraySlice<UInt8>) {
    self.number = number
    words = octets.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { Text(decoding: Array($0)) }
  }

  /// The words with spaces between them.
  var text: String { words.map { String($0) }.joined(separator: " ") }

  /// What is wrong with this line.
  func problem(_ message: String) -> CertificateProblem {
    CertificateProblem(line: number, message: message)
  }
}

/// Why a certificate is refused.
package struct CertificateProblem: Error, Sendable {
  /// The line, from 1.
  package var line: Int
  /// What is wrong with it.
  package var message: String

  /// Makes a problem.
  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension Claim {
  /// What is claimed, one line for each part.
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
