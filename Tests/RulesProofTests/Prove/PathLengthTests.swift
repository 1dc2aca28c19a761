import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesSolver
@testable import RulesVerify

/// What is said of paths of any length holds for each: a claim, a comparison, a cell, a part that decides
/// nothing. Each case was once answered for too few lengths.
@Suite struct PathLengthTests {
  private static func rules(_ text: String) throws -> Checked {
    let source = SourceText(
      name: "test.rules",
      "rules_version = '2'; service cloud.firestore { \(text.replacing("P/", with: root)) }")
    let outcome = Checker.check(source)
    return try #require(outcome.checked, "\(outcome.diagnostics.map { $0.message })")
  }

  private static let root = "/databases/$(database)/documents/"

  private static func inside(_ blocks: String) -> String {
    "match /databases/{database}/documents { \(blocks) }"
  }

  private static func claim(_ text: String) throws -> Claim {
    let suite = SourceText(name: "test.suite.json", #"{"claims": [{\#(text)}]}"#)
    let (read, diagnostics) = SuiteReader.read(suite)
    return try #require(read?.claims.first, "\(diagnostics.map { $0.message })")
  }

  private static func decide(_ rules: String, _ claim: String) throws -> Verdict {
    let set = try ClaimSet([try self.claim(claim)], about: try self.rules(rules))
    return Prover(set, validation: ValidationPolicy(attacks: false)).decide(0)
  }

  // MARK: Claims

  /// Rules, a claim that some longer request refutes, and what is said of it.
  private static let refuted: [(rules: String, claim: String, word: String)] = [
    // The claim's head and a pattern's tail meet without overlap only in paths longer than either.
    (
      inside(
        "match /users/{u}/docs/{rest=**} { allow read: if request.auth.uid == u; }"
          + "match /{x=**}/posts/{p}/comments/{c} { allow read: if true; }"),
      #""path": "/users/{u}/docs/{rest=**}", "methods": "read", "onlyIf": "request.auth.uid == u""#,
      "violated"
    ),
    (
      inside("match /{x=**}/posts/{p}/comments/{c} { allow read: if true; }"),
      #""path": "/users/{u}/docs/{rest=**}", "never": true"#, "violated"
    ),
    (
      inside("match /a/{b}/c/{d}/{x=**} { allow read: if true; }"),
      #""path": "/{x=**}/e/{f}/g/{h}", "never": true"#, "violated"
    ),
    // What takes the root, too, leaves no steps of its tail to the root.
    (
      "match /{x=**}/users/{id} { allow read: if false; }"
        + "match /{x=**}/posts/{id} { allow read: if true; }",
      #""path": "/users/{rest=**}", "never": true"#, "violated"
    ),
    // Paths that are written out.
    (
      inside("match /{p=**} { allow get: if get(P/a/b/c/d/e/f/g/h) == null; }"),
      #""path": "/{p=**}", "never": true"#, "violated"
    ),
    (
      inside(
        "function at(p) { return get(/$(p)/c/d/e/f/g/h); }"
          + "match /{p=**} { allow get: if at(P/a/b) == null; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow get: if resource == get(P/a/b/c/d/e/f/g/h); }"),
      #""path": "/{p=**}", "never": true"#, "violated"
    ),
    (
      inside("match /{p=**} { allow get: if resource in [get(P/a/b/c/d/e/f/g/h)]; }"),
      #""path": "/{p=**}", "never": true"#, "violated"
    ),
    (
      inside(
        "match /{p=**} { allow create: if getAfter(P/a/b/c/d/e/f/g/h) == request.resource; }"),
      #""path": "/{p=**}", "never": true"#, "violated"
    ),
    (
      inside("match /{p=**} { allow get: if true; }"),
      #""path": "/{p=**}", "methods": "get", "#
        + #""onlyIf": "get(/databases/%28default%29/documents/a/b/c/d/e/f/g/h) != null""#,
      "violated"
    ),
    // Ways to the path.
    (
      inside("match /{p=**} { allow list: if request.query.parent[8] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow list: if request.query.ancestor[8] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow get: if request['pa' + 'th'][11] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow get: if resource['__na' + 'me__'][11] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow get: if request.get('path', 1)[11] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside(
        "function f(r) { let s = r; return s; }"
          + "match /{p=**} { allow get: if f(request).path[11] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { allow get: if [request][0].path[11] == 'x'; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{p=**} { match /b/{p} { allow list: if p[11] == 'x'; } }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{doc=**} { allow get: if true; }"),
      #""path": "/{p=**}", "methods": "get", "onlyIf": "doc != /a/b/c/d/e/f/g/h""#, "undecided"
    ),
    // Functions that are passed such a path, and tests that are no plain ones.
    (
      inside(
        "function at(p, n) { return p[n] == 'x'; }"
          + "match /{p=**} { allow get: if p is path && at(p, 11); }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside(
        "function at(p, q) { return p[11] == q; }"
          + "function outer(q) { return q != 'y' && at(q, 'x'); }"
          + "match /{p=**} { allow get: if outer(p); }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("function same(p, q) { return p == q; } match /{p=**} { allow get: if same(p, p); }"),
      #""path": "/{p=**}", "never": true"#, "violated"
    ),
    (
      inside("match /{p=**} { allow get: if p in ['x', /a/b/c/d/e/f/g/h]; }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside(
        "function f(p) { let q = p; return q[11] == 'x'; } match /{p=**} { allow get: if f(p); }"),
      #""path": "/{p=**}", "never": true"#, "undecided"
    ),
    (
      inside("match /{doc=**} { allow get: if true; }"),
      #""path": "/{p=**}", "methods": "get", "onlyIf": "p != /a/b/c/d/e/f/g/h""#, "undecided"
    ),
  ]

  @Test(arguments: refuted.indices) func aClaimIsNotProvedOfTheFirstLengthsAlone(
    _ number: Int
  ) throws {
    let (rules, claim, word) = Self.refuted[number]
    #expect(try Self.decide(rules, claim).word == word, "\(rules)")
    // A checker that knows fewer lengths would confirm it.
    var certificate = Certificate()
    let addition = certificate.add(
      try Self.claim(claim), about: try Self.rules(rules), rulesPath: "r", profile: .emulator)
    if case .added = addition { Issue.record("there is a certificate: \(rules)") }
  }

  /// Rules, and a claim that no request refutes, however long its path is.
  private static let proved: [(rules: String, claim: String)] = [
    // A path of any length is no text, number or null, and has none of their methods.
    (
      "match /{p=**} { allow get: if p == 'a/b' || p in ['a', 1] || !(p is path) || p.size() > 0"
        + " || p.matches('a.*'); }",
      #""path": "/{p=**}", "never": true"#
    ),
    (
      "function isAt(p, text) { return p == 'x' || text == 'y' && null == (p); }"
        + "match /{p=**} { allow get: if isAt(p, 'y') && request.auth != null; }",
      #""path": "/{p=**}", "never": true"#
    ),
    (
      "match /{p=**} { allow get: if p != 'a' && request.auth.uid == 'u'; }",
      #""path": "/{p=**}", "onlyIf": "request.auth.uid == 'u'""#
    ),
    (
      "match /users/{u}/{rest=**} { allow read: if request.auth.uid == u; }",
      #""path": "/users/{u}/{rest=**}", "methods": "read", "onlyIf": "request.auth.uid == u""#
    ),
    (
      "match /{p=**}/posts/{id} { allow read: if exists(P/a/b/c/d/e/f/g/h); }",
      #""path": "/{p=**}", "methods": "get", "#
        + #""onlyIf": "exists(/databases/%28default%29/documents/a/b/c/d/e/f/g/h)""#
    ),
    (
      "function owns(d) { return d != null && d.data.owner == request.auth.uid; }"
        + "match /{p=**} { allow read: if owns(resource) && resource.id == 'x'; }",
      #""path": "/{p=**}", "methods": "get", "onlyIf": "resource['data'].owner == request.auth.uid""#
    ),
    // A path of any length that only a shorter block looks into.
    (
      "match /users/{u} { allow read: if request.path[4] == 'x'; }"
        + "match /{p=**} { allow read: if request.auth != null; }",
      #""path": "/a/{p=**}", "methods": "read", "onlyIf": "request.auth != null""#
    ),
  ]

  @Test(arguments: proved.indices) func whatNoLengthRefutesIsProved(_ number: Int) throws {
    let (blocks, claim) = Self.proved[number]
    let rules = Self.inside(blocks)
    #expect(try Self.decide(rules, claim).word == "proved", "\(rules)")
    var certificate = Certificate()
    let addition = certificate.add(
      try Self.claim(claim), about: try Self.rules(rules), rulesPath: "r", profile: .emulator)
    if case .refused(let reason) = addition { Issue.record("\(reason): \(rules)") }
  }

  // MARK: Certificates

  /// The last kind of a certificate stands for all longer paths, so it cannot be left out, nor can one
  /// before it.
  @Test func aCertificateThatAsksFewerLengthsIsRefused() throws {
    let rules = try Self.rules(Self.inside("match /{p=**}/posts/{id} { allow read: if false; }"))
    let claim = try Self.claim(#""path": "/users/{p=**}", "never": true"#)
    let stated = try StatedClaim(claim, about: rules, profile: .emulator)
    #expect(stated.kinds.contains { $0.isOpen && $0.path.count > 3 })
    var steps: [[String]] = []
    for kind in stated.kinds {
      let question = try stated.question(for: kind)
      let refutation = try #require(Refutation(of: question, kind: kind, within: Budget()))
      steps.append(try #require(refutation.lines(within: Budget())))
    }
    func refusal(of steps: [[String]]) throws -> String? {
      var certificate = Certificate()
      certificate.add(
        claim, about: rules, rulesPath: "r", profile: .emulator,
        steps: Array(steps.joined()))
      do throws(CertificateProblem) {
        for entry in try Certificate.read(certificate.bytes) {
          _ = try ProofChecker.check(entry, about: rules)
        }
        return nil
      } catch {
        return error.message
      }
    }
    #expect(try refusal(of: steps) == nil)
    for place in steps.indices {
      var fewer = steps
      fewer.remove(at: place)
      #expect(try refusal(of: fewer)?.contains("is missing") == true)
    }
  }

  // MARK: Comparisons

  /// A method and a condition of all documents that only long paths satisfy.
  private static let different = [
    ("get", "x[5] == 'posts'"), ("list", "request.query.ancestor[8] == 'x'"),
    ("get", "request['pa' + 'th'][11] == 'x'"), ("get", "get(Q/a/b/c/d/e/f/g/h) == null"),
  ]

  @Test(arguments: different.indices) func aDifferenceOfLongerPathsIsNoEquivalence(
    _ number: Int
  ) throws {
    let (method, text) = Self.different[number]
    let condition = text.replacing("Q/", with: "/databases/%28default%29/documents/")
    let old = try Self.rules("match /{x=**} { allow \(method): if false; }")
    let new = try Self.rules("match /{x=**} { allow \(method): if \(condition); }")
    let comparison = RulesComparison(
      from: Engine(old), to: Engine(new), validation: ValidationPolicy(attacks: false))
    if case .nothing = comparison.effect() { Issue.record("no effect") }
    let verdicts = comparison.run().flatMap { $0.methods }.map { $0.verdict }
    #expect(verdicts.contains { $0 != .equivalent }, "\(verdicts)")
    // What grants something is not dead.
    var search = RedundancySearch(Engine(new), validation: ValidationPolicy(attacks: false))
    #expect(search.run().findings.isEmpty)
  }

  @Test func aStatementThatGrantsLongPathsIsNotTakenOut() throws {
    let rules = try Self.rules(
      Self.inside(
        "match /{p=**} { allow get: if request.auth != null;"
          + "allow get: if resource == get(P/public/x/a/b/c/d/e/f);"
          + "allow list: if request.query.parent[16] == 'x'; }"))
    var search = RedundancySearch(Engine(rules), validation: ValidationPolicy(attacks: false))
    let report = search.run()
    #expect(report.findings.isEmpty)
    #expect(!report.open.isEmpty)
  }

  @Test func aCellThatLongPathsGrantIsNotNever() throws {
    let rules = try Self.rules(Self.refuted[0].rules)
    let matrix = Auditor(rules, validation: ValidationPolicy(attacks: false)).matrix()
    let path = try #require(matrix.paths.first { $0.path.text == "/users/{u}/docs/{rest=**}" })
    for cell in try #require(path.rows.first).cells {
      if case .never = cell.answer { Issue.record("never: \(path)") }
    }
  }

  // MARK: Paths that no document has

  @Test(arguments: ["/users/__x__", "/users/.", "/{p=**}/../{id}"])
  func aPathThatNoDocumentHasIsVacuous(_ path: String) throws {
    let rules = Self.inside("match /{p=**} { allow read: if true; }")
    for claim in [#""never": true"#, #""alwaysIf": "true""#, #""errors": false"#] {
      let verdict = try Self.decide(rules, #""path": "\#(path)", \#(claim)"#)
      guard case .vacuous(let vacuity) = verdict else {
        Issue.record("\(path): \(verdict.word)")
        continue
      }
      #expect(vacuity.sentence.contains("no document or collection is called"))
    }
  }

  /// A document that is looked up has a path that documents can have.
  @Test func aLookedUpDocumentHasAPossiblePath() throws {
    let blocks = "match /c/{id} { allow get: if exists(P/a/$(resource.data.s)) && "
    for text in ["__x__", ".", "a/b"] {
      let rules = Self.inside(blocks + "resource.data.s == '\(text)'; }")
      #expect(try Self.decide(rules, #""path": "/c/{id}", "never": true"#).word == "proved")
    }
    let rules = Self.inside(blocks + "resource.data.s == '__x'; }")
    #expect(try Self.decide(rules, #""path": "/c/{id}", "never": true"#).word == "violated")
  }

  /// Only a path that is not the claim's own was meant instead.
  @Test func theClaimsOwnPathIsNotSuggested() throws {
    func notes(_ path: String) throws -> [String] {
      let rules = Self.inside(
        "match /users/{u}/docs/{rest=**} { allow read: if request.auth.uid == u; }"
          + "match /posts/{id} { allow read: if request.auth.uid == id; }"
          + "match /{all=**} { allow read: if false; }")
      let verdict = try Self.decide(
        rules, #""path": "\#(path)", "methods": "read", "onlyIf": "request.auth != null""#)
      guard case .proved(let proof) = verdict else { return [verdict.word] }
      return proof.notes.filter { $0.contains("did you mean") }
    }
    #expect(try notes("/users/{u}/docs/{rest=**}").isEmpty)
    #expect(try notes("/users/{user}/docs/{r=**}").isEmpty)
    #expect(try notes("/post/{id}").contains { $0.contains("/posts/{id}") })
  }
}
