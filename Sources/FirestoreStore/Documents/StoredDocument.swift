public import RulesEval
import RulesLang

/// A document with the times of its creation and last change.
public struct StoredDocument: Sendable {
  /// The path below the root of the database.
  public var path: DocumentPath
  /// The fields.
  public var data: MapValue
  /// The time of the commit that created the document.
  public var created: Timestamp
  /// The time of the last commit that changed the document.
  public var updated: Timestamp

  /// Creates a document.
  public init(path: DocumentPath, data: MapValue, created: Timestamp, updated: Timestamp) {
    self.path = path
    self.data = data
    self.created = created
    self.updated = updated
  }
}
