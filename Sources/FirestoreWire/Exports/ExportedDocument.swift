public import RulesEval
public import RulesLang

/// A document as an export has it.
public struct ExportedDocument: Sendable {
  /// The project of the database that was exported.
  public var project: Text
  /// The database.
  public var database: DatabaseName
  /// The path of the document. Its form is not checked.
  public var path: DocumentPath
  /// The fields. References name their projects, also that of the document: `/projects/P/databases/D/…`.
  public var data: MapValue

  /// Creates a document.
  public init(project: Text, database: DatabaseName, path: DocumentPath, data: MapValue) {
    self.project = project
    self.database = database
    self.path = path
    self.data = data
  }
}
