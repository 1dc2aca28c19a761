import FirestoreTransport
import FirestoreWire
import RulesEval

/// Answers of a stream to a message.
struct StreamStep {
  /// The messages to be sent.
  var replies: [WireMessage] = []
  /// The status that ends the stream; nil if it goes on.
  var end: CallStatus?
  /// When a write that waits for locks has to be tried again; nil if none waits.
  var waitsUntil: Timestamp?
}
