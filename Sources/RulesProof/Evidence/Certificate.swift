public import RulesEval
public import RulesLang

// A certificate: for each proved claim what is claimed of which rules, and for each kind of request
// the steps that show that there is no counterexample. Docs/Proofs.md describes the lines.

/// Text that lets a checker confirm proofs without trusting the search that found them.
public struct Certificate: Sendable {
  /// What was proved about one rules file.
  public struct Entry: Sendable {
    /// The rules file, as it was opened.
    public var rulesPath: String
    /// The SHA-256 of the rules file, in hexadecimal digits.
    public var rulesHash: String
    /// Whose behaviour was followed.
    public var profile: Profile
    /// The claim.
    public var claim: Claim
    /// Where it begins in the certificate: a line, from 1.
    public var line: Int
    /// The lines of the proof, with their numbers in the certificate.
    var steps: [CertificateLine]
  }

  /// The first line.
  static let title = "rules-check certificate 1"

  private var lines = [title]

  /// Starts with no claim.
  public init() {}

  /// Adds a claim that a prover has proved; false if the claim is not proved when asked again.
  public mutating func add(
    _ index: Int, by prover: Prover, rulesPath: String, rules: SourceText
  ) -> Bool {
    guard let refutations = prover.refutations(of: index) else { return false }
    let claim = prover.set.claims[index].claim
    lines.append("rules " + ConstantText.escaped(Array(rulesPath.utf8), spaces: true))
    lines.append("sha256 " + Self.hash(rules))
    lines.append("profile " + prover.set.engine.profile.rawValue)
    lines += claim.certificateLines
    for refutation in refutations { lines += refutation.lines }
    return true
  }

  /// The text: the last line is the hash of all others.
  public var bytes: [UInt8] {
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    return text + Array(("end " + Self.digits(SHA256.hash(text)) + "\n").utf8)
  }

  /// The SHA-256 of a rules file, in hexadecimal digits.
  public static func hash(_ rules: SourceText) -> String { digits(SHA256.hash(rules.bytes)) }

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

  init(_ number: Int, _ octets: ArraySlice<UInt8>) {
    self.number = number
    words = octets.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { Text(decoding: Array($0)) }
  }
}

/// Why a certificate is refused.
public struct CertificateProblem: Error, Sendable {
  /// The line, from 1.
  public var line: Int
  /// What is wrong with it.
  public var message: String

  /// Makes a problem.
  public init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension Claim {
  /// What is claimed, one line for each part.
  fileprivate var certificateLines: [String] {
    func line(_ word: String, _ text: [UInt8]) -> String {
      word + " " + ConstantText.escaped(text, spaces: true)
    }
    var lines = [
      line("claim", Array(name.utf8)), line("path", Array(path.text.utf8)),
      "methods " + methods.methods.map { $0.word }.joined(separator: " "),
    ]
    lines += writes.map { line("writes", $0.text.bytes) }
    if let given { lines.append(line("given", given.text.bytes)) }
    switch obligation {
    case .onlyIf(let condition): lines.append(line("only-if", condition.text.bytes))
    case .alwaysIf(let condition): lines.append(line("always-if", condition.text.bytes))
    case .never: lines.append("never")
    case .noErrors: lines.append("no-errors")
    }
    return lines
  }
}

extension Prover {
  /// How each scenario of a claim was refuted; nil if the claim is not proved.
  func refutations(of index: Int) -> [Refutation]? {
    let claim = set.claims[index]
    var found: [Refutation] = []
    for scenario in set.scenarios(of: claim) {
      let goal = Goal(claim, in: set, for: scenario, budget: budget)
      let stated = goal.compiler.problem.axioms.count
      guard case .none(let refuted, let steps) = decide(goal, claim) else { return nil }
      let facts = Array(refuted.compiler.problem.axioms.dropFirst(stated))
      found.append(Refutation(refuted, steps, added: facts))
    }
    return found
  }
}
