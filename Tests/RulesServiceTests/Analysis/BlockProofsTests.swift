import Foundation
import RulesEval
import RulesLang
import RulesSolver
import Synchronization
import Testing

@testable import RulesProof
@testable import RulesService
@testable import RulesTesting

/// Facts that are proved block by block are those that are proved of the whole text, and those that are kept
/// are those that would be proved again.
@Suite struct BlockProofsTests {
  /// Match blocks; `helpers` come before them.
  static let helpers = """
    function isSignedIn() { return request.auth != null; }
    function isOwner(uid) { return isSignedIn() && request.auth.uid == uid; }
    function role() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role; }
    function isAdmin() { return isSignedIn() && role() == 'admin'; }
    function same(key) { return request.resource.data[key] == resource.data[key]; }
    """
  static let blocks = [
    """
    match /users/{uid} {
      allow read: if isSignedIn();
      allow create, update: if isOwner(uid);
    }
    """,
    """
    match /notes/{note} {
      function isMine() { return resource.data.owner == request.auth.uid && request.auth != null; }
      allow read: if isMine() || isAdmin();
      allow get: if isSignedIn() && isMine();
      allow update: if isMine() && same('owner') && request.time != null;
    }
    """,
    """
    match /rooms/{room} {
      allow read: if exists(/databases/$(database)/documents/rooms/$(room)/members/$(request.auth.uid));
      match /members/{uid} { allow read, write: if isOwner(uid); }
    }
    """,
    """
    match /logs/{log} {
      allow create: if getAfter(/databases/$(database)/documents/users/$(request.auth.uid)).data.x == log;
      allow read: if log == 'a' && log == 'b';
    }
    """,
    "match /plans/{plan} { allow read; allow write: if isAdmin(); }",
    "match /{any=**} { allow read, write: if false; }",
  ]

  static func text(_ blocks: [String], helpers: String = Self.helpers) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        \(helpers)
        \(blocks.joined(separator: "\n    "))
      }
    }
    """
  }

  private func checked(_ text: String) -> Checked? {
    Checker.checkFirestore(SourceText(name: "a.rules", text)).checked
  }

  /// Proves a text block by block; nil if it cannot be taken apart.
  private func byBlocks(_ rules: Checked, _ shelf: ProofShelf = .none) -> DeepFindings? {
    guard let prover = BlockProver(rules, settings: AnalysisSettings(), shelf: shelf) else {
      return nil
    }
    var proofs = BlockProofs(prover)
    for unit in prover.order(around: 0) {
      proofs.add(prover.prove(unit) { Budget.whole() }, of: unit)
    }
    guard !proofs.isInseparable, proofs.done == prover.count,
      proofs.finish(within: { Budget.whole() })
    else { return nil }
    return proofs.findings
  }

  /// Proves a text as a whole.
  private func asWhole(_ rules: Checked) -> DeepFindings? {
    DeepAnalysis(rules, settings: AnalysisSettings()).run(
      within: { Budget.whole() }, isCancelled: { false })
  }

  private func words(_ findings: DeepFindings) -> [String] {
    findings.diagnostics.map { diagnostic in
      let places = diagnostic.related.map { "\($0.range.start)-\($0.range.end) \($0.text)" }
      return
        "\(diagnostic.code.name) \(diagnostic.range?.start ?? 0)-\(diagnostic.range?.end ?? 0) "
        + "\(diagnostic.severity) \(diagnostic.message); \(places); \(diagnostic.notes)"
    } + findings.access.map { "\($0.place) \($0.summary) \($0.details)" }
  }

  @Test(arguments: [
    [0, 1, 2, 3, 4, 5], [0], [1, 4], [2, 0, 5], [1, 1, 0],
  ]) func blocksSayWhatTheWholeTextSays(_ places: [Int]) throws {
    let rules = try #require(checked(Self.text(places.map { Self.blocks[$0] })))
    let whole = try #require(asWhole(rules))
    let found = try #require(byBlocks(rules))
    #expect(words(found) == words(whole))
  }

  @Test func aBlockOverAllOthersIsProvedWithThem() throws {
    let text = Self.text([
      "match /{any=**} { allow read: if request.auth != null; }",
      "match /notes/{note} { allow get: if request.auth.uid == note; allow list: if true; }",
      "match /plans/{plan} { allow read: if true; }",
    ])
    let rules = try #require(checked(text))
    let whole = try #require(asWhole(rules))
    let found = try #require(byBlocks(rules))
    #expect(words(found) == words(whole))
    #expect(found.diagnostics.contains { $0.code.name == "covered-allow" })
  }

  @Test func aBlockThatGrantsNothingHasWhatOthersGrantInIt() throws {
    let text = Self.text([
      "match /{d=**} { allow read, write: if true; }",
      "match /p2/{x} { allow read, write: if false; }",
    ])
    let rules = try #require(checked(text))
    let whole = try #require(asWhole(rules))
    let found = try #require(byBlocks(rules))
    #expect(words(found) == words(whole))
    #expect(found.access.count > 1 && found.access.allSatisfy { $0.summary.contains("anyone") })
  }

  /// A memory with the number of answers that it did not know.
  private final class Memory: Sendable {
    let content = Mutex(ProofMemory())
    var shelf: ProofShelf {
      ProofShelf(
        recall: { [self] key in content.withLock { $0.answer(to: key) } },
        keep: { [self] answer, key in content.withLock { $0.keep(answer, to: key) } })
    }
    var misses: Int { content.withLock { $0.misses } }
  }

  @Test func onlyWhatAnEditConcernsIsProvedAgain() throws {
    let memory = Memory()
    func misses(_ blocks: [String], helpers: String = Self.helpers) throws -> Int {
      let before = memory.misses
      let rules = try #require(checked(Self.text(blocks, helpers: helpers)))
      _ = try #require(byBlocks(rules, memory.shelf))
      return memory.misses - before
    }
    let all = try misses(Self.blocks)
    #expect(try misses(Self.blocks) == 0)
    // White space and comments do not count, nor does the place of a block on its line. The block over
    // all others shows what they grant, so that it is proved again with any of them.
    var edited = Self.blocks
    edited[4] = "/* free */  " + edited[4].replacingOccurrences(of: "; ", with: ";  ")
    #expect(try misses(edited) <= 2)
    edited[4] = "match /plans/{plan} { allow read; allow write: if isAdmin() && plan != 'x'; }"
    #expect(try misses(edited) <= 5)
    // An edit of a function concerns every block that calls it.
    let helpers = Self.helpers.replacingOccurrences(of: "'admin'", with: "'boss'")
    let after = try misses(Self.blocks, helpers: helpers)
    #expect(after > 2)
    #expect(after < all)
  }

  @Test(arguments: 0..<2) func whatIsKeptIsWhatWouldBeProvedAgain(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let memory = Memory()
    var blocks = Self.blocks
    var helpers = Self.helpers
    for step in 0..<Wanted.cases(4, of: 60) {
      let place = Int.random(in: 0..<blocks.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: blocks[place] = "// note \(step)\n" + blocks[place]
      case 1: blocks.swapAt(place, Int.random(in: 0..<blocks.count, using: &random))
      case 2: blocks[place] = blocks[place].replacingOccurrences(of: "isSignedIn() && ", with: "")
      case 3:
        blocks[place] = blocks[place].replacingOccurrences(of: "allow read", with: "allow get")
      case 4:
        blocks[place] = blocks[place].replacingOccurrences(of: ": if ", with: ":  if true && ")
      case 5: helpers = helpers.replacingOccurrences(of: "'admin'", with: "'a\(step)'")
      case 6: helpers = helpers.replacingOccurrences(of: "isSignedIn() && request", with: "request")
      default:
        blocks[place] = Self.blocks[Int.random(in: 0..<Self.blocks.count, using: &random)]
      }
      guard let rules = checked(Self.text(blocks, helpers: helpers)) else { continue }
      let kept = try #require(byBlocks(rules, memory.shelf))
      let fresh = try #require(byBlocks(rules))
      #expect(
        words(kept) == words(fresh),
        "\(String(decoding: rules.ruleset.source.bytes, as: UTF8.self))")
    }
  }

  @Test func theCursorsBlockComesFirst() throws {
    let text = Self.text(Self.blocks)
    let rules = try #require(checked(text))
    let prover = try #require(BlockProver(rules, settings: AnalysisSettings()))
    let offset = try #require(text.range(of: "log == 'a'")).lowerBound.utf16Offset(in: text)
    let order = prover.order(around: UInt32(offset))
    #expect(
      prover.plan.units[order[0]].blocks.map { rules.ruleset[$0].range.contains(UInt32(offset)) }
        == [true])
    #expect(order.count == 7)
  }
}
