public import RulesEval
import RulesLang

/// One write of a commit, as it comes over the wire.
public struct StoreWrite: Sendable {
  /// The effect of a write.
  public enum Change: Sendable {
    /// Sets the data; with a mask only the masked paths, of which those without data are removed.
    case set(MapValue, mask: [FieldPath]?)
    /// Removes the document.
    case delete
    /// Changes nothing; the precondition is all that matters.
    case verify
    /// Applies transforms alone: an older form of an update with an empty mask.
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
    /// The last change of the document was at this time.
    case updateTime(Timestamp)

    /// True if it names a time.
    var isVersion: Bool {
      if case .updateTime = self { true } else { false }
    }
  }

  /// The document.
  public var path: DocumentPath
  /// The effect of a write.
  public var change: Change
  /// Fields that the server computes on top, in order.
  public var transforms: [(path: FieldPath, transform: Transform)]
  /// The condition on the document before.
  public var precondition: Precondition
  /// True if the server has drawn the document's ID, which rules do not see.
  public var hasDrawnID = false

  /// Makes a write.
  public init(
    _ path: DocumentPath, _ change: Change,
    transforms: [(path: FieldPath, transform: Transform)] = [], precondition: Precondition = .none
  ) {
    self.path = path
    self.change = change
    self.transforms = transforms
    self.precondition = precondition
  }

  /// The write as the rules see it; nil for a verification, which is a `get` to them.
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

  /// The refusal of a write that names no operation.
  public static let missingOperation = Refusal.invalidArgument("empty write operation")
}

/// The answer to one write.
public struct WriteResult: Sendable {
  /// The time of the document's last change; nil for a document that is gone.
  public var updated: Timestamp?
  /// The results of the transforms, in order; null for those of arrays.
  public var transforms: [Value]

  /// Makes a result.
  public init(updated: Timestamp?, transforms: [Value] = []) {
    self.updated = updated
    self.transforms = transforms
  }
}

/// The answer to a commit.
public struct Commit: Sendable {
  /// The time of the commit; nil if it has no writes.
  public var time: Timestamp?
  /// The answers to the writes, in order.
  public var results: [WriteResult]
  /// The documents that writes name, each once, whether or not they have changed: those that are only
  /// verified come last.
  public var changed: [DocumentPath]
}
