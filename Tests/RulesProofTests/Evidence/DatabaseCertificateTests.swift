import RulesEval
import RulesLang
import RulesProof
import RulesVerify
import Testing

/// The database of rules is a constant of what is proved, for the prover and for the checker.
@Suite struct DatabaseCertificateTests {
  private static let prod = DatabaseName("prod")

  private static let text = """
    rules_version = '2';
    service cloud.firestore {
      function isOpen(name) { return name in ['(default)', 'test']; }
      match /databases/{database}/documents {
        match /events/{id} { allow get: if isOpen(database); }
        match /logs/{id} { allow get: if exists(/databases/prod/documents/open/x); }
      }
      match /databases/test/documents {
        match /notes/{id} { allow get; }
      }
    }
    """

  private func rules(for database: DatabaseName) throws -> Checked {
    let source = SourceText(name: "a.rules", Self.text)
    return try #require(Checker.check(source, database: database).checked)
  }

  private func claim(_ path: Text) throws -> Claim {
    Claim(
      name: "nobody", path: try #require(ClaimPath(path)), methods: MethodSet(.get),
      obligation: .never)
  }

  /// The word of the verdict that nobody gets documents of a path, and its certificate if there is one.
  private func verdict(
    _ path: Text, in database: DatabaseName
  ) throws -> (word: String, certificate: [UInt8]?) {
    let (rules, claim) = (try rules(for: database), try claim(path))
    let verdict = Prover(try ClaimSet([claim], about: rules)).decide(0)
    var certificate = Certificate()
    let addition = certificate.add(claim, about: rules, rulesPath: "a.rules", profile: .emulator)
    if case .added = addition { return (verdict.word, certificate.bytes) }
    return (verdict.word, nil)
  }

  @Test(arguments: [
    ("/events/{id}", "prod", "proved"), ("/events/{id}", "test", "violated"),
    ("/events/{id}", "(default)", "violated"), ("/logs/{id}", "prod", "violated"),
    ("/logs/{id}", "(default)", "proved"), ("/notes/{id}", "test", "violated"),
  ])
  func verdictsAndCertificatesAreThoseOfTheDatabase(
    _ path: String, _ database: String, _ wanted: String
  ) throws {
    let found = try verdict(Text(path), in: DatabaseName(Text(database)))
    #expect(found.word == wanted)
    #expect((found.certificate != nil) == (wanted == "proved"))
  }

  @Test func aCertificateIsRefusedForAnotherDatabase() throws {
    let bytes = try #require(try verdict("/events/{id}", in: Self.prod).certificate)
    let entry = try #require(try Certificate.read(bytes).first)
    #expect(entry.database == Self.prod)
    #expect(try ProofChecker.check(entry, about: rules(for: Self.prod)) > 0)
    let refusal = #expect(throws: CertificateProblem.self) {
      try ProofChecker.check(entry, about: rules(for: .standard))
    }
    #expect(
      refusal?.message
        == "it is about the database `prod`, and the rules are those of `(default)`")
    // Steps for one database prove nothing of another one.
    var forged = entry
    forged.database = .standard
    #expect(throws: CertificateProblem.self) {
      try ProofChecker.check(forged, about: rules(for: .standard))
    }
  }
}
