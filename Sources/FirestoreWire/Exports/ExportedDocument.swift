public import RulesEval
public import RulesLang

/// A document of an export.
public struct ExportedDocument: Sendable {
  /// The project of the exported database.
  public var project: Text
  /// The database.
  public var database: DatabaseName
  /// The path of the document, which is not validated.
  public var path: DocumentPath
  /// The fields. References always name their projects: `/projects/P/databases/D/…`.
  public var data: MapValue

  /// Creates a document.
  public init(project: Text, database: DatabaseName, path: DocumentPath, data: MapValue) {
    self.project = project
    self.database = database
    self.path = path
    self.data = data
  }
}
