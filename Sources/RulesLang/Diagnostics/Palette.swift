/// The colours of a report for people: escape codes of terminals, or none.
public struct Palette: Sendable {
  /// How a piece of text is to be coloured.
  public enum Style: Sendable {
    case plain, strong, error, warning, info, gutter, good
  }

  private let isColored: Bool

  private init(isColored: Bool) { self.isColored = isColored }

  /// Leaves text as it is.
  public static let plain = Palette(isColored: false)

  /// Colours text for a terminal.
  public static let ansi = Palette(isColored: true)

  /// A piece of text in a style.
  public func paint(_ text: String, as style: Style) -> String {
    guard isColored else { return text }
    let code =
      switch style {
      case .plain: ""
      case .strong: "1"
      case .error: "1;31"
      case .warning: "1;33"
      case .info: "1;34"
      case .gutter: "2"
      case .good: "32"
      }
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
