import RulesEval
import RulesLang

extension Certificate {
  /// Reads a certificate. Throws if the title, the version or the hash is wrong, or a line is
  /// malformed.
  package static func read(_ bytes: [UInt8]) throws(CertificateProblem) -> [Entry] {
    var reader = try CertificateReader(bytes)
    return try reader.entries()
  }
}

/// Parses the lines of a certificate. `ProofChecker` interprets the proof steps.
private struct CertificateReader {
  private let lines: [ArraySlice<UInt8>]
  private var place = 1

  init(_ bytes: [UInt8]) throws(CertificateProblem) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    let title = Array(Certificate.title.utf8)
    guard let first = lines.first, first.starts(with: title) else {
      throw CertificateProblem(line: 1, message: "this is not a rules-check certificate")
    }
    guard first.dropFirst(title.count).elementsEqual(Certificate.version.utf8) else {
      throw CertificateProblem(
        line: 1,
        message: "another version of rules-check wrote it, in a format that this version does not "
          + "check: write it again with `rules-check prove --certificate`")
    }
    let (number, last) = (lines.count, lines[lines.count - 1])
    let hash = Certificate.digits(SHA256.hash(Array(bytes[..<last.startIndex])))
    guard Array(last) == Array(("end " + hash).utf8), last.endIndex == bytes.count - 1 else {
      throw CertificateProblem(line: number, message: "the certificate has been changed")
    }
  }

  mutating func entries() throws(CertificateProblem) -> [Certificate.Entry] {
    var entries: [Certificate.Entry] = []
    while place < lines.count - 1 { entries.append(try entry()) }
    return entries
  }

  private mutating func entry() throws(CertificateProblem) -> Certificate.Entry {
    let line = place + 1
    let path = String(decoding: try required("rules"), as: UTF8.self)
    let hash = String(decoding: try required("sha256"), as: UTF8.self)
    let word = String(decoding: try required("profile"), as: UTF8.self)
    guard let profile = Profile(rawValue: word) else { throw problem("there is no such profile") }
    // Certificates of older releases have no `database` line.
    let database = try optional("database").map { DatabaseName(Text(decoding: $0)) }
    let claim = try claim()
    var steps: [CertificateLine] = []
    while place < lines.count - 1, try optional("rules", peeking: true) == nil {
      steps.append(CertificateLine(number: place + 1, octets: lines[place]))
      place += 1
    }
    return Certificate.Entry(
      rulesPath: path, rulesHash: hash, profile: profile, database: database ?? .standard,
      claim: claim, line: line, steps: steps)
  }

  private mutating func claim() throws(CertificateProblem) -> Claim {
    let name = String(decoding: try required("claim"), as: UTF8.self)
    guard let path = ClaimPath(Text(decoding: try required("path"))) else {
      throw problem("the claim's path is not a path")
    }
    let methods = try methods()
    var writes: [FieldPath] = []
    while let field = try optional("writes") {
      guard let path = FieldPath(Text(decoding: field)) else { throw problem("not a field path") }
      writes.append(path)
    }
    let given = try optional("given")
    var claim = Claim(
      name: name, path: path, methods: methods, obligation: try obligation())
    claim.writes = writes
    claim.given = given.map { Claim.Condition(Text(decoding: $0)) }
    return claim
  }

  /// The methods: known words, each once, and at least one.
  private mutating func methods() throws(CertificateProblem) -> MethodSet {
    let line = place + 1
    var methods = MethodSet()
    for word in try required("methods").split(separator: 0x20, omittingEmptySubsequences: false) {
      guard let method = Method.allCases.first(where: { word.elementsEqual($0.word.utf8) }) else {
        throw CertificateProblem(
          line: line,
          message: word.isEmpty
            ? "a method is missing"
            : "there is no method `\(String(decoding: Array(word), as: UTF8.self))`")
      }
      if methods.contains(method) {
        throw CertificateProblem(line: line, message: "`\(method.word)` is repeated")
      }
      methods.formUnion(MethodSet(method))
    }
    if methods.isEmpty { throw CertificateProblem(line: line, message: "a method is missing") }
    return methods
  }

  private mutating func obligation() throws(CertificateProblem) -> Claim.Obligation {
    if let text = try optional("only-if") {
      return .onlyIf(Claim.Condition(Text(decoding: text)))
    }
    if let text = try optional("always-if") {
      return .alwaysIf(Claim.Condition(Text(decoding: text)))
    }
    if try optional("no-errors") != nil { return .noErrors }
    guard try optional("never") != nil else { throw problem("nothing is claimed") }
    return .never
  }

  /// Returns the text after `word`; throws if the line does not begin with it.
  private mutating func required(_ word: String) throws(CertificateProblem) -> [UInt8] {
    guard let text = try optional(word) else { throw problem("a line `\(word)` was expected") }
    return text
  }

  /// Returns the text after `word`, or nil if the line does not begin with it.
  private mutating func optional(
    _ word: String, peeking: Bool = false
  ) throws(CertificateProblem) -> [UInt8]? {
    let line = lines[place]
    guard line.starts(with: word.utf8) else { return nil }
    let rest = line.dropFirst(word.utf8.count)
    guard rest.isEmpty || rest.first == 0x20 else { return nil }
    guard let text = ConstantReader.unescaped(rest.dropFirst()) else {
      throw problem("an escape is broken")
    }
    if !peeking { place += 1 }
    return text
  }

  private func problem(_ message: String) -> CertificateProblem {
    CertificateProblem(line: place + 1, message: message)
  }
}
