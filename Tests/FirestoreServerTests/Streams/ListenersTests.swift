import FirestoreStore
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Calls found by what they listen to.
@Suite struct ListenersTests {
  private static let databases = [
    DatabaseID(project: "p", database: .standard), DatabaseID(project: "q", database: .standard),
  ]

  /// The plain form: every call with its targets, asked one by one.
  private struct Plain {
    var calls: [(id: Int, database: DatabaseID, targets: [ListenTarget])] = []

    func concerned(byWritesOf paths: [DocumentPath], in database: DatabaseID) -> [Int] {
      calls.filter { call in
        call.database == database
          && call.targets.contains { target in paths.contains { Self.concerns(target, $0) } }
      }.map(\.id)
    }

    private static func concerns(_ target: ListenTarget, _ path: DocumentPath) -> Bool {
      switch target.subject {
      case .documents(let paths): paths.contains(path)
      case .query(let query): query.covers(path)
      }
    }
  }

  private static func path(_ dice: inout Dice, documents depth: Int) -> DocumentPath {
    DocumentPath((0..<2 * depth).map { _ in dice.pick(["a", "b"]) })
  }

  private static func target(_ dice: inout Dice) -> ListenTarget {
    guard dice.chance(60) else {
      var paths: [DocumentPath] = []
      for path in dice.several(1...3, make: { path(&$0, documents: $0.roll(1...3)) })
      where !paths.contains(path) { paths.append(path) }
      return ListenTarget(number: 1, subject: .documents(paths))
    }
    let parent = path(&dice, documents: dice.roll(0...2))
    let query = StoreQuery(
      parent: parent, collection: dice.pick([nil, "a", "b"]), allDescendants: dice.chance(50))
    return ListenTarget(number: 1, subject: .query(query))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func writesFindTheCallsThatAskingEachOneFinds(seed: UInt64) {
    var dice = Dice(seed: seed, 2)
    var (fast, plain) = (Listeners<Int>(), Plain())
    var (found, missed) = (0, 0)
    for step in 0..<300 {
      let place = dice.roll(max(1, plain.calls.count))
      switch dice.roll(6) {
      case 0:
        fast.begin(step)
        plain.calls.append((step, dice.pick(Self.databases), []))
      case 1 where place < plain.calls.count && dice.chance(30):
        fast.end(plain.calls.remove(at: place).id)
      case 2 where place < plain.calls.count && !plain.calls[place].targets.isEmpty:
        let target = plain.calls[place].targets.remove(
          at: dice.roll(plain.calls[place].targets.count))
        fast.note(
          [(target.interests, false)], of: plain.calls[place].id, in: plain.calls[place].database)
      case 2...4 where place < plain.calls.count:
        let target = Self.target(&dice)
        plain.calls[place].targets.append(target)
        fast.note(
          [(target.interests, true)], of: plain.calls[place].id, in: plain.calls[place].database)
      default: break
      }
      let paths = dice.several(1...2) { Self.path(&$0, documents: $0.roll(1...3)) }
      let database = dice.pick(Self.databases)
      let expected = plain.concerned(byWritesOf: paths, in: database)
      #expect(fast.concerned(byWritesOf: paths, in: database) == expected)
      found += expected.count
      missed += plain.calls.count - expected.count
    }
    #expect(fast.count == plain.calls.count)
    #expect(found > 100 && missed > 100)
  }

  @Test func nothingIsLeftOfCallsThatAreOver() {
    var listeners = Listeners<Int>()
    let path = DocumentPath(["a", "b"])
    let target = ListenTarget(number: 1, subject: .documents([path]))
    let change = [(interests: target.interests, isAdded: true)]
    for id in 1...2 {
      listeners.begin(id)
      listeners.note(change + change, of: id, in: Self.databases[0])
    }
    #expect(listeners.concerned(byWritesOf: [path], in: Self.databases[0]) == [1, 2])
    listeners.note([(target.interests, false)], of: 1, in: Self.databases[0])
    listeners.end(2)
    // One of two targets with the same document is left.
    #expect(listeners.concerned(byWritesOf: [path], in: Self.databases[0]) == [1])
    listeners.end(1)
    #expect(listeners.concerned(byWritesOf: [path], in: Self.databases[0]) == [])
    #expect(listeners.count == 0)
    // Who does not listen any more cannot begin to listen to something.
    listeners.note(change, of: 1, in: Self.databases[0])
    #expect(listeners.concerned(byWritesOf: [path], in: Self.databases[0]) == [])
  }
}
