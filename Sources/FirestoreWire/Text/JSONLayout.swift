/// The layout of messages in JSON.
public enum JSONLayout: Sendable {
  /// Multiple lines, indented by two spaces for each level, as in the emulator's REST responses. An empty
  /// message is `{`, a line break and `}`. There is no line break at the end.
  case pretty
  /// A single line without spaces, as in WebChannel.
  case compact
}
