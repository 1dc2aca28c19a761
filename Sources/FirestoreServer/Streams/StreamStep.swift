import FirestoreTransport
import FirestoreWire
import RulesEval

/// The result of a message on a stream.
struct StreamStep {
  /// The messages to send.
  var replies: [WireMessage] = []
  /// The status that ends the stream; nil if the stream continues.
  var end: CallStatus?
  /// The time when a write that waits for locks has to be retried; nil if none waits.
  var waitsUntil: Timestamp?
}
