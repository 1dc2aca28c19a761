import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension StoreWrite {
  /// Reads a write of a request to a database and checks each part in order, since the official emulator
  /// reports the first of several mistakes (Docs/Fidelity.md, Writes).
  ///
  /// - Parameter unstorable: Set to the first reason why data cannot be stored; the request is refused with
  ///   it once all its writes are found to be correct otherwise.
  private init(
    _ message: WireMessage, in id: DatabaseID, unstorable: inout Refusal?
  ) throws(Refusal) {
    let precondition = try Precondition(message[.writeCurrentDocument])
    if let document = message[.writeUpdate] {
      let path = try id.document(document[.documentName])
      let data = document[.documentFields]
      let refusal = try Self.check(data, in: id)
      unstorable = unstorable ?? refusal
      self.init(
        path, .set(data, mask: try [FieldPath](message[.writeUpdateMask])),
        transforms: try Self.transforms(message[.writeUpdateTransforms], in: id),
        precondition: precondition)
    } else if let name = message[.writeDelete] {
      self.init(try id.document(name), .delete, precondition: precondition)
    } else if let name = message[.writeVerify] {
      self.init(try id.document(name), .verify, precondition: precondition)
    } else if let transform = message[.writeTransform] {
      self.init(
        try id.document(transform[.documentTransformDocument]), .transform,
        transforms: try Self.transforms(transform[.documentTransformFieldTransforms], in: id),
        precondition: precondition)
    } else {
      throw Self.missingOperation
    }
    try checkParts()
  }

  /// Reads and checks the writes of a request one by one.
  static func all(_ messages: [WireMessage], in id: DatabaseID) throws(Refusal) -> [StoreWrite] {
    var writes: [StoreWrite] = []
    writes.reserveCapacity(messages.count)
    var unstorable: Refusal?
    for message in messages {
      writes.append(try StoreWrite(message, in: id, unstorable: &unstorable))
    }
    if let unstorable { throw unstorable }
    return writes
  }

  private static func transforms(
    _ messages: [WireMessage], in id: DatabaseID
  ) throws(Refusal) -> [(path: FieldPath, transform: Transform)] {
    var transforms: [(path: FieldPath, transform: Transform)] = []
    for message in messages {
      let path = try FieldPath(mask: message[.fieldTransformFieldPath])
      let transform = try Transform(message)
      try check(transform, at: path, in: id)
      transforms.append((path, transform))
    }
    return transforms
  }

  // MARK: Names

  /// Throws if a call of `Commit` verifies a document twice, or also writes it. The official emulator checks
  /// this before it reads names. A `Write` stream may do both (`Store.checkTogether(_:)`).
  static func checkVerifications(_ messages: [WireMessage]) throws(Refusal) {
    if !messages.contains(where: { $0[.writeVerify] != nil }) { return }
    var isVerified: [Text: Bool] = [:]
    for message in messages {
      guard let name = name(in: message) else { continue }
      let verifies = message[.writeVerify] != nil
      let before = isVerified.updateValue(verifies, forKey: name)
      guard let before, before || verifies else { continue }
      throw before && verifies ? .verifiedTwice : .verifiedAndWritten(isWrittenFirst: verifies)
    }
  }

  /// Throws if a batch names a document twice. The official emulator checks this before anything else.
  static func checkNamedOnce(_ messages: [WireMessage]) throws(Refusal) {
    var seen: Set<Text> = []
    for message in messages {
      guard let name = name(in: message) else { continue }
      if !seen.insert(name).inserted { throw .writtenTwice }
    }
  }

  /// The name of the document of a write; nil if the write has no operation.
  private static func name(in message: WireMessage) -> Text? {
    if let document = message[.writeUpdate] { return document[.documentName] }
    return message[.writeDelete] ?? message[.writeVerify]
      ?? message[.writeTransform]?[.documentTransformDocument]
  }
}

extension StoreWrite.Precondition {
  /// Reads a precondition; `.none` if there is no message, or no condition in it.
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
  /// Reads a mask; nil if there is none.
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

  private static let missingTransform = Refusal(
    code: 3, message: "Operation type must be specified for field transformation.")
}
