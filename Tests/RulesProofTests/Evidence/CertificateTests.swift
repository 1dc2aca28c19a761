import Foundation
import RulesEval
import RulesLang
import RulesProof
import RulesVerify
import Testing

@testable import RulesProofTesting
@testable import RulesTesting

/// Certificates of proofs: the right ones are confirmed, damaged and forged ones are refused.
@Suite struct CertificateTests {
  /// The certificate of the only claim; nil if it is not proved.
  private func certificate(_ asked: Asked) -> [UInt8]? {
    var certificate = Certificate()
    let claim = asked.claims.claims[0].claim
    let addition = certificate.add(
      claim, about: asked.rules, rulesPath: "test.rules", profile: .emulator)
    if case .added = addition { return certificate.bytes }
    return nil
  }

  /// Why a certificate is refused; nil if it is confirmed.
  private func refusal(_ bytes: [UInt8], _ asked: Asked) throws -> String? {
    do throws(CertificateProblem) {
      for entry in try Certificate.read(bytes) {
        _ = try ProofChecker.check(entry, about: asked.rules)
      }
      return nil
    } catch {
      return "\(error.line): \(error.message)"
    }
  }

  @Test(arguments: 0..<Wanted.cases(3, of: 20))
  func everyProofIsConfirmed(_ seed: Int) throws {
    var maker = ClaimMaker(seed: UInt64(seed))
    for number in 0..<count {
      let question = maker.next()
      let asked = try Asked(question.blocks, question.claim)
      guard case .proved = asked.verdicts[0] else { continue }
      let bytes = try #require(
        certificate(asked), "seed \(seed), question \(number): \(question.blocks) \(question.claim)"
      )
      #expect(try refusal(bytes, asked) == nil)
    }
  }

  /// No value has more than 2^48 parts, and nobody says less than that.
  @Test(.long) func sizesHaveABound() throws {
    func asked(_ condition: String) throws -> Asked {
      try Asked(
        "match /c/{id} { allow get: if resource.data.a is list && \(condition); }",
        #"{"path": "/c/{id}", "methods": "get", "never": true}"#)
    }
    let size = "resource.data.a.size()"
    let sum = try asked("\(size) + 1 < \(size)")
    let large = try asked("\(size) > 281474976710656")
    for each in [sum, large] {
      #expect(each.verdicts[0].word == "proved")
      let bytes = try #require(certificate(each))
      #expect(try refusal(bytes, each) == nil)
    }
    let text = lines(try #require(certificate(large)))
    #expect(text.contains { $0.hasPrefix("rule ") && $0.contains("size") })
    let without = text.dropLast().filter { !($0.hasPrefix("rule ") && $0.contains("size")) }
    #expect(try refusal(sealed(Array(without)), large) != nil)
    #expect(try asked("\(size) > 281474976710655").verdicts[0].word != "proved")
    #expect(try asked("\(size) == 3").verdicts[0].word == "violated")
  }

  /// What a pattern leaves of the lengths of a text, and what is left of a size without some numbers.
  @Test(arguments: [
    "A.matches('[a-z]{6}') && A.size() != 6",
    "A.matches('a|bb') && A.size() != 1 && A.size() != 2 && A.size() != 9223372036854775807",
    "A.size() != 2 && A.size() > 1 && A.matches('a{0,2}|b') && A.size() != -1",
    "A == resource.data.b && A.matches('.') && !(resource.data.b.size() in [1, 2])",
  ])
  func lengthsThatAreLeftOutAreInCertificates(_ condition: String) throws {
    let condition = condition.replacing("A", with: "resource.data.a")
    let asked = try Asked(
      "match /c/{id} { allow get: if \(condition); }",
      #"{"path": "/c/{id}", "methods": "get", "never": true}"#)
    #expect(asked.verdicts[0].word == "proved")
    let bytes = try #require(certificate(asked))
    #expect(try refusal(bytes, asked) == nil)
    // Without what is said of lengths nothing follows.
    let lines = lines(bytes)
    let without = lines.dropLast().filter { !($0.hasPrefix("rule ") && $0.contains("text")) }
    #expect(without.count < lines.count - 1)
    #expect(try refusal(sealed(Array(without)), asked) != nil)
  }

  // MARK: Damaged and forged certificates

  private static let blocks = """
    match /users/{uid} {
      allow update: if request.auth != null && request.auth.uid == uid
        && request.resource.data.age is int && request.resource.data.age >= 18
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['age']);
    }
    """
  private static let claim = #"""
    { "path": "/users/{uid}", "methods": "update",
      "onlyIf": "request.resource.data.age > 12 && request.auth.uid == uid" }
    """#

  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  /// The certificate with these lines, the last of which is the hash of the others.
  private func sealed(_ lines: [String]) -> [UInt8] {
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    let hash = SHA256.hash(text).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return text + Array("end \(hash.joined())\n".utf8)
  }

  @Test func everyChangeOfALineIsRefused() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    let bytes = try #require(certificate(asked))
    let lines = lines(bytes)
    #expect(lines.contains { $0.hasPrefix("rule ") })
    #expect(try refusal(bytes, asked) == nil)
    for place in lines.indices {
      for change in 0..<3 {
        var damaged = lines
        switch change {
        case 0: damaged.remove(at: place)
        case 1: damaged.insert(lines[place], at: place)
        default: damaged[place] += "0"
        }
        let text = Array((damaged.joined(separator: "\n") + "\n").utf8)
        #expect(try refusal(text, asked) != nil, "line \(place + 1), change \(change)")
      }
    }
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      #expect(try refusal(damaged, asked) != nil, "byte \(place)")
    }
  }

  /// Steps that are sealed again are refused unless they still prove the same claim.
  @Test func stepsThatDoNotFollowAreRefused() throws {
    let asked = try Asked(Self.blocks, Self.claim)
    let lines = Array(lines(try #require(certificate(asked))).dropLast())
    #expect(try refusal(sealed(lines), asked) == nil)
    let withoutRules = lines.filter { !$0.hasPrefix("rule ") }
    #expect(try refusal(sealed(withoutRules), asked)?.contains("does not follow") == true)
    let withoutLearning = lines.filter { !$0.hasPrefix("learn") }
    #expect(try refusal(sealed(withoutLearning), asked)?.contains("do not refute") == true)
    let withoutQuestions = lines.filter { !$0.hasPrefix("question") }
    #expect(try refusal(sealed(withoutQuestions), asked)?.contains("is missing") == true)
    // A rule about other terms is either none or true, but no longer what the proof needs.
    for place in lines.indices where lines[place].hasPrefix("rule ") {
      let words = lines[place].split(separator: " ").map { String($0) }
      for word in words.indices.dropFirst(2) {
        var changed = words
        changed[word] = changed[word] == "1" ? "2" : "1"
        var forged = lines
        forged[place] = changed.joined(separator: " ")
        #expect(try refusal(sealed(forged), asked) != nil, "\(forged[place])")
      }
    }
  }

  /// That what exists can be read is known to who checks a proof, too; what may be null does not exist.
  @Test func whatExistsCanBeRead() throws {
    let path = "/databases/$(database)/documents/c/$(resource.data.ref)"
    for (condition, word) in [
      ("get(\(path)).data.a == 1 && !exists(\(path))", "proved"),
      ("exists(\(path)) && get(\(path)) == null", "proved"),
      ("existsAfter(\(path)) && getAfter(\(path)) == null", "proved"),
      ("!exists(\(path)) && get(\(path)) == null", "undecided"),
    ] {
      let asked = try Asked(
        "match /c/{id} { allow update: if \(condition); }",
        #"{"path": "/c/{id}", "methods": "update", "never": true}"#)
      #expect(asked.verdicts[0].word == word, "\(condition)")
      let bytes = certificate(asked)
      #expect((bytes != nil) == (word == "proved"), "\(condition)")
      if let bytes { #expect(try refusal(bytes, asked) == nil) }
    }
  }

  /// The same of what another write of the commit needs.
  @Test func whatAnotherWriteFindsCanBeRead() throws {
    let documents = "/databases/$(database)/documents"
    let reference = "get(\(documents)/conf/x).data.ref"
    let asked = try Asked(
      """
      match /c/{id} {
        allow update: if !exists(\(documents)/d/x) && existsAfter(\(documents)/d/x);
      }
      match /d/{id} { allow create: if exists(\(reference)) && get(\(reference)) == null; }
      """, #"{"path": "/c/{id}", "methods": "update", "never": true}"#)
    #expect(asked.verdicts[0].word == "proved")
    #expect(try refusal(try #require(certificate(asked)), asked) == nil)
  }

  /// The steps of a true claim prove neither another claim nor the same one about other rules.
  @Test(arguments: [
    ("request.resource.data.age > 12", "request.resource.data.age > 30", "", ""),
    ("request.auth.uid == uid", "request.auth.uid == 'root'", "", ""),
    ("", "", "request.resource.data.age >= 18", "request.resource.data.age >= 8"),
    ("", "", "request.resource.data.age is int && ", ""),
    ("", "", "request.auth.uid == uid", "request.auth.uid != uid"),
  ])
  func aForgedProofOfAFalseClaimIsRefused(
    _ part: String, _ other: String, _ rule: String, _ changed: String
  ) throws {
    let asked = try Asked(Self.blocks, Self.claim)
    let lines = Array(lines(try #require(certificate(asked))).dropLast())
    let claim = part.isEmpty ? Self.claim : Self.claim.replacingOccurrences(of: part, with: other)
    let blocks =
      rule.isEmpty ? Self.blocks : Self.blocks.replacingOccurrences(of: rule, with: changed)
    let forged = try Asked(blocks, claim)
    let isProved = if case .proved = forged.verdicts[0] { true } else { false }
    let steps = lines.drop { !$0.hasPrefix("question") }
    var moved = Certificate()
    moved.add(
      forged.claims.claims[0].claim, about: forged.rules, rulesPath: "test.rules",
      profile: .emulator, steps: Array(steps))
    let isRefused = try refusal(moved.bytes, forged) != nil
    #expect(isRefused || isProved)
    // Nor do steps that assert what they should show.
    let first = lines.firstIndex { $0.hasPrefix("question") } ?? 0
    let bold = lines[...first] + ["learn"]
    #expect(try refusal(sealed(Array(bold)), forged) != nil)
    #expect(try refusal(sealed(lines[...first] + ["rule", "learn"]), forged) != nil)
  }

  /// How many questions for each seed.
  private var count: Int { Wanted.number("CLAIMS", usually: 4) }
}
