/// Text on its way to the log of a build, in which GitHub reads every line: one that begins with `::`, after
/// blanks, or that has `##[` anywhere, is a command to it. What rules and suites say must be none.
struct BuildLog {
  /// Whether this run's output is such a log.
  static var isWritten: Bool { ProcessEnvironment.value("GITHUB_ACTIONS") == "true" }

  /// Whether nothing but what GitHub may take for blanks has been seen in this line.
  private var isLineStart = true
  /// The last byte, and the one before.
  private var last: (UInt8, UInt8) = (0, 0)

  /// A piece of the text with a blank in the middle of what would be a command: `: :`, `## [`. Pieces may
  /// end anywhere.
  mutating func disarmed(_ piece: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for byte in piece {
      let isCommand =
        byte == UInt8(ascii: ":") && last.0 == UInt8(ascii: ":") && isLineStart
        || byte == UInt8(ascii: "[") && last == (UInt8(ascii: "#"), UInt8(ascii: "#"))
      if isCommand { text.append(UInt8(ascii: " ")) }
      text.append(byte)
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isLineStart = true
      // There are blanks beyond ASCII, too; what is no blank does no harm here.
      case 0...0x20, 0x7F...0xFF: break
      case UInt8(ascii: ":"): if last.0 == byte { isLineStart = false }
      default: isLineStart = false
      }
      last = (byte, last.0)
    }
    return text
  }
}
