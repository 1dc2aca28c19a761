import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Values and stores for the tests of this module.
enum Fixture {
  /// The database of the tests; the name of its root has 47 characters.
  static let id = DatabaseID(project: "demo-sem", database: .standard)

  /// The time of the first commit.
  static let start = time(0)

  /// A time some microseconds after the first one.
  static func time(_ microseconds: Int64) -> Timestamp {
    let sum = 1_800_000_000_000_000 + microseconds
    return Timestamp(epochSeconds: sum / 1_000_000, nanos: sum % 1_000_000 * 1000) ?? .latest
  }

  /// The path of `a/b`; empty for an empty text.
  static func path(_ text: String) -> DocumentPath {
    DocumentPath(text.split(separator: "/").map { Text(String($0)) })
  }

  /// A full name: `~` stands for the root of documents.
  static func name(_ text: String) -> Text {
    Text(text.replacing("~", with: "projects/demo-sem/databases/(default)/documents"))
  }

  /// A map with these fields, in the order of their names.
  static func map(_ fields: [String: Value]) -> MapValue {
    MapValue(fields.sorted { $0.key < $1.key }.map { (Text($0.key), $0.value) })
  }

  /// A write of a whole document.
  static func set(
    _ path: String, _ fields: [String: Value] = ["x": .int(1)],
    precondition: StoreWrite.Precondition = .none
  ) -> StoreWrite {
    StoreWrite(Self.path(path), .set(map(fields), mask: nil), precondition: precondition)
  }

  /// A store with these documents, each of which has the field `x` of its number.
  static func store(_ paths: [String]) throws -> Store {
    var store = Store(id)
    let writes = paths.enumerated().map { set($0.element, ["x": .int(Int64($0.offset))]) }
    _ = try store.commit(writes, at: start)
    return store
  }

  /// A reference to a document of the database.
  static func reference(_ path: String) -> Value { .path(Self.path(path).value(in: .standard)) }

  /// Returns what an action is refused for, as `3 message`; nil if it is not.
  static func refusal(of action: () throws(Refusal) -> Void) -> String? {
    do throws(Refusal) {
      try action()
      return nil
    } catch {
      return "\(error.code) \(error.message)"
    }
  }
}

/// A source of numbers that are the same in every run.
struct FixedNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
