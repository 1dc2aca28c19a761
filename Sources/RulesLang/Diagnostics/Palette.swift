/// The capabilities of an output for people: colours, as escape codes of terminals or none, and the number of
/// columns.
public struct Palette: Sendable {
  /// The style of a piece of text.
  public enum Style: Sendable {
    case plain, strong, error, warning, info, gutter, good
  }

  private let isColored: Bool
  /// The number of columns; nil if it is unknown, as in a file.
  public private(set) var columns: Int?

  private init(isColored: Bool) { self.isColored = isColored }

  /// Returns the palette with a number of columns, at least 40: source cannot be shown in fewer.
  public func fitting(columns: Int?) -> Palette {
    var copy = self
    copy.columns = columns.map { max($0, Self.fewestColumns) }
    return copy
  }

  private static let fewestColumns = 40

  /// Returns the number of columns for a source line beside `used` other columns; a readable width if the
  /// number of columns is unknown.
  public func sourceColumns(beside used: Int) -> Int {
    columns.map { max($0 - used, Self.fewestColumns / 2) } ?? TextRenderer.width
  }

  /// Returns prose broken into lines that fit, if the number of columns is known. The first line comes after
  /// `used` columns, the others after `indent` spaces.
  public func wrapped(_ text: String, after used: Int, indent: Int) -> String {
    guard let columns else { return text }
    return Printable.wrapped(text, columns: columns, used: used, indent: indent)
  }

  /// The palette without colours.
  public static let plain = Palette(isColored: false)

  /// The palette with a terminal's colours.
  public static let ansi = Palette(isColored: true)

  /// Returns a piece of text in a style.
  public func paint(_ text: String, as style: Style) -> String {
    guard isColored else { return text }
    let code =
      switch style {
      case .plain: ""
      case .strong: "1"
      case .error: "1;31"
      // A darker yellow: 3.3 to 1 on white, 5 to 1 on dark grey. The usual one has 2 to 1 on white.
      case .warning: "1;38;5;136"
      case .info: "1;34"
      case .gutter: "2"
      case .good: "32"
      }
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
