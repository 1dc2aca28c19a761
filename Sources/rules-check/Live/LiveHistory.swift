import FirestoreServer

/// The last requests of an emulator, numbered from 1.
struct LiveHistory {
  /// A request.
  struct Entry {
    /// The number, which no other request has.
    var number: Int
    /// The request with its decision.
    var call: DecidedCall
    /// Bytes of its values and documents.
    var size: Int
  }

  private var entries: [Int: Entry] = [:]
  /// The number of the oldest request.
  private var first = 1
  /// The number of the next request.
  private(set) var next = 1
  private var size = 0
  private let mostBytes: Int

  /// Requests at most: more than anybody scrolls through. A thousand gets of small documents take 2.1 MiB.
  static let mostEntries = 1_000
  /// Bytes of values and documents at most; a document has up to 1 MiB.
  static let mostBytes = 64 << 20

  /// Makes an empty history.
  init(mostBytes: Int = LiveHistory.mostBytes) { self.mostBytes = mostBytes }

  /// The numbers of the requests that are here.
  var numbers: Range<Int> { first..<next }

  /// The request of a number; nil if it is too old, or has not come yet.
  subscript(number: Int) -> Entry? { entries[number] }

  /// Adds a request. The oldest ones go while there are too many.
  mutating func add(_ call: DecidedCall) {
    let entry = Entry(
      number: next, call: call, size: call.request.size(with: call.documents))
    entries[next] = entry
    next += 1
    size += entry.size
    while numbers.count > 1, numbers.count > Self.mostEntries || size > mostBytes {
      size -= entries.removeValue(forKey: first)?.size ?? 0
      first += 1
    }
  }
}
