import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension StoreWrite {
  /// Reads a write of a request to a database.
  init(_ message: WireMessage, in id: DatabaseID) throws(Refusal) {
    let precondition = try Precondition(message[.writeCurrentDocument])
    if let document = message[.writeUpdate] {
      self.init(
        try id.document(document[.documentName]),
        .set(document[.documentFields], mask: try [FieldPath](message[.writeUpdateMask])),
        transforms: try Self.transforms(message[.writeUpdateTransforms]),
        precondition: precondition)
    } else if let name = message[.writeDelete] {
      self.init(try id.document(name), .delete, precondition: precondition)
    } else if let name = message[.writeVerify] {
      self.init(try id.document(name), .verify, precondition: precondition)
    } else if let transform = message[.writeTransform] {
      self.init(
        try id.document(transform[.documentTransformDocument]), .transform,
        transforms: try Self.transforms(transform[.documentTransformFieldTransforms]),
        precondition: precondition)
    } else {
      throw Self.missingOperation
    }
  }

  /// Reads the writes of a request.
  static func all(_ messages: [WireMessage], in id: DatabaseID) throws(Refusal) -> [StoreWrite] {
    var writes: [StoreWrite] = []
    writes.reserveCapacity(messages.count)
    for message in messages { writes.append(try StoreWrite(message, in: id)) }
    return writes
  }

  private static func transforms(
    _ messages: [WireMessage]
  ) throws(Refusal) -> [(path: FieldPath, transform: Transform)] {
    var transforms: [(path: FieldPath, transform: Transform)] = []
    for message in messages {
      let path = try FieldPath(mask: message[.fieldTransformFieldPath])
      transforms.append((path, try Transform(message)))
    }
    return transforms
  }
}

extension StoreWrite.Precondition {
  /// Reads a precondition; without one, or without a condition in it, there is none.
  init(_ message: WireMessage?) throws(Refusal) {
    if let exists = message?[.preconditionExists] {
      self = exists ? .exists : .missing
    } else if let time = message?[.preconditionUpdateTime] {
      self = .updateTime(time)
    } else {
      self = .none
    }
  }
}

extension [FieldPath] {
  /// Reads a mask; nil without one.
  init?(_ mask: WireMessage?) throws(Refusal) {
    guard let mask else { return nil }
    self = []
    for text in mask[.documentMaskFieldPaths] { append(try FieldPath(mask: text)) }
  }
}

extension Transform {
  fileprivate init(_ message: WireMessage) throws(Refusal) {
    if let server = message[.fieldTransformSetToServerValue] {
      switch server {
      case .requestTime: self = .serverTimestamp
      case .unspecified: throw Self.missingTransform
      }
    } else if let step = message[.fieldTransformIncrement] {
      self = .increment(step)
    } else if let bound = message[.fieldTransformMaximum] {
      self = .maximum(bound)
    } else if let bound = message[.fieldTransformMinimum] {
      self = .minimum(bound)
    } else if let added = message[.fieldTransformAppendMissingElements] {
      self = .arrayUnion(added[.arrayValueValues])
    } else if let removed = message[.fieldTransformRemoveAllFromArray] {
      self = .arrayRemove(removed[.arrayValueValues])
    } else {
      throw Self.missingTransform
    }
  }

  private static let missingTransform = Refusal(code: 3, message: "empty field transform")
}
