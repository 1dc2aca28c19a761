import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension DatabaseID {
  /// Returns the path of a document named by a request to this database. A name in another database is
  /// refused; the official emulator writes such a document by the rules of this one.
  func document(_ name: Text) throws(Refusal) -> DocumentPath {
    let resource = try ResourceName(document: name)
    try check(resource, named: name)
    return resource.path
  }

  /// Returns the path of a parent named by a request to this database.
  func parent(_ name: Text) throws(Refusal) -> DocumentPath {
    let resource = try ResourceName(parent: name)
    try check(resource, named: name)
    return resource.path
  }

  private func check(_ resource: ResourceName, named name: Text) throws(Refusal) {
    guard resource.database == self else {
      throw Refusal(
        code: 3,
        message: "\"\(String(name))\" is not in the database of the request, \(String(self.name))")
    }
  }

  /// Returns the message of a stored document.
  func message(of document: StoredDocument) -> WireMessage {
    WireMessage(.document) {
      $0[.documentName] = name(of: document.path)
      $0[.documentFields] = document.data
      $0[.documentCreateTime] = document.created
      $0[.documentUpdateTime] = document.updated
    }
  }
}
