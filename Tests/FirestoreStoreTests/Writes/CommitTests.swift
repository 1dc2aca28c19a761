import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Commits, row by row as the official emulator answers (Docs/Emulator.md, Writes).
@Suite struct CommitTests {
  private static let old = Timestamp(epochSeconds: 1_577_836_800) ?? .epoch
  private static let none =
    "5 no entity to update: app: \"dev~demo-sem\"\npath <\n  Element {\n    type: \"a\"\n"
    + "    name: \"none\"\n  }\n>\n"
  private static let present =
    "6 entity already exists: EntityRef{partitionRef=dev~demo-sem, path=/a/b}"
  private static let stored =
    "9 the stored version (1800000000000000) does not match the required base version "
    + "(1577836800000000)"
  private static let missing =
    "9 the stored version (0) does not match the required base version (1577836800000000)"

  private static let later =
    "3 Invalid base version, it is greater than the stored version: app: \"dev~demo-sem\"\npath <\n"
    + "  Element {\n    type: \"a\"\n    name: \"b\"\n  }\n>\n"
  private static let laterThanMissing =
    "9 the stored version (0) does not match the required base version (1800000000000009)"

  private static func delete(
    _ path: String, _ precondition: StoreWrite.Precondition = .none
  ) -> StoreWrite {
    StoreWrite(Fixture.path(path), .delete, precondition: precondition)
  }

  private static func verify(
    _ path: String, _ precondition: StoreWrite.Precondition
  ) -> StoreWrite {
    StoreWrite(Fixture.path(path), .verify, precondition: precondition)
  }

  /// Writes on a store with `a/b`, and the refusal.
  private static let rows: [(write: StoreWrite, refusal: String?)] = [
    (Fixture.set("a/none", precondition: .exists), none),
    (Fixture.set("a/b", precondition: .missing), present),
    (Fixture.set("a/b", precondition: .updateTime(old)), stored),
    (Fixture.set("a/none", precondition: .updateTime(old)), missing),
    (delete("a/none"), nil),
    (delete("a/none", .exists), none),
    (delete("a/b", .missing), present),
    (delete("a/b", .updateTime(old)), stored),
    (delete("a/none", .updateTime(old)), missing),
    (delete("a/none", .missing), nil),
    // A later version than the stored one; a missing document has version 0.
    (delete("a/b", .updateTime(Fixture.time(9))), later),
    (Fixture.set("a/b", precondition: .updateTime(Fixture.time(9))), later),
    (verify("a/b", .updateTime(Fixture.time(9))), later),
    (delete("a/none", .updateTime(Fixture.time(9))), laterThanMissing),
    (delete("a/none", .updateTime(.epoch)), nil),
    (Fixture.set("a/none", precondition: .updateTime(.epoch)), nil),
    (verify("a/none", .updateTime(.epoch)), nil),
    (verify("a/b", .updateTime(Fixture.start)), nil),
    (verify("a/b", .updateTime(old)), stored),
    (verify("a/none", .missing), nil),
    (verify("a/none", .exists), none),
    (Fixture.set("a/b", precondition: .updateTime(Fixture.start)), nil),
    (Fixture.set("a/b", precondition: .exists), nil),
    (Fixture.set("a/none", precondition: .missing), nil),
  ]

  @Test(arguments: rows.indices)
  func preconditionsAreAnsweredInTheOfficialWords(_ row: Int) throws {
    var store = try Fixture.store(["a/b"])
    let (write, expected) = Self.rows[row]
    try store.check([write])
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try store.commit([write], at: Fixture.time(5))
    }
    #expect(refusal == expected)
  }

  @Test func aMissingDocumentIsNamedWithAllItsLevels() {
    let path = Fixture.path("a/1/b/__id7__/c/é\"中😀")
    let text = Refusal.missing(path, in: Fixture.id).message
    let expected = [
      "type: \"a\"\n    name: \"1\"", "type: \"b\"\n    id: 7",
      #"type: "c""# + "\n    " + #"name: "\351\"\u4e2d\ud83d\ude00""#,
    ].map { "  Element {\n    \($0)\n  }\n" }.joined()
    #expect(text == "no entity to update: app: \"dev~demo-sem\"\npath <\n\(expected)>\n")
  }

  @Test func otherDatabasesAndNumericIDsAreNamed() {
    let second = DatabaseID(project: "demo-sem", database: DatabaseName("second"))
    let path = Fixture.path("a/__id7__")
    #expect(
      Refusal.stored(path, in: second).message
        == "entity already exists: EntityRef{partitionRef=dev~demo-sem#second, path=/a/7L}")
    #expect(Refusal.missing(path, in: second).message.hasSuffix(">\ndatabase_id: \"second\"\n"))
  }

  @Test func aVersionIsGivenInMicrosecondsSinceTheEpoch() throws {
    let fine = try #require(Timestamp(epochSeconds: 1, nanos: 1))
    let early = try #require(Timestamp(epochSeconds: -1))
    let cases = [
      (fine, "3 timestamp cannot have more than microseconds precision"),
      (early, "3 Only timestamps past epoch are supported."),
    ]
    for (time, expected) in cases {
      let write = Fixture.set("a/b", precondition: .updateTime(time))
      let store = Store(Fixture.id)
      let refusal = Fixture.refusal { () throws(Refusal) in try store.check([write]) }
      #expect(refusal == expected)
    }
  }

  @Test func aDocumentThatIsVerifiedToBeMissingHasTheTimeOfReading() throws {
    var store = Store(Fixture.id)
    let commit = try store.commit(
      [Self.verify("a/b", .missing), Fixture.set("a/c")], at: Fixture.time(5),
      readTime: Fixture.time(3))
    #expect(commit.results.map { $0.updated } == [Fixture.time(3), Fixture.time(5)])
    #expect(commit.changed == [Fixture.path("a/c"), Fixture.path("a/b")])
  }

  @Test func theVersionOfADeletedDocumentIsThatOfItsDeletion() throws {
    var store = Store(Fixture.id)
    _ = try store.commit([Fixture.set("a/b"), Fixture.set("a/c")], at: Fixture.time(0))
    _ = try store.commit([StoreWrite(Fixture.path("a/b"), .delete)], at: Fixture.time(1))
    _ = try store.commit(
      [StoreWrite(Fixture.path("a/b"), .delete), Fixture.set("a/c", ["x": .null])],
      at: Fixture.time(2))
    func refusal(_ path: String, _ time: Timestamp) -> String? {
      var copy = store
      return Fixture.refusal { () throws(Refusal) in
        _ = try copy.commit(
          [Fixture.set(path, precondition: .updateTime(time))], at: Fixture.time(9))
      }
    }
    let old = Timestamp(epochSeconds: 1)!
    let mismatch = "does not match the required base version (1000000)"
    #expect(refusal("a/b", old) == "9 the stored version (1800000000000001) \(mismatch)")
    #expect(refusal("a/never", old) == "9 the stored version (0) \(mismatch)")
    #expect(refusal("a/b", Fixture.time(1))?.hasPrefix("5 no entity to update") == true)
  }

  private typealias Row = (first: StoreWrite, second: StoreWrite, refusal: String?)

  /// Writes of a document with verifications of it on a `Write` stream, and what is refused of any document.
  private static var verified: [Row] {
    let old = StoreWrite.Precondition.updateTime(Timestamp(epochSeconds: 1)!)
    func set(_ precondition: StoreWrite.Precondition) -> StoreWrite {
      Fixture.set("a/b", precondition: precondition)
    }
    func delete(_ precondition: StoreWrite.Precondition) -> StoreWrite {
      StoreWrite(Fixture.path("a/b"), .delete, precondition: precondition)
    }
    func verify(_ precondition: StoreWrite.Precondition) -> StoreWrite {
      Self.verify("a/b", precondition)
    }
    let versions = "Cannot collapse mutations with different version preconditions (null and"
    return [
      (set(.none), verify(.exists), nil), (set(.none), verify(.missing), "upsert then verify"),
      (set(.none), verify(old), versions), (set(.missing), verify(.exists), nil),
      (set(.exists), verify(.missing), "update then verify"),
      (set(old), verify(.missing), "update then verify"), (verify(.exists), set(.none), nil),
      (verify(.exists), set(.exists), nil), (verify(.exists), set(.missing), "verify then insert"),
      (verify(.exists), set(old), versions), (verify(.missing), set(.none), nil),
      (verify(.missing), set(.exists), "verify then update"),
      (verify(.missing), set(.missing), nil),
      (verify(.missing), set(old), "verify then update"), (verify(old), set(old), nil),
      (verify(.exists), verify(.exists), nil),
      (verify(.exists), verify(.missing), "verify then verify"),
      (verify(.exists), verify(old), versions),
      (verify(.missing), verify(old), "verify then verify"),
      (delete(.none), verify(.exists), "delete then verify"),
      (delete(.none), verify(.missing), nil),
      (delete(old), verify(old), "delete then verify"),
      (verify(.exists), delete(.missing), "verify then delete"),
      (verify(.missing), delete(.exists), "verify then delete"),
      (verify(.missing), delete(old), versions), (verify(old), delete(.none), nil),
    ]
  }

  @Test(arguments: verified.indices)
  func aVerificationStandsBesideWritesThatItAgreesWith(_ row: Int) {
    let (first, second, expected) = Self.verified[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in try store.check([first, second]) }
    guard let expected else { return #expect(refusal == nil) }
    #expect(refusal?.contains(expected) == true, "\(refusal ?? "")")
  }

  /// Writes of one document, and what is refused of them: `s` sets it, `d` deletes it, `-` if it is missing,
  /// `+` if it is stored, `t` and `u` if its version is one of two.
  private static let repeated: [(String, String?)] = [
    ("d dt", "preconditions (null and"), ("d- dt", "preconditions (null and"),
    ("d+ dt", "preconditions (null and"), ("d dt s+", "preconditions (null and"), ("dt dt", nil),
    ("dt du", "preconditions (VersionPrecondition"), ("st d dt", nil),
    ("st d du", "preconditions (VersionPrecondition"), ("d st", "delete then update"),
    ("s s+ d-", "upsert then delete"), ("s- s d-", "insert then delete"),
    ("st s s-", "update then insert"), ("d s- d-", "upsert then delete"),
    ("d- s s-", "insert then insert"), ("d+ s d-", "update then delete"),
    ("dt s s-", "upsert then insert"), ("s d s+", "delete then update"),
  ]

  @Test(arguments: repeated)
  func theFirstWriteSaysHowTheDocumentIsThenStored(_ kinds: String, _ expected: String?) {
    let writes = kinds.split(separator: " ").map { kind -> StoreWrite in
      let precondition: StoreWrite.Precondition
      switch kind.dropFirst() {
      case "-": precondition = .missing
      case "+": precondition = .exists
      case "t": precondition = .updateTime(Timestamp(epochSeconds: 1)!)
      case "u": precondition = .updateTime(Timestamp(epochSeconds: 2)!)
      default: precondition = .none
      }
      return kind.first == "s"
        ? Fixture.set("a/b", precondition: precondition)
        : StoreWrite(Fixture.path("a/b"), .delete, precondition: precondition)
    }
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in try store.check(writes) }
    guard let expected else { return #expect(refusal == nil) }
    #expect(refusal?.contains(expected) == true, "\(refusal ?? "")")
  }

  @Test func aVerificationHasAPrecondition() throws {
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in
      try store.check([Self.verify("a/b", .none)])
    }
    #expect(refusal == "3 a verify must contain a precondition")
    try store.check([Self.verify("a/b", .exists)])
  }

  @Test func aDocumentHasAMebibyteAtMostByTheDocumentedCount() throws {
    var store = Store(Fixture.id)
    func set(_ count: Int) -> StoreWrite {
      let texts = [count, 500_000].map { Value.string(Text(String(repeating: "a", count: $0))) }
      return Fixture.set("sz/v", ["x": texts[0], "y": texts[1]])
    }
    // The greatest document that the official emulator takes.
    _ = try store.commit([set(548_517)], at: Fixture.time(0))
    try store.check([set(548_518)])
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try store.commit([set(548_518)], at: Fixture.time(1))
    }
    #expect(refusal == "3 maximum entity size is 1048576 bytes")
  }

  @Test func aSetOfTheSameDataKeepsTheUpdateTime() throws {
    var store = Store(Fixture.id)
    let data: [String: Value] = ["x": .int(1), "y": .map(Fixture.map(["z": .float(.nan)]))]
    _ = try store.commit([Fixture.set("a/b", data)], at: Fixture.time(0))
    let again = try store.commit([Fixture.set("a/b", data)], at: Fixture.time(9))
    #expect(again.time == Fixture.time(9))
    #expect(again.results[0].updated == Fixture.time(0))
    #expect(again.changed == [Fixture.path("a/b")])
    // An int is not the float that filters take it for.
    let other = try store.commit(
      [Fixture.set("a/b", ["x": .float(1), "y": data["y"]!])], at: Fixture.time(20))
    #expect(other.results[0].updated == Fixture.time(20))
    #expect(store[Fixture.path("a/b")]?.created == Fixture.time(0))
  }

  @Test func anEmptyCommitHasNoTime() throws {
    var store = try Fixture.store(["a/b"])
    let commit = try store.commit([], at: Fixture.time(5))
    #expect(commit.time == nil && commit.results.isEmpty && commit.changed.isEmpty)
    #expect(store.lastTime == Fixture.start)
  }

  @Test func allWritesOfACommitShareItsTimeAndTimesGrow() throws {
    var store = Store(Fixture.id)
    let first = try store.commit([Fixture.set("a/1"), Fixture.set("a/2")], at: Fixture.time(3))
    #expect(first.results.map { $0.updated } == [Fixture.time(3), Fixture.time(3)])
    let second = try store.commit([Fixture.set("a/3")], at: Fixture.time(-99))
    #expect(second.time == Fixture.time(4))
    #expect(store.lastTime == Fixture.time(4))
  }

  @Test func aCommitIsDoneAsAWholeOrNotAtAll() throws {
    var store = try Fixture.store(["a/b"])
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try store.commit(
        [Fixture.set("b/3"), Self.delete("a/b"), Fixture.set("b/nope", precondition: .exists)],
        at: Fixture.time(5))
    }
    #expect(refusal?.hasPrefix("5 ") == true)
    #expect(store[Fixture.path("b/3")] == nil && store[Fixture.path("a/b")] != nil)
    #expect(store.count == 1 && store.lastTime == Fixture.start)
  }

  @Test func writesOfOneDocumentComeInOrder() throws {
    var store = Store(Fixture.id)
    let masked = StoreWrite(
      Fixture.path("b/1"), .set(Fixture.map(["y": .int(2)]), mask: [FieldPath(["y"])]),
      precondition: .exists)
    let writes = [Fixture.set("b/1", precondition: .missing), masked]
    try store.check(writes)
    let commit = try store.commit(writes, at: Fixture.time(0))
    #expect(commit.changed == [Fixture.path("b/1")])
    #expect(store[Fixture.path("b/1")]?.data.keys == ["x", "y"])
  }

  @Test func aDocumentThatIsDeletedAndCreatedIsANewOne() throws {
    var store = try Fixture.store(["b/1"])
    let data = try #require(store[Fixture.path("b/1")]?.data)
    let writes = [
      Self.delete("b/1"), StoreWrite(Fixture.path("b/1"), .set(data, mask: nil)),
    ]
    try store.check(writes)
    let commit = try store.commit(writes, at: Fixture.time(7))
    // Both writes are answered with what becomes of the document.
    #expect(commit.results.map { $0.updated } == [Fixture.time(7), Fixture.time(7)])
    #expect(store[Fixture.path("b/1")]?.created == Fixture.time(7))
    #expect(store.count == 1)
  }

  @Test func thereIsNoLimitOnWrites() throws {
    var store = Store(Fixture.id)
    let writes = (0..<501).map { Fixture.set("c/\($0)") }
    try store.check(writes)
    #expect(try store.commit(writes, at: Fixture.start).results.count == 501)
  }

  @Test func aWriteIsAskedOfTheRulesAsItsPreconditionSays() {
    let cases: [(StoreWrite, Write.Precondition?)] = [
      (Fixture.set("a/b"), Write.Precondition.none),
      (Fixture.set("a/b", precondition: .exists), .exists),
      (Fixture.set("a/b", precondition: .missing), .missing),
      (Fixture.set("a/b", precondition: .updateTime(Fixture.start)), .exists),
      (Self.verify("a/b", .exists), nil),
    ]
    for (write, expected) in cases { #expect(write.rulesWrite?.precondition == expected) }
    let old = StoreWrite(
      Fixture.path("a/t"), .transform, transforms: [(FieldPath(["k"]), .serverTimestamp)])
    #expect(old.rulesWrite?.transforms.count == 1)
  }

  @Test func aBatchAppliesEachWriteByItself() throws {
    var store = Store(Fixture.id)
    var clock = ServerClock()
    let writes = [
      Fixture.set("d/1"), Fixture.set("d/none", precondition: .exists),
      Fixture.set("d/3"),
    ]
    let outcomes = try store.batch(writes, at: clock.next(after: Fixture.time(0)), clock: &clock)
    let words = outcomes.map { outcome in
      switch outcome {
      case .written(let result, let time): "\(result.updated == time) \(time == store.lastTime)"
      case .refused(let refusal): "\(refusal.code)"
      }
    }
    #expect(words == ["true false", "5", "true true"])
    #expect(store.count == 2)
    #expect(clock.next(after: Fixture.time(0)) > store.lastTime)
  }

  @Test func aLockedDocumentFailsItsOwnWriteOfABatch() throws {
    var store = Store(Fixture.id)
    var clock = ServerClock()
    let outcomes = try store.batch(
      [Fixture.set("d/1"), Fixture.set("d/2")], at: clock.next(after: Fixture.time(0)),
      clock: &clock, locked: [Fixture.path("d/1")])
    guard case .refused(let refusal) = outcomes[0], case .written = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(refusal == Refusal(code: 10, message: "Transaction lock timeout."))
    #expect(store[Fixture.path("d/1")] == nil && store[Fixture.path("d/2")] != nil)
  }

  @Test func aBatchWithABadArgumentWritesNothing() {
    var store = Store(Fixture.id)
    var clock = ServerClock()
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try store.batch(
        [Fixture.set("d/1"), Fixture.set("d/2", ["__x__": .int(1)])], at: Fixture.start,
        clock: &clock)
    }
    #expect(refusal == "3 field name __x__ is reserved")
    #expect(store.count == 0)
  }

  /// Preconditions of two writes of a document that was last changed at the start, and what is refused.
  private static let versions: [([StoreWrite.Precondition], String?)] = [
    (
      [.none, .updateTime(Fixture.start)],
      "null and VersionPrecondition{exactBaseVersion=1800000000000000, maxBaseVersion=null}"
    ),
    (
      [.exists, .updateTime(Fixture.start)],
      "null and VersionPrecondition{exactBaseVersion=1800000000000000, maxBaseVersion=null}"
    ),
    (
      [.updateTime(Fixture.time(1)), .updateTime(Fixture.start)],
      "VersionPrecondition{exactBaseVersion=1800000000000001, maxBaseVersion=null} and "
        + "VersionPrecondition{exactBaseVersion=1800000000000000, maxBaseVersion=null}"
    ),
    ([.updateTime(Fixture.start), .none], nil),
    ([.updateTime(Fixture.start), .exists], nil),
    ([.updateTime(Fixture.start), .updateTime(Fixture.start)], nil),
  ]

  @Test(arguments: versions.indices)
  func theVersionOfTheFirstWriteStandsForAll(_ row: Int) throws {
    let (preconditions, words) = Self.versions[row]
    var store = try Fixture.store(["b/1"])
    let writes = preconditions.enumerated().map {
      Fixture.set("b/1", ["x": .int(Int64($0.offset) + 5)], precondition: $0.element)
    }
    let refusal = Fixture.refusal { () throws(Refusal) in
      try store.check(writes)
      _ = try store.commit(writes, at: Fixture.time(9))
    }
    let refused = words.map {
      "3 Cannot collapse mutations with different version preconditions (\($0))"
    }
    #expect(refusal == refused)
    #expect(store[Fixture.path("b/1")]?.updated == (words == nil ? Fixture.time(9) : Fixture.start))
  }

  @Test func writesThatChangeNothingTogetherKeepTheTimeOfTheLastChange() throws {
    var store = try Fixture.store(["b/1"])
    let data = try #require(store[Fixture.path("b/1")]?.data)
    let commit = try store.commit(
      [Fixture.set("b/1", ["x": .int(7)]), StoreWrite(Fixture.path("b/1"), .set(data, mask: nil))],
      at: Fixture.time(7))
    #expect(commit.results.map { $0.updated } == [Fixture.start, Fixture.start])
    #expect(store[Fixture.path("b/1")]?.updated == Fixture.start)
    #expect(commit.changed == [Fixture.path("b/1")])
  }

  @Test func aBatchHasEachDocumentOnce() {
    var store = Store(Fixture.id)
    var clock = ServerClock()
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try store.batch(
        [Fixture.set("d/1"), Fixture.set("d/1")], at: Fixture.start, clock: &clock)
    }
    #expect(
      refusal == "3 the same document cannot be written more than once in a single request")
  }

  /// Random commits on a few documents, against a plain dictionary that is copied for each commit.
  @Test(arguments: [21, 22, 23] as [UInt64])
  func commitsDoWhatAPlainDictionaryDoes(_ seed: UInt64) throws {
    var numbers = FixedNumbers(seed: seed)
    var store = Store(Fixture.id)
    var plain: [DocumentPath: (data: Int64, created: Timestamp, updated: Timestamp)] = [:]
    for step in 1...400 as ClosedRange<Int64> {
      var after = plain
      var isRefused = false
      let writes = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        let precondition =
          [StoreWrite.Precondition.none, .none, .exists, .missing]
          .randomElement(using: &numbers) ?? .none
        let path = "a/\(Int.random(in: 0..<4, using: &numbers))"
        return Int.random(in: 0..<3, using: &numbers) == 0
          ? Self.delete(path, precondition)
          : Fixture.set(
            path, ["x": .int(Int64.random(in: 0..<2, using: &numbers))], precondition: precondition)
      }
      for write in writes {
        let isStored = after[write.path] != nil
        if write.precondition == .exists, !isStored { isRefused = true }
        if write.precondition == .missing, isStored { isRefused = true }
        guard case .set(let data, _) = write.change, case .int(let number)? = data["x"] else {
          after[write.path] = nil
          continue
        }
        let old = after[write.path]
        if old?.data == number { continue }
        after[write.path] = (number, old?.created ?? Fixture.time(step), Fixture.time(step))
      }
      for (path, old) in plain {
        guard let new = after[path], new.data == old.data, new.created == old.created else {
          continue
        }
        after[path] = old
      }
      let refusal = Fixture.refusal { () throws(Refusal) in
        _ = try store.commit(writes, at: Fixture.time(step))
      }
      #expect((refusal != nil) == isRefused)
      if !isRefused { plain = after }
      for number in 0..<4 {
        let path = Fixture.path("a/\(number)")
        let (stored, expected) = (store[path], plain[path])
        #expect((stored == nil) == (expected == nil))
        guard let stored, let expected, case .int(let found)? = stored.data["x"] else { continue }
        #expect(found == expected.data)
        #expect(stored.created == expected.created && stored.updated == expected.updated)
      }
    }
  }
}
