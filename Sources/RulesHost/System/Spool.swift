import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Pieces of text that are too many for memory, kept in order in a file without a name.
///
/// What is small stays in memory, and so does everything if there is no place for a file or the disk
/// is full: that costs memory, and no piece is lost.
package final class Spool: Sendable {
  /// Pieces that belong together.
  package struct Batch: Sendable {
    fileprivate var bytes: [UInt8] = []

    /// An empty batch.
    package init() {}

    /// Adds a piece.
    package mutating func append(_ piece: String) {
      let count = UInt32(piece.utf8.count)
      for shift in [0, 8, 16, 24] as [UInt32] {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
      bytes += piece.utf8
    }
  }

  private struct State {
    /// The file; nil before there is one.
    var descriptor: Int32?
    /// Whether no more goes to a file.
    var isFull = false
    /// How many bytes lie in the file.
    var written = 0
    /// What follows them.
    var tail: [UInt8] = []
    var problem: FileProblem?
  }

  private let state = Mutex(State())
  private let folder: String

  /// How much stays in memory before it goes to the file.
  private static let tailSize = 1 << 20
  private static let chunkSize = 256 << 10

  /// Makes an empty one; `folder` is where its file will be.
  package init(folder: String = FileSystem.temporaryFolder) { self.folder = folder }

  deinit {
    if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) }
  }

  /// Adds a batch after those that were added before.
  package func add(_ batch: Batch) {
    state.withLock { state in
      state.tail += batch.bytes
      if state.tail.count >= Self.tailSize { flush(&state) }
    }
  }

  private func flush(_ state: inout State) {
    if state.isFull { return }
    if state.descriptor == nil { state.descriptor = FileSystem.openNameless(in: folder) }
    guard let descriptor = state.descriptor,
      FileSystem.write(state.tail, descriptor: descriptor)
    else {
      // Whatever reached the file lies behind `written`, where nobody reads.
      state.isFull = true
      return
    }
    state.written += state.tail.count
    state.tail.removeAll(keepingCapacity: true)
  }

  /// Whether some pieces have left memory.
  var hasFile: Bool { state.withLock { $0.written > 0 } }

  /// Why pieces could not be read again, if they could not.
  package var problem: FileProblem? { state.withLock { $0.problem } }

  /// Calls a function with each piece, in order, up to the first that cannot be read; then `problem`
  /// says why.
  package func forEach(_ body: (String) -> Void) {
    let (descriptor, written, tail) = state.withLock { ($0.descriptor, $0.written, $0.tail) }
    var bytes: [UInt8] = []
    var offset = 0
    while let descriptor, offset < written {
      let limit = min(Self.chunkSize, written - offset)
      do throws(FileProblem) {
        offset += try FileSystem.read(descriptor, at: offset, upTo: limit, into: &bytes)
      } catch {
        return state.withLock { $0.problem = error }
      }
      Self.take(from: &bytes, body)
    }
    bytes += tail
    Self.take(from: &bytes, body)
  }

  /// Calls a function with the pieces that are whole, and leaves the rest.
  private static func take(from bytes: inout [UInt8], _ body: (String) -> Void) {
    var start = 0
    while bytes.count - start >= 4 {
      let count = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << ($1 * 8) }
      guard bytes.count - start - 4 >= count else { break }
      body(String(decoding: bytes[(start + 4)..<(start + 4 + count)], as: UTF8.self))
      start += 4 + count
    }
    bytes.removeFirst(start)
  }
}
