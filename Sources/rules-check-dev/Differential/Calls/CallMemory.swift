import FirestoreWire
import RulesEval
import RulesLang

/// Values that one side has sent and later requests repeat: versions and transactions. Each side has a memory
/// of its own.
struct CallMemory: Sendable {
  /// The project, which is the same on both sides.
  let project: Text
  /// The versions of documents as last read, by their names.
  private(set) var versions: [Text: Timestamp] = [:]
  /// The transactions by their numbers in the sequence.
  private(set) var transactions: [Int: [UInt8]] = [:]

  /// Creates an empty memory.
  init(project: String) { self.project = Text(project) }

  /// The database.
  var database: Text { Text("projects/\(String(project))/databases/(default)") }
  /// The parent of the root collections.
  var root: Text { Text(String(database) + "/documents") }

  /// Returns the name of a document or parent, such as `a/1`; the root if the path is empty.
  func name(_ path: String) -> Text {
    path.isEmpty ? root : Text(String(root) + "/" + path)
  }

  /// Returns the transaction with a number; an invalid one if its beginning was removed.
  func transaction(_ number: Int) -> [UInt8] { transactions[number] ?? [1, 2, 3] }

  /// Stores the values in a message of an answer.
  mutating func note(_ message: WireMessage, transaction number: Int?) {
    if message.type == .document {
      note(document: message)
    } else if message.type == .batchGetDocumentsResponse {
      note(document: message[.batchGetDocumentsResponseFound])
      note(message[.batchGetDocumentsResponseTransaction], as: number)
    } else if message.type == .runQueryResponse {
      note(document: message[.runQueryResponseDocument])
      note(message[.runQueryResponseTransaction], as: number)
    } else if message.type == .beginTransactionResponse {
      note(message[.beginTransactionResponseTransaction], as: number)
    } else if message.type == .listDocumentsResponse {
      for document in message[.listDocumentsResponseDocuments] { note(document: document) }
    }
  }

  private mutating func note(document: WireMessage?) {
    guard let document, let time = document[.documentUpdateTime] else { return }
    versions[document[.documentName]] = time
  }

  private mutating func note(_ transaction: [UInt8], as number: Int?) {
    guard let number, !transaction.isEmpty else { return }
    transactions[number] = transaction
  }
}
