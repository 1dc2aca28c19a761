import FirestoreServer

/// The last requests of an emulator, numbered from 1.
struct LiveHistory {
  /// A request.
  struct Entry {
    /// The unique number.
    var number: Int
    /// The request with its decision.
    var call: DecidedCall
    /// The size of its values and documents, in bytes.
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
  /// Maximum bytes of values and documents; a single document has up to 1 MiB.
  static let mostBytes = 64 << 20

  /// Creates an empty history.
  init(mostBytes: Int = LiveHistory.mostBytes) { self.mostBytes = mostBytes }

  /// The numbers of the requests in the history.
  var numbers: Range<Int> { first..<next }

  /// Returns the request with a number; nil if it was dropped, or is yet to come.
  subscript(number: Int) -> Entry? { entries[number] }

  /// Adds a request, dropping the oldest ones beyond the limits.
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
