/// Where a report that is written piece by piece goes.
struct ReportOutput {
  private let file: String?

  /// Empties the file; nil is standard output.
  init(_ file: String?) throws(FileProblem) {
    self.file = file
    if let file { try FileSystem.write([], to: file) }
  }

  /// Writes a piece.
  func write(_ bytes: [UInt8]) throws(FileProblem) {
    if let file { try FileSystem.append(bytes, to: file) } else { Terminal.print(bytes) }
  }
}
