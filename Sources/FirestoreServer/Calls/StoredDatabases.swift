public import FirestoreStore
import RulesEval
import RulesLang

/// The documents of all databases of a server, for reading. A copy kept during a write would make the write
/// copy the documents that it changes.
public struct StoredDatabases: Sendable {
  /// The databases in which something was changed.
  let stores: [DatabaseID: Store]
  /// The documents that databases begin with.
  let seed: Seed

  /// The databases in which something was changed, by name.
  public var changed: [DatabaseID] {
    stores.keys.sorted { Text.precedesByCodePoint($0.name, $1.name) }
  }

  /// The documents of a database.
  public subscript(_ id: DatabaseID) -> Store { stores[id] ?? seed.store(id) }
}
