/// A filter for text in the log of a GitHub build. GitHub takes a line as a command if it begins with `::`,
/// after any whitespace, or contains `##[`; text of rules and suites must not be one.
struct BuildLog {
  /// True if the output of this run is such a log.
  static var isWritten: Bool {
    !OutputCapture.isActive && ProcessEnvironment.value("GITHUB_ACTIONS") == "true"
  }

  /// True if the line so far contains only what GitHub may take for whitespace.
  private var isLineStart = true
  /// The last byte, and the one before it.
  private var last: (UInt8, UInt8) = (0, 0)

  /// Returns a piece of text with a space inside each would-be command: `: :`, `## [`. Pieces may end
  /// anywhere.
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
      // Some whitespace is not ASCII; other bytes do no harm here.
      case 0...0x20, 0x7F...0xFF: break
      case UInt8(ascii: ":"): if last.0 == byte { isLineStart = false }
      default: isLineStart = false
      }
      last = (byte, last.0)
    }
    return text
  }
}
