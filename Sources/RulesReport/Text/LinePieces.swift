import RulesLang

/// Breaks long source lines: before `&&` and `||`, else at a space, else before a dot or inside a
/// parenthesis.
enum LinePieces {
  /// Returns the pieces of a range, each at most `longest` characters, in order and without the spaces
  /// between.
  static func split(
    _ range: SourceRange, of source: SourceText, longest: Int = usual
  ) -> [SourceRange] {
    var pieces: [SourceRange] = []
    var start = range.start
    while start < range.end {
      let end = self.end(of: start, within: range, in: source, longest: UInt32(longest))
      pieces.append(SourceRange(start: start, end: end))
      start = end
      while start < range.end, source.bytes[Int(start)] == UInt8(ascii: " ") { start += 1 }
    }
    return pieces
  }

  /// The maximum length of pieces if the number of columns is unknown.
  static let usual = 100

  private static func end(
    of start: UInt32, within range: SourceRange, in source: SourceText, longest: UInt32
  ) -> UInt32 {
    let shortest = longest * 3 / 10
    guard range.end - start > longest else { return range.end }
    var blank: UInt32?
    var joint: UInt32?
    var offset = start + longest
    while offset > start + shortest {
      switch source.bytes[Int(offset)] {
      case UInt8(ascii: " "):
        blank = blank ?? offset
        let next = source.string(SourceRange(start: offset + 1, end: offset + 3))
        if next == "&&" || next == "||" { return offset }
      case UInt8(ascii: "."): joint = joint ?? offset
      case UInt8(ascii: "("), UInt8(ascii: ","): joint = joint ?? offset + 1
      default: break
      }
      offset -= 1
    }
    // A line without any of these is cut between characters.
    var end = blank ?? joint ?? start + longest
    while end < range.end, source.bytes[Int(end)] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
