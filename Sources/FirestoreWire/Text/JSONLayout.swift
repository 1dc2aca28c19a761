/// The layout of a message in JSON.
public enum JSONLayout: Sendable {
  /// On many lines, two spaces a level, as the emulator answers over REST; an empty message is `{`, a line
  /// break and `}`. The last line is not ended.
  case pretty
  /// On one line without spaces, as WebChannel carries it.
  case compact
}
