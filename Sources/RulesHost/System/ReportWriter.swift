/// A buffered writer of a report to a file or standard output.
package struct ReportWriter: TextOutputStream {
  private let output: ReportOutput
  private var buffer: [UInt8] = []
  private var problem: FileProblem?
  private var log: BuildLog?

  private static let bufferSize = 256 << 10

  /// Empties the file; nil is standard output. In the log of a GitHub build, lines that would be commands are
  /// changed unless the report consists of them.
  package init(_ file: String?, format: String) throws(FileProblem) {
    output = try ReportOutput(file, format: format)
    if file == nil, format != "github", BuildLog.isWritten { log = BuildLog() }
  }

  /// Adds a piece.
  package mutating func write(_ piece: String) {
    if let text = log?.disarmed(piece.utf8) { buffer += text } else { buffer += piece.utf8 }
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Records that the report is incomplete; `finish` throws the first problem.
  package mutating func fail(_ problem: FileProblem) { self.problem = self.problem ?? problem }

  /// Writes the rest and throws the first problem.
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
