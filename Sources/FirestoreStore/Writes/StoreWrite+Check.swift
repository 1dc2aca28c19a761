import RulesEval
import RulesLang

extension Store {
  /// Throws the first malformed argument of a commit; to be called before the rules are.
  public func check(_ writes: [StoreWrite]) throws(Refusal) {
    for write in writes { try write.check(in: id) }
    if writes.count > 1 { try checkSequence(of: writes) }
  }

  /// Throws the first malformed argument of a batch, for which none of its writes is tried.
  public func checkBatch(_ writes: [StoreWrite]) throws(Refusal) {
    for write in writes { try write.check(in: id) }
    var seen: Set<DocumentPath> = []
    for write in writes where !seen.insert(write.path).inserted {
      throw .invalidArgument(
        "the same document cannot be written more than once in a single request")
    }
  }

  /// Throws if a write can only fail because of an earlier one of its document: one that needs it to be
  /// missing after any but a deletion, or to be stored after a deletion; or one that needs another version
  /// than the first, which stands for all.
  private func checkSequence(of writes: [StoreWrite]) throws(Refusal) {
    var last: [DocumentPath: StoreWrite] = [:]
    var versions: [DocumentPath: Timestamp] = [:]
    for write in writes {
      if case .verify = write.change { continue }
      if let before = last[write.path] {
        let fails: Bool
        switch write.precondition {
        case .none: fails = false
        case .missing: fails = !before.isDelete
        case .exists, .updateTime: fails = before.isDelete
        }
        if fails { throw .conflict(before.word, then: write.word) }
        if let version = write.version, version != versions[write.path] {
          throw .versions(versions[write.path], version)
        }
      } else {
        versions[write.path] = write.version
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

  /// The time of the last change that the document must have; nil if the write says nothing of it.
  fileprivate var version: Timestamp? {
    if case .updateTime(let time) = precondition { time } else { nil }
  }

  /// The verb for the write in the words of the official emulator.
  fileprivate var word: String {
    if isDelete { return "delete" }
    switch precondition {
    case .none: return "upsert"
    case .missing: return "insert"
    case .exists, .updateTime: return "update"
    }
  }

  /// Throws the first malformed argument of the write.
  func check(in id: DatabaseID) throws(Refusal) {
    if !path.isDocument {
      throw .invalidArgument("\(Refusal.quoting(path.text)) is not the path of a document.")
    }
    if case .set(let data, _) = change {
      try data.checkValues(in: id)
      try data.checkStored()
    }
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
    try checkTransforms(in: id)
  }

  private func checkTransforms(in id: DatabaseID) throws(Refusal) {
    if transforms.isEmpty { return }
    let paths = Set(transforms.map { $0.path })
    for (path, transform) in transforms {
      for count in 1..<max(path.names.count, 1) {
        let outer = FieldPath(Array(path.names.prefix(count)))
        guard paths.contains(outer) else { continue }
        throw .invalidArgument(
          "Cannot transform property \(Refusal.quoting(outer.text)) and its nested property "
            + "at the same time.")
      }
      try transform.check(at: path, in: id)
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
    // The field as it stands in the document, in the maps of the path.
    var whole = value
    for name in path.names.dropFirst().reversed() { whole = .map(MapValue([(name, whole)])) }
    try MapValue([(property, whole)]).checkStored()
  }
}

extension MapValue {
  /// Throws what keeps the map from being the data of a document.
  func checkStored() throws(Refusal) {
    do throws(Impossibility) {
      try checkStorable()
    } catch {
      let part = impossiblePart { map throws(Impossibility) in try map.checkStorable() }
      throw Refusal(part ?? ImpossiblePart(reason: error, steps: []), of: self)
    }
  }
}
