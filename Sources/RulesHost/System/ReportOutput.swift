/// The destination of a report that is written piece by piece.
package struct ReportOutput {
  private let file: String?
  private let format: String

  /// Empties the file; nil is standard output. Without `isReport`, rules and configuration files are allowed,
  /// as for the output of `fmt`. The format tells captured reports apart.
  ///
  /// - Throws: `FileProblem` if the file was read in this run, or has a name that no report may have.
  package init(
    _ file: String?, format: String = "pretty", isReport: Bool = true
  ) throws(FileProblem) {
    self.file = file
    self.format = format
    guard let file else { return }
    if InputFiles.contains(file) {
      throw FileProblem(path: file, reason: "was read in this run, and a report would replace it")
    }
    let name = FilePath.name(of: file)
    let isOfProject =
      name.hasSuffix(".rules") || name == "firebase.json" || name == ".rulescheck.json"
    if isReport, isOfProject {
      throw FileProblem(
        path: file,
        reason: "cannot be the name of a report")
    }
    try FileSystem.write([], to: file)
  }

  /// Appends a piece.
  package func write(_ bytes: [UInt8]) throws(FileProblem) {
    if let file {
      try FileSystem.append(bytes, to: file)
    } else {
      try Terminal.write(bytes, as: format)
    }
  }
}
