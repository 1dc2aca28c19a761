import FirestoreStore
import FirestoreWire

extension WireMessage {
  /// Creates the message of a write's result; empty if nothing was stored.
  init(_ result: WriteResult) {
    self.init(.writeResult) {
      $0[.writeResultUpdateTime] = result.updated
      $0[.writeResultTransformResults] = result.transforms
    }
  }

  /// Creates the message that answers a commit.
  init(_ commit: Commit) {
    self.init(.commitResponse) {
      $0[.commitResponseWriteResults] = commit.results.map { WireMessage($0) }
      $0[.commitResponseCommitTime] = commit.time
    }
  }
}
