public import RulesLang

/// Formats a rules text: the same tokens and comments in one style (Docs/Style.md).
///
/// Sound by construction and by a check: only white space is changed, and the result is split into tokens
/// again and compared before it is returned. Takes linear time for any text, whether it compiles or not.
public enum RulesFormatter {
  /// The result of formatting.
  public enum Outcome: Sendable {
    /// The formatted text, which may equal the given one.
    case formatted([UInt8])
    /// The text is not UTF-8 from some byte on, and is not changed.
    case notUTF8(at: Int)
    /// The tokens would have changed: a defect of the formatter. The text is not changed.
    case defect
  }

  /// Formats a text. A byte order mark stays; all lines end as the first one does.
  public static func format(_ source: SourceText) -> Outcome {
    if let place = source.isUTF16 ? 0 : source.firstInvalidByte { return .notUTF8(at: place) }
    let plain = LineEnds.plain(source)
    let pieces = Pieces(of: plain)
    let text = Writer(pieces.excludingWhatIsOff()).bytes
    guard pieces.areThose(of: Pieces(of: SourceText(name: source.name, bytes: text))) else {
      return .defect
    }
    let mark: [UInt8] = source.hadByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    return .formatted(mark + (LineEnds.areWindows(source) ? LineEnds.windows(text) : text))
  }
}

/// Conversion of line ends.
private enum LineEnds {
  /// True if the first line ends with a carriage return and a line feed.
  static func areWindows(_ source: SourceText) -> Bool {
    guard let end = source.bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return false }
    return source.bytes[end - 1] == UInt8(ascii: "\r")
  }

  /// Returns the text with line feeds alone.
  static func plain(_ source: SourceText) -> SourceText {
    let bytes = source.bytes
    guard bytes.contains(UInt8(ascii: "\r")) else { return source }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isHalf =
        byte == UInt8(ascii: "\r") && index + 1 < bytes.count
        && bytes[index + 1] == UInt8(ascii: "\n")
      if !isHalf { plain.append(byte) }
    }
    return SourceText(name: source.name, bytes: plain)
  }

  /// Returns the text with a carriage return before each line feed.
  static func windows(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 32)
    for byte in text {
      if byte == UInt8(ascii: "\n") { result.append(UInt8(ascii: "\r")) }
      result.append(byte)
    }
    return result
  }
}

/// Writes pieces in their layout.
private struct Writer {
  private let pieces: Pieces
  private let layout: Layout
  /// The text.
  private(set) var bytes: [UInt8] = []

  init(_ all: Pieces) {
    (pieces, layout) = IgnoredLines.layout(of: all)
    bytes.reserveCapacity(pieces.source.bytes.count)
    for index in 0..<pieces.count { write(index) }
  }

  private mutating func write(_ index: Int) {
    let piece = pieces[index]
    if piece.keepsGap {
      bytes += pieces[pieces.gap(index)]
    } else if piece.token == .endOfFile {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
    } else if index > 0 {
      writeBlanks(before: index)
    }
    if piece.isComment, !piece.keepsText {
      writeComment(index)
    } else {
      bytes += pieces.bytes(index)
    }
  }

  private mutating func writeBlanks(before index: Int) {
    switch layout.starts[index] {
    case .sameLine: return writeBlanks(layout.blanks[index])
    case .line: bytes.append(UInt8(ascii: "\n"))
    case .lineAfterBlank: bytes += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
    }
    writeBlanks(layout.indents[index])
  }

  private mutating func writeBlanks(_ count: Int) {
    bytes += repeatElement(UInt8(ascii: " "), count: count)
  }

  /// Writes a comment without spaces at the ends of lines. The stars that begin its lines stay aligned below
  /// its first one.
  private mutating func writeComment(_ index: Int) {
    var lines = pieces.bytes(index).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { (line: ArraySlice<UInt8>) -> ArraySlice<UInt8> in line.withoutTrailingBlanks }
    let first = lines.removeFirst()
    bytes += first
    let isAligned =
      layout.starts[index] != .sameLine && !pieces[index].keepsGap
      && lines.allSatisfy { $0.withoutLeadingBlanks.first == UInt8(ascii: "*") }
    for line in lines {
      bytes.append(UInt8(ascii: "\n"))
      guard isAligned else {
        bytes += line
        continue
      }
      writeBlanks(layout.indents[index] + 1)
      bytes += line.withoutLeadingBlanks
    }
  }
}

extension Pieces {
  /// True if other pieces are the same in the same order: tokens byte by byte, comments line by line except
  /// for the spaces around each line, and anything else with its gaps.
  func areThose(of other: Pieces) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count {
      let (mine, its) = (self[index], other[index])
      guard mine.kind == its.kind, mine.keepsGap == its.keepsGap else { return false }
      if mine.keepsGap, self[gap(index)] != other[other.gap(index)] { return false }
      let (text, itsText) = (bytes(index), other.bytes(index))
      if text == itsText { continue }
      guard mine.isComment, Self.trimmed(text) == Self.trimmed(itsText) else { return false }
    }
    return true
  }

  private static func trimmed(_ comment: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    comment.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      (line: ArraySlice<UInt8>) -> ArraySlice<UInt8> in
      line.withoutTrailingBlanks.withoutLeadingBlanks
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutTrailingBlanks: ArraySlice<UInt8> {
    var end = endIndex
    while end > startIndex, self[end - 1].isBlank { end -= 1 }
    return self[startIndex..<end]
  }

  fileprivate var withoutLeadingBlanks: ArraySlice<UInt8> { drop { $0.isBlank } }
}
