public import RulesEval
public import RulesLang

/// The name of a document or of the root of documents, including its database.
public struct ResourceName: Hashable, Sendable {
  /// The database.
  public var database: DatabaseID
  /// The path of the document; empty for the root.
  public var path: DocumentPath

  /// Creates a name.
  public init(database: DatabaseID, path: DocumentPath) {
    self.database = database
    self.path = path
  }

  /// Reads the name of a document: `projects/P/databases/D/documents/a/b`.
  public init(document name: Text) throws(Refusal) {
    try self.init(name, kind: .document)
  }

  /// Reads the name of a parent of collections: a document, or `projects/P/databases/D/documents`.
  public init(parent name: Text) throws(Refusal) {
    try self.init(name, kind: .parent)
  }

  private init(_ name: Text, kind: NameReader.Kind) throws(Refusal) {
    var reader = NameReader(name, kind: kind)
    database = try reader.readDatabase()
    path = try reader.readPath()
    try path.checkNames()
  }

  /// The resource name as text.
  public var text: Text { database.name(of: path) }
}
