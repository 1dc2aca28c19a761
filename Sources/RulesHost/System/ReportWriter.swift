/// A report on its way to a file or to standard output, of which never much is in memory.
package struct ReportWriter: TextOutputStream {
  private let output: ReportOutput
  private var buffer: [UInt8] = []
  private var problem: FileProblem?

  private static let bufferSize = 256 << 10

  /// Empties the file; nil is standard output.
  package init(_ file: String?) throws(FileProblem) { output = try ReportOutput(file) }

  /// Adds a piece.
  package mutating func write(_ piece: String) {
    buffer += piece.utf8
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Says that the report cannot be made.
  package mutating func fail(_ problem: FileProblem) { self.problem = self.problem ?? problem }

  /// Writes what is left; throws the first thing that went wrong.
  package mutating func finish() throws(FileProblem) {
    flush()
    if let problem { throw problem }
  }

  private mutating func flush() {
    if problem != nil { return buffer.removeAll() }
    do throws(FileProblem) {
      try output.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    } catch {
      fail(error)
    }
  }
}
