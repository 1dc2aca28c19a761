/// What the place can do where a report for people is shown: colours, which are escape codes of terminals
/// or none, and the number of columns.
public struct Palette: Sendable {
  /// How a piece of text is to be coloured.
  public enum Style: Sendable {
    case plain, strong, error, warning, info, gutter, good
  }

  private let isColored: Bool
  /// How many columns there are; nil where nobody knows, as in a file.
  public private(set) var columns: Int?

  private init(isColored: Bool) { self.isColored = isColored }

  /// The same where there are so many columns. With fewer than 40 pictures of source cannot be had.
  public func fitting(columns: Int?) -> Palette {
    var copy = self
    copy.columns = columns.map { max($0, Self.fewestColumns) }
    return copy
  }

  private static let fewestColumns = 40

  /// How many columns are left for a source line beside so many others; where nobody knows how many there
  /// are, as many as people read without turning their heads.
  public func sourceColumns(beside used: Int) -> Int {
    columns.map { max($0 - used, Self.fewestColumns / 2) } ?? TextRenderer.width
  }

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
