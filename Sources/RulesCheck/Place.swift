extension Rules {
  /// The place of a call in a test.
  package struct Place: Sendable {
    /// Module and file, `AppTests/RulesTests.swift`.
    package let fileID: StaticString
    /// The path of the file.
    package let filePath: StaticString
    /// The line, from 1.
    package let line: UInt
    /// The column, from 1.
    package let column: UInt

    /// Creates a place.
    package init(
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
      self.fileID = fileID
      self.filePath = filePath
      self.line = line
      self.column = column
    }
  }
}
