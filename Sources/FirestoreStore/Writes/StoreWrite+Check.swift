public import RulesEval
import RulesLang

extension Store {
  /// Throws the first malformed argument of a commit. Called before the rules are evaluated.
  public func check(_ writes: [StoreWrite]) throws(Refusal) {
    try checkEach(writes)
    try checkTogether(writes)
  }

  /// Throws the first malformed argument of a batch, in which case no write is applied.
  public func checkBatch(_ writes: [StoreWrite]) throws(Refusal) {
    var seen: Set<DocumentPath> = []
    for write in writes where !seen.insert(write.path).inserted { throw .writtenTwice }
    try checkEach(writes)
  }

  private func checkEach(_ writes: [StoreWrite]) throws(Refusal) {
    var unstorable: Refusal?
    for write in writes {
      let refusal = try write.check(in: id)
      unstorable = unstorable ?? refusal
    }
    if let unstorable { throw unstorable }
  }

  /// Throws if a write must fail because of an earlier one of the same document: it requires the document to
  /// be missing although the earlier one leaves it stored, or the reverse; or it requires a version other
  /// than that of the first write, which covers all.
  public func checkTogether(_ writes: [StoreWrite]) throws(Refusal) {
    if writes.count < 2 { return }
    var first: [DocumentPath: StoreWrite] = [:]
    var last: [DocumentPath: StoreWrite] = [:]
    for write in writes {
      if let before = last[write.path], let beginning = first[write.path] {
        let fails: Bool
        switch write.precondition {
        case .none: fails = false
        case .missing: fails = before.leavesDocument
        case .exists: fails = !before.leavesDocument
        // A deletion with a version of a document that is missing by then is refused because of its version
        // only.
        case .updateTime: fails = !before.leavesDocument && !write.isDelete
        }
        if fails { throw .conflict(before.word(since: beginning), then: write.word) }
        if let version = write.version, version != beginning.version {
          throw .versions(beginning.version, version)
        }
      } else {
        first[write.path] = write
      }
      last[write.path] = write
    }
  }
}

extension StoreWrite {
  /// True if the write deletes its document.
  fileprivate var isDelete: Bool {
    if case .delete = change { true } else { false }
  }

  /// True if the write changes nothing.
  fileprivate var isVerification: Bool {
    if case .verify = change { true } else { false }
  }

  /// True if the document is stored after the write, or after a verification that succeeds.
  fileprivate var leavesDocument: Bool {
    if isVerification, case .missing = precondition { return false }
    return !isDelete
  }

  /// The required time of the document's last change; nil if there is none.
  fileprivate var version: Timestamp? {
    if case .updateTime(let time) = precondition { time } else { nil }
  }

  /// Returns the verb for the write combined with the earlier ones of its document. The precondition of the
  /// first one determines how the document is stored, unless it is a deletion with a version.
  fileprivate func word(since first: StoreWrite) -> String {
    if isDelete || isVerification || first.isVerification { return word }
    return first.isDelete && first.version != nil ? "upsert" : first.storingWord
  }

  /// The verb for the write in the words of the official emulator.
  fileprivate var word: String {
    if isDelete { return "delete" }
    if isVerification { return "verify" }
    return storingWord
  }

  /// The verb for a write that stores its document, which depends on the precondition.
  private var storingWord: String {
    switch precondition {
    case .none: return "upsert"
    case .missing: return "insert"
    case .exists, .updateTime: return "update"
    }
  }

  /// Throws the first malformed argument of the write.
  ///
  /// - Returns: The first reason why its data cannot be stored; a commit is refused with it if all its writes
  ///   are correct otherwise.
  func check(in id: DatabaseID) throws(Refusal) -> Refusal? {
    if !path.isDocument {
      throw .invalidArgument("\(Refusal.quoting(path.text)) is not the path of a document.")
    }
    var unstorable: Refusal?
    if case .set(let data, _) = change { unstorable = try Self.check(data, in: id) }
    for (path, transform) in transforms { try Self.check(transform, at: path, in: id) }
    try checkParts()
    return unstorable
  }

  /// Throws the first reason why data of a document cannot be in a request.
  ///
  /// - Returns: The first reason why the data cannot be stored.
  public static func check(_ data: MapValue, in id: DatabaseID) throws(Refusal) -> Refusal? {
    try data.checkValues(in: id)
    guard let part = data.unstorablePart else { return nil }
    let refusal = Refusal(part, of: data)
    if part.reason.isRefusedAtOnce { throw refusal }
    return refusal
  }

  /// Throws if a transform of a field is invalid.
  public static func check(
    _ transform: Transform, at path: FieldPath, in id: DatabaseID
  ) throws(Refusal) {
    try transform.check(at: path, in: id)
  }

  /// Throws if transforms conflict with each other, a required transform or precondition is missing, or a
  /// precondition is invalid.
  public func checkParts() throws(Refusal) {
    try checkNesting()
    if case .transform = change, transforms.isEmpty {
      throw .invalidArgument("The list of FieldTransform must not be empty.")
    }
    if case .verify = change, case .none = precondition {
      throw .invalidArgument("a verify must contain a precondition")
    }
    if case .updateTime(let time) = precondition {
      if time < .epoch {
        throw .invalidArgument("Only timestamps past epoch are supported.")
      }
      if time != time.microsecondPrecise {
        throw .invalidArgument("timestamp cannot have more than microseconds precision")
      }
    }
  }

  private func checkNesting() throws(Refusal) {
    if transforms.count < 2 { return }
    let paths = Set(transforms.map { $0.path })
    for (path, _) in transforms {
      for count in 1..<max(path.names.count, 1) {
        let outer = FieldPath(Array(path.names.prefix(count)))
        guard paths.contains(outer) else { continue }
        throw .invalidArgument(
          "Cannot transform property \(Refusal.quoting(outer.text)) and its nested property "
            + "at the same time.")
      }
    }
  }
}

extension Transform {
  /// Throws if the field cannot exist or the operand cannot be stored in it.
  ///
  /// Elements for an array are checked like other values of requests, so lists in lists pass.
  fileprivate func check(at path: FieldPath, in id: DatabaseID) throws(Refusal) {
    let property = path.names.first ?? Text()
    if path.names.count - 1 > Impossibility.greatestDepth { throw .tooDeep(property) }
    let value: Value
    switch self {
    case .serverTimestamp: value = .null
    case .increment(let operand), .maximum(let operand), .minimum(let operand):
      switch operand {
      case .int, .float: value = operand
      default: throw .invalidArgument("Input must be int64 or double.")
      }
    case .arrayUnion(let elements), .arrayRemove(let elements):
      for element in elements { try element.checkSent(in: id) }
      value = .list([])
    }
    // The top-level field of the document, with the maps of the path.
    var whole = value
    for name in path.names.dropFirst().reversed() { whole = .map(MapValue([(name, whole)])) }
    try MapValue([(property, whole)]).checkStored()
  }
}

extension MapValue {
  /// The first part because of which the map cannot be the data of a document; nil if there is none.
  fileprivate var unstorablePart: ImpossiblePart? {
    do throws(Impossibility) {
      try checkStorable()
      return nil
    } catch {
      let part = impossiblePart { map throws(Impossibility) in try map.checkStorable() }
      return part ?? ImpossiblePart(reason: error, steps: [])
    }
  }

  /// Throws the reason why the map cannot be the data of a document.
  func checkStored() throws(Refusal) {
    if let part = unstorablePart { throw Refusal(part, of: self) }
  }
}

extension Impossibility {
  /// True if a write is refused for this reason before later writes are checked.
  fileprivate var isRefusedAtOnce: Bool {
    switch self {
    case .listInList, .vector: true
    case .fieldName(let name): name.isReserved
    case .longValue, .depth, .notStored, .identifier, .pathLength, .notJSON, .halfCharacter, .size:
      false
    }
  }
}
