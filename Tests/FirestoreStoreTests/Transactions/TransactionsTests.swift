import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Transactions, as the official emulator answers (Docs/Emulator.md, Transactions). Times are in seconds.
@Suite struct TransactionsTests {
  private func time(_ seconds: Double) -> Timestamp { Fixture.time(Int64(seconds * 1_000_000)) }

  private let first = Fixture.path("a/1")

  private func target(_ path: String) -> LockTarget { .document(Fixture.path(path)) }

  private static let closed = "3 Transaction is invalid or closed."
  private static let timeout = "10 Transaction lock timeout."

  /// The answer to a commit that writes some documents, as text.
  private func admit(
    _ transactions: inout Transactions, _ paths: [String], in id: TransactionID? = nil,
    since arrival: Double, at now: Double
  ) -> String {
    do throws(Refusal) {
      let admission = try transactions.admit(
        paths.map { Fixture.path($0) }, in: id, since: time(arrival), at: time(now))
      switch admission {
      case .granted: return "granted"
      case .waits(let until, let holder):
        return "until \(until.since(time(0)).seconds) for \(holder.number ?? 0)"
      }
    } catch {
      return "\(error.code) \(error.message)"
    }
  }

  @Test func anIDIsTheByte11AndACounter() throws {
    var transactions = Transactions()
    let one = try transactions.begin(isReadOnly: false, at: time(0))
    let two = try transactions.begin(isReadOnly: false, at: time(0))
    #expect(one.bytes == [0x11, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(two.bytes == [0x11, 2, 0, 0, 0, 0, 0, 0, 0])
    #expect(TransactionID(bytes: two.bytes) == two)
  }

  @Test func aWriteFromOutsideWaitsTwoSecondsForAReader() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: false, at: time(0))
    #expect(try transactions.read([target("a/1")], in: id, at: time(0)) == nil)
    #expect(admit(&transactions, ["a/1"], since: 1, at: 1) == "until 3 for 1")
    #expect(admit(&transactions, ["a/1"], since: 1, at: 2.9) == "until 3 for 1")
    #expect(admit(&transactions, ["a/1"], since: 1, at: 3) == Self.timeout)
    #expect(admit(&transactions, ["a/2", "b/1"], since: 1, at: 1) == "granted")
    // The transaction itself goes on.
    #expect(admit(&transactions, ["a/1"], in: id, since: 4, at: 4) == "granted")
    transactions.finish(id)
    #expect(admit(&transactions, ["a/1"], since: 4, at: 4) == "granted")
  }

  @Test func ofTwoThatReadAndWriteTheFirstIsAbortedAndTheSecondCommits() throws {
    var transactions = Transactions()
    let one = try transactions.begin(isReadOnly: false, at: time(0))
    let two = try transactions.begin(isReadOnly: false, at: time(0))
    for id in [one, two] { _ = try transactions.read([target("a/1")], in: id, at: time(0)) }
    #expect(admit(&transactions, ["a/1"], in: one, since: 1, at: 1) == "until 3 for 2")
    #expect(admit(&transactions, ["a/1"], in: two, since: 1.5, at: 1.5) == "until 3 for 1")
    #expect(admit(&transactions, ["a/1"], in: one, since: 1, at: 3) == Self.timeout)
    #expect(admit(&transactions, ["a/1"], in: two, since: 1.5, at: 3) == "granted")
    #expect(admit(&transactions, ["a/1"], in: one, since: 4, at: 4) == Self.closed)
  }

  /// A query locks every collection with the ID of its own, as at the official emulator.
  @Test func aQueryLocksWhatItsCollectionsWillHave() throws {
    func query(
      _ parent: String, _ collection: String, _ allDescendants: Bool
    ) throws -> LockTarget {
      let query = StoreQuery(
        parent: Fixture.path(parent), collection: Text(collection), allDescendants: allDescendants)
      return try #require(query.lockTarget)
    }
    #expect(StoreQuery(parent: Fixture.path(""), collection: nil).lockTarget == nil)
    let cases: [(LockTarget, waits: [String], passes: [String])] = [
      (
        try query("", "a", false), ["a/1", "a/new", "p/1/a/1", "a/1/a/2"],
        ["b/1", "a/1/b/2", "p/1"]
      ),
      (try query("p/1", "a", false), ["p/1/a/1", "a/1", "p/2/a/1"], ["p/1"]),
      (try query("", "a", true), ["a/1", "p/1/a/1", "p/1/q/2/a/1"], ["b/1", "a/1/b/1"]),
      (try query("p/1", "a", true), ["p/1/a/1", "p/1/q/2/a/1", "a/1"], ["p/1"]),
      (target("a/none"), ["a/none"], ["a/1", "a/none/b/1"]),
    ]
    for (lock, waits, passes) in cases {
      var transactions = Transactions()
      let id = try transactions.begin(isReadOnly: false, at: time(0))
      _ = try transactions.read([lock], in: id, at: time(0))
      for path in waits {
        #expect(admit(&transactions, [path], since: 0, at: 0) == "until 2 for 1", "\(lock) \(path)")
      }
      for path in passes {
        #expect(admit(&transactions, [path], since: 0, at: 0) == "granted", "\(lock) \(path)")
      }
    }
  }

  @Test func aForgottenTransactionHoldsItsLocksForAMinute() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: false, at: time(0))
    _ = try transactions.read([target("a/1")], in: id, at: time(5))
    #expect(transactions.nextExpiry == time(60))
    #expect(transactions.expire(at: time(60)) == [])
    #expect(transactions.nextExpiry == time(65))
    #expect(admit(&transactions, ["a/1"], since: 64, at: 64) == "until 66 for 1")
    #expect(transactions.expire(at: time(65)) == [id])
    #expect(transactions.nextExpiry == nil)
    #expect(admit(&transactions, ["a/1"], since: 64, at: 65) == "granted")
    #expect(admit(&transactions, ["a/1"], in: id, since: 66, at: 66) == Self.closed)
  }

  @Test func aTransactionIsClosedAMinuteAfterItsLastUseThoughNobodyLooked() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: false, at: time(0))
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try transactions.read([], in: id, at: time(61))
    }
    #expect(refusal == Self.closed)
  }

  @Test func readersOfASnapshotHoldNothingAndCannotWrite() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: true, at: time(1))
    #expect(try transactions.read([target("a/1")], in: id, at: time(2)) == time(1))
    #expect(admit(&transactions, ["a/1"], since: 2, at: 2) == "granted")
    #expect(
      admit(&transactions, ["a/1"], in: id, since: 2, at: 2)
        == "3 Cannot modify entities in a read-only transaction.")
    #expect(admit(&transactions, [], in: id, since: 2, at: 2) == "granted")
    let older = try transactions.begin(isReadOnly: true, readTime: time(0.5), at: time(3))
    #expect(try transactions.read([], in: older, at: time(4)) == time(0.5))
  }

  @Test func aReadOnlyTransactionSeesTheStoreAsItWas() throws {
    var store = Store(Fixture.id)
    var transactions = Transactions()
    _ = try store.commit([Fixture.set("a/1", ["x": .int(1)])], at: time(1))
    let id = try transactions.begin(isReadOnly: true, at: time(2))
    _ = try store.commit([Fixture.set("a/1", ["x": .int(2)])], at: time(3))
    let moment = try #require(try transactions.read([], in: id, at: time(4)))
    let past = try store.past(at: moment, now: time(4))
    #expect(past[first].map { "\($0.data.values)" } == "[RulesEval.Value.int(1)]")
  }

  @Test func aTransactionIsRolledBackOftenButMustBeKnown() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: false, at: time(0))
    _ = try transactions.read([target("a/1")], in: id, at: time(0))
    try transactions.rollback(id, at: time(1))
    try transactions.rollback(id, at: time(2))
    #expect(admit(&transactions, ["a/1"], since: 2, at: 2) == "granted")
    let unknown = [
      Array("zzz".utf8), [], [0x11, 2, 0, 0, 0, 0, 0, 0, 0],
      [0x11] + [UInt8](repeating: 0, count: 8),
    ]
    for bytes in unknown {
      let refusal = Fixture.refusal { () throws(Refusal) in
        try transactions.rollback(TransactionID(bytes: bytes), at: time(2))
      }
      #expect(refusal == "3 Invalid transaction.")
      #expect(
        admit(&transactions, [], in: TransactionID(bytes: bytes), since: 2, at: 2)
          == "3 Invalid transaction.")
    }
  }

  @Test func aReaderOfVeryManyDocumentsLocksEverything() throws {
    var transactions = Transactions()
    let id = try transactions.begin(isReadOnly: false, at: time(0))
    _ = try transactions.read(
      (0..<Transactions.mostLocks).map { target("a/\($0)") }, in: id, at: time(0))
    #expect(admit(&transactions, ["b/1"], since: 0, at: 0) == "granted")
    _ = try transactions.read([target("a/one"), target("a/more")], in: id, at: time(0))
    #expect(admit(&transactions, ["b/1"], since: 0, at: 0) == "until 2 for 1")
    transactions.finish(id)
    #expect(admit(&transactions, ["a/0", "b/1"], since: 0, at: 0) == "granted")
  }

  @Test func openTransactionsAreLimited() throws {
    var transactions = Transactions()
    for _ in 0..<Transactions.mostOpen {
      _ = try transactions.begin(isReadOnly: false, at: time(0))
    }
    let refusal = Fixture.refusal { () throws(Refusal) in
      _ = try transactions.begin(isReadOnly: false, at: time(1))
    }
    #expect(refusal?.hasPrefix("9 ") == true)
    // The forgotten ones make room.
    _ = try transactions.begin(isReadOnly: false, at: time(61))
  }
}
