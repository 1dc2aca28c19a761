public import RulesEval
import RulesLang

extension Store {
  /// Throws the first malformed argument of a commit; to be called before the rules are.
  public func check(_ writes: [StoreWrite]) throws(Refusal) {
    try checkEach(writes)
    try checkTogether(writes)
  }

  /// Throws the first malformed argument of a batch, for which none of its writes is tried.
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

  /// Throws if a write can only fail because of an earlier one of its document: it requires the document to
  /// be missing where the other one leaves it stored, or found it stored, or the reverse; or it requires
  /// another version than the first one, whose version counts for all.
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
        // A deletion of a version, where the document is missing by then, is refused for its version alone.
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

  /// True if the document is stored after the write, or after a verification, where it succeeds.
  fileprivate var leavesDocument: Bool {
    if isVerification, case .missing = precondition { return false }
    return !isDelete
  }

  /// The time of the last change that the document must have; nil if the write says nothing of it.
  fileprivate var version: Timestamp? {
    if case .updateTime(let time) = precondition { time } else { nil }
  }

  /// The verb for the write together with those before it, down to the first one of its document: what that
  /// one expects says how the document is stored, but for the version that a deletion expects.
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

  /// The verb for a write that stores its document, by what the precondition expects.
  private var storingWord: String {
    switch precondition {
    case .none: return "upsert"
    case .missing: return "insert"
    case .exists, .updateTime: return "update"
    }
  }

  /// Throws the first malformed argument of the write.
  ///
  /// - Returns: the first thing that keeps its data from being stored, for which a commit is refused once
  ///   nothing else is wrong with any of its writes.
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

  /// Throws the first thing that no request can send as the data of a document.
  ///
  /// - Returns: the first thing that keeps the data from being stored.
  public static func check(_ data: MapValue, in id: DatabaseID) throws(Refusal) -> Refusal? {
    try data.checkValues(in: id)
    guard let part = data.unstorablePart else { return nil }
    let refusal = Refusal(part, of: data)
    if part.reason.isRefusedAtOnce { throw refusal }
    return refusal
  }

  /// Throws if a field cannot be computed so.
  public static func check(
    _ transform: Transform, at path: FieldPath, in id: DatabaseID
  ) throws(Refusal) {
    try transform.check(at: path, in: id)
  }

  /// Throws the first mistake of transforms beside each other, of a lacking condition, or of a condition.
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
  /// Throws if the field cannot be, or if the operand cannot be stored in it.
  ///
  /// Elements for an array are checked as values of requests are: lists in lists pass.
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
    // The field as it is in the document, inside the maps of the path.
    var whole = value
    for name in path.names.dropFirst().reversed() { whole = .map(MapValue([(name, whole)])) }
    try MapValue([(property, whole)]).checkStored()
  }
}

extension MapValue {
  /// The first part that keeps the map from being the data of a document; nil if nothing does.
  fileprivate var unstorablePart: ImpossiblePart? {
    do throws(Impossibility) {
      try checkStorable()
      return nil
    } catch {
      let part = impossiblePart { map throws(Impossibility) in try map.checkStorable() }
      return part ?? ImpossiblePart(reason: error, steps: [])
    }
  }

  /// Throws what keeps the map from being the data of a document.
  func checkStored() throws(Refusal) {
    if let part = unstorablePart { throw Refusal(part, of: self) }
  }
}

extension Impossibility {
  /// True if a write with it is refused before the writes behind it are looked at.
  fileprivate var isRefusedAtOnce: Bool {
    switch self {
    case .listInList, .vector: true
    case .fieldName(let name): name.isReserved
    case .longValue, .depth, .notStored, .identifier, .pathLength, .notJSON, .halfCharacter, .size:
      false
    }
  }
}
