/// Where a report that is written piece by piece goes.
package struct ReportOutput {
  private let file: String?

  /// Empties the file; nil is standard output.
  package init(_ file: String?) throws(FileProblem) {
    self.file = file
    guard let file else { return }
    if InputFiles.contains(file) {
      throw FileProblem(path: file, reason: "was read in this run, and a report would replace it")
    }
    try FileSystem.write([], to: file)
  }

  /// Writes a piece.
  package func write(_ bytes: [UInt8]) throws(FileProblem) {
    if let file { try FileSystem.append(bytes, to: file) } else { try Terminal.write(bytes) }
  }
}
