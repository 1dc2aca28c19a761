public import RulesEval
public import RulesLang

/// A database of a project.
public struct DatabaseID: Hashable, Sendable {
  /// The ID of the project.
  public var project: Text
  /// The name of the database in the project.
  public var database: DatabaseName

  /// Creates an ID.
  public init(project: Text, database: DatabaseName) {
    self.project = project
    self.database = database
  }

  /// Reads `projects/P/databases/D`.
  public init(name: Text) throws(Refusal) {
    var reader = NameReader(name, kind: .database)
    self = try reader.readDatabase()
    try reader.end()
  }

  /// The resource name: `projects/P/databases/D`.
  public var name: Text {
    var name: Text = "projects/"
    name.append(project)
    name.append("/databases/")
    name.append(database.text)
    return name
  }

  /// Returns the resource name of a document, or of the root of all documents.
  public func name(of path: DocumentPath) -> Text {
    var name = name
    name.append("/documents")
    if !path.segments.isEmpty { name.append(path.text) }
    return name
  }
}
