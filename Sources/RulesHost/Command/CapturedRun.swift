/// The result of a command that ran inside this process.
package struct CapturedRun: Sendable {
  /// The exit code.
  package var status: ExitStatus
  /// The report for people.
  package var text: String
  /// The report of the format `json`; nil if none was written.
  package var json: [UInt8]?
  /// The text for standard error.
  package var complaints: String

  /// Creates a result.
  package init(
    status: ExitStatus, text: String, json: [UInt8]? = nil, complaints: String = ""
  ) {
    self.status = status
    self.text = text
    self.json = json
    self.complaints = complaints
  }

  /// True if a command is being captured. Such a command must return instead of ending the process.
  package static var isActive: Bool { OutputCapture.isActive }
}

extension Tool {
  /// Runs the arguments after the program's name, and keeps what they print instead of printing it.
  ///
  /// - Requires: No other thread captures a command.
  package func capture(_ arguments: [String]) -> CapturedRun {
    OutputCapture.begin()
    let status = run(arguments)
    let output = OutputCapture.end()
    return CapturedRun(
      status: status,
      text: String(decoding: output.reports["pretty"] ?? [], as: UTF8.self),
      json: output.reports["json"],
      complaints: String(decoding: output.complaints, as: UTF8.self))
  }
}
