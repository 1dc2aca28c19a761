import FirestoreStore
import RulesEval

/// An index of `Listen` calls by their interests, so that a write concerns few calls.
struct Listeners<ID: Hashable & Sendable>: Sendable {
  private struct Entry {
    /// The number of calls that began earlier.
    var order: Int
    /// The database of all targets of the call.
    var database: DatabaseID?
    /// The number of targets for each interest.
    var interests: [Interest: Int] = [:]
  }

  private var entries: [ID: Entry] = [:]
  /// The calls by database, interest and order.
  private var followers: [DatabaseID: [Interest: [Int: ID]]] = [:]
  private var begun = 0

  /// The number of listening calls.
  var count: Int { entries.count }

  /// Adds a call that begins.
  mutating func begin(_ id: ID) {
    entries[id] = Entry(order: begun)
    begun += 1
  }

  /// Removes a call that is over. Ignored if it does not listen.
  mutating func end(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id), let database = entry.database else {
      return
    }
    for interest in entry.interests.keys { drop(entry.order, interest, in: database) }
  }

  /// Updates the interests of a call by the changes of its stream since the last update.
  mutating func note(_ stream: inout ListenStream, of id: ID) {
    let changes = stream.takeChanges()
    guard !changes.isEmpty, let database = stream.database else { return }
    note(changes, of: id, in: database)
  }

  /// Updates the interests of a call by added and removed targets, in order.
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

  /// Returns the calls that writes of documents may concern, in the order in which they began.
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
