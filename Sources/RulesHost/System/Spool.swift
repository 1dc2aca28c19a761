import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A sequence of texts that may be too large for memory, kept in a file without a name.
///
/// A small sequence stays in memory. If no file can be created or the disk is full, the rest stays in memory
/// too, and no text is lost.
package final class Spool: Sendable {
  /// Texts that are added together.
  package struct Batch: Sendable {
    fileprivate var bytes: [UInt8] = []

    /// Creates an empty batch.
    package init() {}

    /// Adds a text.
    package mutating func append(_ piece: String) {
      let count = UInt32(piece.utf8.count)
      for shift in [0, 8, 16, 24] as [UInt32] {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
      bytes += piece.utf8
    }
  }

  private struct State {
    /// The file; nil before it is created.
    var descriptor: Int32?
    /// True if no more can be written to the file.
    var isFull = false
    /// The number of bytes in the file.
    var written = 0
    /// The bytes after those in the file.
    var tail: [UInt8] = []
    var problem: FileProblem?
  }

  private let state = Mutex(State())
  private let folder: String

  /// Minimum bytes in memory that are written to the file.
  private static let tailSize = 1 << 20
  private static let chunkSize = 256 << 10

  /// Creates an empty sequence; `folder` is for its file.
  package init(folder: String = FileSystem.temporaryFolder) { self.folder = folder }

  deinit {
    if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) }
  }

  /// Adds a batch at the end.
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
      // Bytes that reached the file are behind `written`, where they are not read.
      state.isFull = true
      return
    }
    state.written += state.tail.count
    state.tail.removeAll(keepingCapacity: true)
  }

  /// True if a part is in the file.
  var hasFile: Bool { state.withLock { $0.written > 0 } }

  /// The problem that texts could not be read back; nil if there was none.
  package var problem: FileProblem? { state.withLock { $0.problem } }

  /// Calls a function with each text, in order, up to the first that cannot be read; `problem` then has the
  /// reason.
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

  /// Calls a function with the complete texts and keeps the rest.
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
