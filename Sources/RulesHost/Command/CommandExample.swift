/// A command line that help shows, ready to be copied.
package struct CommandExample: Sendable {
  /// The command line, as a shell reads it.
  package let line: String
  /// The purpose, in a few words.
  package let purpose: String
  /// The exit code in a project such as help supposes; nil for a command that runs until it is ended.
  package let status: Int32?

  /// Creates an example, by default of a command that succeeds.
  package init(_ line: String, _ purpose: String, exits status: Int32? = 0) {
    self.line = line
    self.purpose = purpose
    self.status = status
  }
}
