import FirestoreStore
import RulesEval

/// Calls that listen, found by what they listen to: a write asks only those that it can concern.
struct Listeners<ID: Hashable & Sendable>: Sendable {
  private struct Entry {
    /// The number of calls that had begun before.
    var order: Int
    /// The database; all targets of a call are of one.
    var database: DatabaseID?
    /// The number of targets for each interest.
    var interests: [Interest: Int] = [:]
  }

  private var entries: [ID: Entry] = [:]
  /// The calls by their order, by interest and database.
  private var followers: [DatabaseID: [Interest: [Int: ID]]] = [:]
  private var begun = 0

  /// The number of listening calls.
  var count: Int { entries.count }

  /// Notes that a call begins.
  mutating func begin(_ id: ID) {
    entries[id] = Entry(order: begun)
    begun += 1
  }

  /// Notes that a call is over. Ignored if it does not listen.
  mutating func end(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id), let database = entry.database else {
      return
    }
    for interest in entry.interests.keys { drop(entry.order, interest, in: database) }
  }

  /// Notes what the stream of a call listens to since it was last asked.
  mutating func note(_ stream: inout ListenStream, of id: ID) {
    let changes = stream.takeChanges()
    guard !changes.isEmpty, let database = stream.database else { return }
    note(changes, of: id, in: database)
  }

  /// Notes what a call listens to from now on, and what no longer, target by target.
  mutating func note(
    _ changes: [(interests: [Interest], isAdded: Bool)], of id: ID, in database: DatabaseID
  ) {
    guard let place = entries.index(forKey: id) else { return }
    entries.values[place].database = database
    let order = entries.values[place].order
    for change in changes {
      for interest in change.interests {
        let count = entries.values[place].interests[interest] ?? 0
        let now = count + (change.isAdded ? 1 : -1)
        entries.values[place].interests[interest] = now > 0 ? now : nil
        if now == 0 { drop(order, interest, in: database) }
        if count == 0 { followers[database, default: [:]][interest, default: [:]][order] = id }
      }
    }
  }

  /// The calls that writes of documents can concern, in the order in which they began.
  func concerned(byWritesOf paths: [DocumentPath], in database: DatabaseID) -> [ID] {
    guard let followers = followers[database] else { return [] }
    var found: [Int: ID] = [:]
    for interest in Set(paths.flatMap { Interest.all(inWritesOf: $0) }) {
      guard let calls = followers[interest] else { continue }
      found.merge(calls) { first, _ in first }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func drop(_ order: Int, _ interest: Interest, in database: DatabaseID) {
    followers[database]?[interest]?[order] = nil
    if followers[database]?[interest]?.isEmpty == true { followers[database]?[interest] = nil }
    if followers[database]?.isEmpty == true { followers[database] = nil }
  }
}
