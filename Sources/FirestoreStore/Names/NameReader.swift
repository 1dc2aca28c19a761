import RulesEval
import RulesLang

/// A reader of resource names, whose refusals have the official words.
struct NameReader {
  /// The kind of the named thing, which messages mention.
  enum Kind {
    case database, document, parent, reference

    /// The beginning of messages about the name.
    var words: String {
      switch self {
      case .database: "Database name"
      case .document: "Document name"
      case .parent: "Document parent name"
      case .reference: "Resource name"
      }
    }
  }

  private let name: Text
  private let kind: Kind
  private var place = 0

  /// Maximum segments of a path: 100 pairs of a collection and a document (Docs/Emulator.md, Names).
  private static let mostSegments = 200

  /// Creates a reader at the beginning of a name.
  init(_ name: Text, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Reads `projects/P/databases/D`.
  mutating func readDatabase() throws(Refusal) -> DatabaseID {
    try expect("projects")
    try expectSlash()
    let project = try readID()
    try expectSlash()
    try expect("databases")
    try expectSlash()
    return DatabaseID(project: project, database: DatabaseName(try readID()))
  }

  /// Throws unless the whole name is read, as after that of a database.
  func end() throws(Refusal) {
    if place == name.bytes.count { return }
    throw isDocumentsRoot ? withoutDocuments : problem("has more than a database at index \(index)")
  }

  /// Reads `/documents` and the segments of a document, an even number.
  mutating func readPath() throws(Refusal) -> DocumentPath {
    if isDocumentsRoot {
      guard kind == .parent else { throw withoutDocuments }
      return DocumentPath([])
    }
    try expectSlash()
    try expect("documents")
    var segments: [Text] = []
    repeat {
      try expectSlash()
      if kind == .reference, place == name.bytes.count {
        throw problem("has invalid trailing \"/\".")
      }
      segments.append(try readID())
      if segments.count > Self.mostSegments {
        throw .invalidArgument("Key path is too long. Cannot exceed 100 elements.")
      }
    } while place < name.bytes.count || !segments.count.isMultiple(of: 2)
    return DocumentPath(segments)
  }

  /// True if only the root of documents remains.
  private var isDocumentsRoot: Bool { name.bytes[place...].elementsEqual("/documents".utf8) }

  private var withoutDocuments: Refusal {
    problem(
      "is invalid: Omit \"/documents\" when referencing a database "
        + "(except as the parent of a document).")
  }

  /// Reads a word that is followed by a slash or the end.
  private mutating func expect(_ word: String) throws(Refusal) {
    guard name.bytes[place...].starts(with: word.utf8) else {
      throw problem("lacks \"\(word)\" at index \(index).")
    }
    place += word.utf8.count
  }

  private mutating func expectSlash() throws(Refusal) {
    guard place < name.bytes.count, name.bytes[place] == UInt8(ascii: "/") else {
      throw problem("lacks \"/\" at index \(index).")
    }
    place += 1
  }

  /// Reads the text before the next slash.
  private mutating func readID() throws(Refusal) -> Text {
    let end = name.bytes[place...].firstIndex(of: UInt8(ascii: "/")) ?? name.bytes.count
    let id = Text(wellFormed: Array(name.bytes[place..<end]))
    if id.isEmpty { throw problem("lacks a resource id at index \(index).") }
    if id.isDots {
      throw problem("contains a resource id \"\(String(id))\" at index \(index).")
    }
    place = end
    return id
  }

  private func problem(_ rest: String) -> Refusal {
    .invalidArgument("\(kind.words) \"\(Refusal.quoting(name))\" \(rest)")
  }

  /// The position in UTF-16 units, as the official emulator counts.
  private var index: Int { String(Text(wellFormed: Array(name.bytes[..<place]))).utf16.count }
}
