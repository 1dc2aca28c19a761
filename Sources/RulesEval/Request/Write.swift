import RulesLang

/// A field transform, computed by the server (Docs/Language.md §9).
public enum Transform: Sendable {
  /// The time of the request.
  case serverTimestamp
  /// The stored number plus this; this alone if there was none.
  case increment(Value)
  /// The larger of the old number and this.
  case maximum(Value)
  /// The smaller of the old number and this.
  case minimum(Value)
  /// The stored list, with those of these elements appended that it lacks.
  case arrayUnion([Value])
  /// The stored list without these elements.
  case arrayRemove([Value])
}

/// One write of a commit.
public struct Write: Sendable {
  /// The precondition of a write; it decides the method of a single write.
  public enum Precondition: Sendable {
    case none, exists, missing
  }

  /// The change that a write makes.
  public enum Change: Sendable {
    /// Sets the data; with a mask only the masked paths, of which those without data are removed.
    case set(MapValue, mask: [FieldPath]?)
    /// Removes the document.
    case delete
  }

  /// The document.
  public var path: DocumentPath
  /// The change.
  public var change: Change
  /// The transforms that the server applies afterwards, in order.
  public var transforms: [(path: FieldPath, transform: Transform)] = []
  /// The precondition.
  public var precondition: Precondition
  /// True if the server draws the document's ID for a client that names a collection only. Rules do not see
  /// such an ID in paths.
  public var hasDrawnID = false

  /// Creates a write.
  public init(to path: DocumentPath, _ change: Change, precondition: Precondition = .none) {
    self.path = path
    self.change = change
    self.precondition = precondition
  }
}

extension Write {
  /// Returns the reason why Firestore refuses a commit before the rules decide; nil if it does not.
  ///
  /// A document cannot be inserted after an earlier write of it, nor updated after being deleted, in one
  /// commit.
  static func refusal(of writes: [Write]) -> String? {
    if writes.count < 2 { return nil }
    var last: [DocumentPath: String] = [:]
    for write in writes {
      let kind = write.kind
      if let before = last[write.path] {
        let isRefused = before == "delete" ? kind == "update" : kind == "insert"
        if isRefused {
          return "Firestore refuses the commit: cannot \(before) then \(kind) "
            + "\(String(write.path.text)) in one commit"
        }
      }
      last[write.path] = kind
    }
    return nil
  }

  private var kind: String {
    guard case .set = change else { return "delete" }
    switch precondition {
    case .missing: return "insert"
    case .exists: return "update"
    case .none: return "upsert"
    }
  }

  /// Returns the document after the write; nil if it is deleted. Times are stored to the microsecond. Fields
  /// that a mask or a transform changes come behind the others (`FieldChanges`).
  public func apply(to old: MapValue?, time: Timestamp) -> MapValue? {
    guard case .set(let written, let mask) = change else { return nil }
    let data = written.storable
    var new = data
    if let mask { new = (old ?? MapValue()).taking(mask, from: data, isMask: true) }
    if transforms.isEmpty { return new }
    var computed = new
    for (path, transform) in transforms {
      computed.set(transform.apply(to: computed.value(at: path), time: time), at: path)
    }
    return new.taking(transforms.map { $0.path }, from: computed, isMask: false)
  }
}

extension Transform {
  /// Returns the field after the transform; `old` is nil if it did not exist. Servers also return it to the
  /// client.
  package func apply(to old: Value?, time: Timestamp) -> Value {
    switch self {
    case .serverTimestamp: .timestamp(time)
    case .increment(let step): Self.incremented(old, by: step)
    case .maximum(let bound): Self.extreme(of: old, and: bound, keepsOld: .greater)
    case .minimum(let bound): Self.extreme(of: old, and: bound, keepsOld: .less)
    case .arrayUnion(let added): .list(Self.union(of: old, and: added))
    case .arrayRemove(let removed): .list(Self.difference(of: old, and: removed))
    }
  }

  /// Adds numbers: int plus int saturates, as Firestore documents it; a float makes the sum a float.
  private static func incremented(_ old: Value?, by step: Value) -> Value {
    switch (old, step) {
    case (.int(let one), .int(let two)):
      let (sum, overflow) = one.addingReportingOverflow(two)
      return .int(overflow ? (two < 0 ? .min : .max) : sum)
    case (.some(let old), _):
      guard let one = old.asDouble, let two = step.asDouble else { return step }
      return .float(one + two)
    case (.none, _): return step
    }
  }

  private static func extreme(of old: Value?, and bound: Value, keepsOld: Ordering) -> Value {
    guard let old, old.asDouble != nil else { return bound }
    guard let order = Value.order(of: old, and: bound) else { return .float(.nan) }
    return order == keepsOld || order == .equal ? old : bound
  }

  private static func elements(_ value: Value?) -> [Value] {
    if case .list(let elements) = value { return elements }
    return []
  }

  private static func elements(_ list: [Value], contain value: Value) -> Bool {
    list.contains { Value.areStoredEqual($0, value) }
  }

  private static func union(of old: Value?, and added: [Value]) -> [Value] {
    var list = elements(old)
    for value in added where !elements(list, contain: value) { list.append(value) }
    return list
  }

  private static func difference(of old: Value?, and removed: [Value]) -> [Value] {
    elements(old).filter { !elements(removed, contain: $0) }
  }
}
