import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct CollectionTreeTests {
  /// Every path of the tree's documents, as a walk passes them.
  private func walk(_ store: Store, below path: String = "") -> [String] {
    var paths: [String] = []
    store.tree.forEachDocument(below: Fixture.path(path)) { document in
      paths.append(String(document.path.text).dropFirst().description)
      return true
    }
    return paths
  }

  private func ids(_ store: Store, below path: String = "") -> [String] {
    store.tree.children(of: Fixture.path(path)).chunks.flatMap { $0.map { String($0.key) } }
  }

  @Test func aWalkPassesDocumentsInTheOrderOfTheirPaths() throws {
    let store = try Fixture.store([
      "b/1", "a/2/c/x", "a/10", "a/2", "a/__id10__", "a/__id7__", "a/2/b/y/c/z", "a/\u{FFFF}",
      "a/😀",
      "a/B",
    ])
    #expect(
      walk(store) == [
        "a/__id7__", "a/__id10__", "a/10", "a/2", "a/2/b/y/c/z", "a/2/c/x", "a/B", "a/\u{FFFF}",
        "a/😀",
        "b/1",
      ])
    #expect(walk(store, below: "a/2") == ["a/2/b/y/c/z", "a/2/c/x"])
  }

  @Test func collectionsExistByWhatIsBelowThemAlone() throws {
    var store = try Fixture.store(["m/ghost/s/1/t/2"])
    #expect(ids(store) == ["m"])
    #expect(ids(store, below: "m/ghost") == ["s"])
    #expect(ids(store, below: "m/ghost/s/1") == ["t"])
    #expect(store[Fixture.path("m/ghost")] == nil)
    #expect(store.count == 1)
    _ = try store.commit([Fixture.set("m/ghost/s/1")], at: Fixture.time(1))
    _ = try store.commit(
      [StoreWrite(Fixture.path("m/ghost/s/1/t/2"), .delete)], at: Fixture.time(2))
    #expect(ids(store, below: "m/ghost/s/1") == [])
    #expect(ids(store, below: "m/ghost") == ["s"])
    _ = try store.commit([StoreWrite(Fixture.path("m/ghost/s/1"), .delete)], at: Fixture.time(3))
    #expect(ids(store) == [])
    #expect(ids(store, below: "m/ghost") == [])
    #expect(store.count == 0)
  }

  /// Writes and deletes documents at random, and compares what is there with a plain list.
  @Test(arguments: [11, 12, 13] as [UInt64])
  func theTreeHasWhatAPlainListHas(_ seed: UInt64) throws {
    var numbers = FixedNumbers(seed: seed)
    var store = Store(Fixture.id)
    var stored: Set<String> = []
    for step in 0..<700 {
      let depth = Int.random(in: 1...3, using: &numbers)
      let path = (0..<depth).map { _ in
        "\(["a", "b", "t"].randomElement(using: &numbers)!)/\(Int.random(in: 0..<6, using: &numbers))"
      }.joined(separator: "/")
      let isDelete = Int.random(in: 0..<(step < 350 ? 4 : 2), using: &numbers) == 0
      let write = isDelete ? StoreWrite(Fixture.path(path), .delete) : Fixture.set(path)
      _ = try store.commit([write], at: Fixture.time(Int64(step)))
      if isDelete { stored.remove(path) } else { stored.insert(path) }
    }
    let paths = stored.map { Fixture.path($0) }.sorted(by: DocumentPath.precedes)
    #expect(walk(store) == paths.map { String($0.text).dropFirst().description })
    #expect(store.count == stored.count)
    #expect(Set(store.documents.all.map { $0.path }) == Set(paths))
    let parents = ["", "a/1", "b/2", "t/0/a/5", "a/1/t/3"]
    for parent in parents.map({ Fixture.path($0) }) {
      let below = paths.filter { $0.isWithin(parent) && $0 != parent }
      let names = Set(below.map { $0.segments[parent.segments.count] })
      #expect(Set(store.tree.children(of: parent).chunks.flatMap { $0.map { $0.key } }) == names)
      var group: [DocumentPath] = []
      store.tree.forEachCollection(ofGroup: "t", below: parent) { collection in
        collection.forEach {
          group.append($0.path)
          return true
        }
      }
      #expect(
        group.sorted(by: DocumentPath.precedes)
          == below.filter { $0.segments[$0.segments.count - 2] == "t" })
    }
    for path in paths { #expect(store[path] != nil) }
  }

  /// Ranges of paths over all documents, each end with and without its path, by a plain filter.
  @Test func aWalkInARangePassesWhatIsInTheRange() throws {
    let store = try Fixture.store([
      "a/1", "a/2", "a/2/b/1", "a/2/b/3", "a/3", "b/1", "b/1/a/1", "c/9",
    ])
    var all: [DocumentPath] = []
    store.tree.forEachDocument(below: DocumentPath([])) {
      all.append($0.path)
      return true
    }
    let ends =
      all + ["a/0", "a/2/b/2", "a/2/a/9", "a/22", "b/1/b/1", "d/1"].map { Fixture.path($0) }
    for lower in ends {
      for upper in ends {
        for (low, high) in [(true, true), (false, true), (true, false), (false, false)] {
          let range = PathRange(
            lower: PathRange.End(path: lower, isIncluded: low),
            upper: PathRange.End(path: upper, isIncluded: high))
          var passed: [DocumentPath] = []
          store.tree.forEachDocument(below: DocumentPath([]), in: range) {
            passed.append($0.path)
            return true
          }
          let expected = all.filter { path in
            (DocumentPath.precedes(lower, path) || low && lower == path)
              && (DocumentPath.precedes(path, upper) || high && upper == path)
          }
          #expect(passed == expected, "\(lower.text) to \(upper.text)")
        }
      }
    }
  }

  @Test func aHundredLevelsAreNoTrouble() throws {
    let deep = Array(repeating: "a/b", count: 100).joined(separator: "/")
    var store = try Fixture.store([deep])
    #expect(walk(store) == [deep])
    #expect(store.delete(below: Fixture.path("a")) == [Fixture.path(deep)])
    #expect(ids(store) == [])
  }
}
