import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct StoreTests {
  /// The address of the dictionary that a value keeps under a name; nil if it has none.
  private func address(of name: String, in value: Any) -> UInt? {
    guard let child = Mirror(reflecting: value).children.first(where: { $0.label == name })?.value
    else { return nil }
    guard let documents = child as? [DocumentPath: MapValue] else { return nil }
    // Safe: a dictionary is one reference to its storage, and only the number is looked at.
    return unsafeBitCast(documents, to: UInt.self)
  }

  private func chunkAddresses(_ store: Store) -> [UnsafePointer<CollectionEntry>?] {
    (store.tree.collection(Fixture.path("c"))?.entries.chunks ?? []).map {
      $0.withUnsafeBufferPointer { $0.baseAddress }
    }
  }

  @Test func aCommitOnManyDocumentsCopiesNone() throws {
    var store = Store(Fixture.id)
    _ = try store.commit((0..<20_000).map { Fixture.set("c/\($0)") }, at: Fixture.start)
    // Room for more, so that the next insertion is not the one that grows the table.
    _ = try store.commit([Fixture.set("c/first")], at: Fixture.start)
    let base = try #require(address(of: "base", in: store.documents))
    let chunks = chunkAddresses(store)
    #expect(chunks.count > 30)
    for step in 0..<5 {
      // A decision applies the writes to a copy of what is stored.
      var copy = store.documents
      let write = Fixture.set("c/\(step * 3)", ["x": .int(7)])
      copy.commit([try #require(write.rulesWrite)], at: Fixture.start)
      #expect(address(of: "base", in: copy) == base)
      copy = Documents()
      _ = try store.commit([write], at: Fixture.start)
    }
    _ = try store.commit([StoreWrite(Fixture.path("c/17"), .delete)], at: Fixture.start)
    #expect(address(of: "base", in: store.documents) == base)
    let after = chunkAddresses(store)
    #expect(zip(chunks, after).allSatisfy { $0 == $1 } && chunks.count == after.count)
    #expect(store.count == 20_000)
  }

  @Test func clearingTellsWhatWasStored() throws {
    var store = try Fixture.store(["a/1", "a/1/b/2", "c/3"])
    #expect(store.clear() == ["a/1", "a/1/b/2", "c/3"].map { Fixture.path($0) })
    #expect(store.clear() == [])
    #expect(store.count == 0 && store.documents.all.isEmpty)
    _ = try store.commit([Fixture.set("c/3")], at: Fixture.time(1))
    #expect(store.count == 1 && store[Fixture.path("c/3")]?.created == Fixture.time(1))
  }

  @Test(arguments: [
    ("a/1", ["a/1", "a/1/b/2", "a/1/b/2/c/3"], ["a", "aa"]),
    ("a", ["a/1", "a/1/b/2", "a/1/b/2/c/3", "a/9"], ["aa"]),
    ("a/1/b", ["a/1/b/2", "a/1/b/2/c/3"], ["a", "aa"]), ("z", [], ["a", "aa"]),
  ])
  func aSubtreeIsDeletedAsAWhole(_ path: String, _ deleted: [String], _ left: [String]) throws {
    var store = try Fixture.store(["a/1", "a/1/b/2", "a/1/b/2/c/3", "a/9", "aa/1"])
    #expect(store.delete(below: Fixture.path(path)) == deleted.map { Fixture.path($0) })
    #expect(
      store.tree.children(of: DocumentPath([])).chunks.flatMap { $0.map { String($0.key) } } == left
    )
    #expect(store.count == 5 - deleted.count)
  }

  @Test func thePastIsReadAsItWas() throws {
    var store = Store(Fixture.id)
    for step in 0..<5 as Range<Int64> {
      _ = try store.commit([Fixture.set("a/1", ["x": .int(step)])], at: Fixture.time(step * 10))
    }
    _ = try store.commit([StoreWrite(Fixture.path("a/1"), .delete)], at: Fixture.time(50))
    for (time, expected) in [(-1, nil), (0, 0), (9, 0), (10, 1), (45, 4), (50, nil), (99, nil)] {
      let past = try store.past(at: Fixture.time(Int64(time)), now: Fixture.time(100))
      let found = past[Fixture.path("a/1")]?.data["x"]
      #expect(found.map { "\($0)" } == expected.map { "int(\($0))" }, "\(time)")
      #expect((past.documents[Fixture.path("a/1")] != nil) == (expected != nil))
    }
    #expect(store[Fixture.path("a/1")] == nil)
  }

  @Test func thePastIsKeptWithinLimits() throws {
    var store = Store(Fixture.id)
    let tooOld = "9 The requested 'read_time' is too old."
    _ = try store.commit([Fixture.set("a/1")], at: Fixture.time(0))
    let hour = Fixture.time(3_601_000_000)
    let old = Fixture.refusal { () throws(Refusal) in
      _ = try store.past(at: Fixture.time(0), now: hour)
    }
    #expect(old == tooOld)
    let text = Value.string(Text(String(repeating: "x", count: 1_000_000)))
    for step in 1...20 as ClosedRange<Int64> {
      _ = try store.commit(
        [Fixture.set("a/1", ["x": text, "n": .int(step)])], at: Fixture.time(step))
    }
    #expect(store.history.kept.count <= 17)
    let full = Fixture.refusal { () throws(Refusal) in
      _ = try store.past(at: Fixture.time(1), now: Fixture.time(30))
    }
    #expect(full == tooOld)
    #expect(
      try store.past(at: Fixture.time(19), now: Fixture.time(30)).lastTime == Fixture.time(19))
  }

  @Test func versionsThatAreKeptAreLimitedInNumber() {
    var history = History()
    for step in 0..<10_000 as Range<Int64> {
      history.add(Fixture.path("a/1"), nil, replaced: Fixture.time(step))
    }
    #expect(history.kept.count == History.mostVersions)
    #expect(history.floor == Fixture.time(10_000 - Int64(History.mostVersions) - 1))
  }
}
