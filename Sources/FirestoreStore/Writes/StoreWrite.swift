public import RulesEval
import RulesLang

/// A write of a commit as received.
public struct StoreWrite: Sendable {
  /// The effect of a write.
  public enum Change: Sendable {
    /// Sets the data. With a mask, only the masked paths are set, and those without data are removed.
    case set(MapValue, mask: [FieldPath]?)
    /// Removes the document.
    case delete
    /// Checks the precondition only.
    case verify
    /// Applies only transforms; an older form of an update with an empty mask.
    case transform
  }

  /// A condition on the document before the write.
  public enum Precondition: Sendable, Hashable {
    /// No condition.
    case none
    /// The document is stored.
    case exists
    /// The document is missing.
    case missing
    /// The document was last changed at this time.
    case updateTime(Timestamp)

    /// True for `updateTime`.
    var isVersion: Bool {
      if case .updateTime = self { true } else { false }
    }
  }

  /// The document.
  public var path: DocumentPath
  /// The effect of a write.
  public var change: Change
  /// Transforms, which the server applies after the change, in order.
  public var transforms: [(path: FieldPath, transform: Transform)]
  /// The precondition.
  public var precondition: Precondition
  /// True if the server generated the document's ID, which rules do not see.
  public var hasDrawnID = false

  /// Creates a write.
  public init(
    _ path: DocumentPath, _ change: Change,
    transforms: [(path: FieldPath, transform: Transform)] = [], precondition: Precondition = .none
  ) {
    self.path = path
    self.change = change
    self.transforms = transforms
    self.precondition = precondition
  }

  /// The write as the rules see it; nil for a verification, which they see as a `get`.
  public var rulesWrite: Write? {
    let change: Write.Change
    switch self.change {
    case .set(let data, let mask): change = .set(data, mask: mask)
    case .delete: change = .delete
    case .transform: change = .set(MapValue(), mask: [])
    case .verify: return nil
    }
    var write = Write(to: path, change, precondition: rulesPrecondition)
    write.transforms = transforms
    write.hasDrawnID = hasDrawnID
    return write
  }

  private var rulesPrecondition: Write.Precondition {
    switch precondition {
    case .none: .none
    case .exists, .updateTime: .exists
    case .missing: .missing
    }
  }

  /// The refusal of a write without an operation.
  public static let missingOperation = Refusal.invalidArgument("empty write operation")
}

/// The result of one write.
public struct WriteResult: Sendable {
  /// The time of the document's last change; nil if the document is not stored.
  public var updated: Timestamp?
  /// The results of the transforms, in order; null for those of arrays.
  public var transforms: [Value]

  /// Creates a result.
  public init(updated: Timestamp?, transforms: [Value] = []) {
    self.updated = updated
    self.transforms = transforms
  }
}

/// The result of a commit.
public struct Commit: Sendable {
  /// The time of the commit; nil if the commit has no writes.
  public var time: Timestamp?
  /// The results of the writes, in order.
  public var results: [WriteResult]
  /// The documents of all writes, without duplicates, whether or not they have changed. Documents that are
  /// only verified come last.
  public var changed: [DocumentPath]
}
