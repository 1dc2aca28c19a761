import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension DatabaseID {
  /// The path of a document that a request to this database names. The official emulator writes documents of
  /// other databases by the rules of this one; here the name is refused.
  func document(_ name: Text) throws(Refusal) -> DocumentPath {
    let resource = try ResourceName(document: name)
    try check(resource, named: name)
    return resource.path
  }

  /// The path of a parent that a request to this database names.
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

  /// A stored document as a message.
  func message(of document: StoredDocument) -> WireMessage {
    WireMessage(.document) {
      $0[.documentName] = name(of: document.path)
      $0[.documentFields] = document.data
      $0[.documentCreateTime] = document.created
      $0[.documentUpdateTime] = document.updated
    }
  }
}
