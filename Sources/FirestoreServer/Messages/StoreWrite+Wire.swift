import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

extension StoreWrite {
  /// Reads a write of a request to a database, and checks it part by part as it is read: of several mistakes
  /// the official emulator names the first one (Docs/Fidelity.md, Writes).
  ///
  /// - Parameter unstorable: takes the first thing that keeps data from being stored, for which a request is
  ///   refused once nothing else is wrong with any of its writes.
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

  /// Reads and checks the writes of a request, each by itself.
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

  /// Throws if a call of `Commit` verifies a document twice, or writes it, too; which the official emulator
  /// finds before it reads names. On a `Write` stream both can be (`Store.checkTogether(_:)`).
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

  /// Throws if a batch names a document twice; which comes before everything else, too.
  static func checkNamedOnce(_ messages: [WireMessage]) throws(Refusal) {
    var seen: Set<Text> = []
    for message in messages {
      guard let name = name(in: message) else { continue }
      if !seen.insert(name).inserted { throw .writtenTwice }
    }
  }

  /// The name of the document of a write; nil if it names no operation.
  private static func name(in message: WireMessage) -> Text? {
    if let document = message[.writeUpdate] { return document[.documentName] }
    return message[.writeDelete] ?? message[.writeVerify]
      ?? message[.writeTransform]?[.documentTransformDocument]
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

  private static let missingTransform = Refusal(
    code: 3, message: "Operation type must be specified for field transformation.")
}
