import FirestoreStore
import FirestoreWire

extension WireMessage {
  /// The result of a write: an empty message where nothing was stored.
  init(_ result: WriteResult) {
    self.init(.writeResult) {
      $0[.writeResultUpdateTime] = result.updated
      $0[.writeResultTransformResults] = result.transforms
    }
  }

  /// The answer to a commit.
  init(_ commit: Commit) {
    self.init(.commitResponse) {
      $0[.commitResponseWriteResults] = commit.results.map { WireMessage($0) }
      $0[.commitResponseCommitTime] = commit.time
    }
  }
}
