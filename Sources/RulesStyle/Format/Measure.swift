import RulesLang

/// Widths of pieces on one line, and the line ends that cannot be avoided.
struct Measure {
  /// The spaces before each piece if it does not begin a line.
  let blanks: [Int]
  /// For each piece, true if it has to begin a line.
  private(set) var isForced: [Bool]
  /// The columns that each piece occupies.
  private var widths: [Int] = []
  /// Prefix sums of the columns, if all pieces were on one line.
  private var columns: [Int] = []
  /// Prefix counts of the line ends that cannot be avoided.
  private var forced: [Int] = []
  /// Prefix counts of the pieces that contain line feeds.
  private var tall: [Int] = []

  /// Measures pieces.
  init(_ pieces: Pieces, _ roles: [Role]) {
    let spacing = Spacing(pieces, roles)
    var blanks: [Int] = []
    isForced = []
    for index in 0..<pieces.count {
      blanks.append(index == 0 ? 0 : spacing.blanks(before: index))
      isForced.append(Self.isForced(index, pieces))
    }
    self.blanks = blanks
    var (column, lines, high) = (0, 0, 0)
    for index in 0..<pieces.count {
      let gap = pieces[pieces.gap(index)]
      let isKept = pieces[index].keepsGap
      widths.append(pieces.bytes(index).width)
      column += (isKept ? gap.width : blanks[index]) + widths[index]
      if isForced[index] || (isKept && gap.contains(UInt8(ascii: "\n"))) { lines += 1 }
      if pieces.bytes(index).contains(UInt8(ascii: "\n")) { high += 1 }
      columns.append(column)
      forced.append(lines)
      tall.append(high)
    }
  }

  /// True if a piece has to begin a line: behind a comment that ends its line, and before and behind one that
  /// has a line of its own.
  private static func isForced(_ index: Int, _ pieces: Pieces) -> Bool {
    guard index > 0, !pieces[index].keepsGap else { return false }
    if pieces[index - 1].kind == .lineComment || pieces[index].beginsLine { return true }
    return isAlone(index, pieces) || isAlone(index - 1, pieces)
  }

  private static func isAlone(_ index: Int, _ pieces: Pieces) -> Bool {
    guard pieces[index].lineFeeds > 0 else { return false }
    return pieces[index].kind == .lineComment
      || pieces[index].kind == .blockComment && pieces[index + 1].lineFeeds > 0
  }

  /// Returns the columns of some pieces on one line, without the space before the first.
  func width(_ first: Int, _ last: Int) -> Int {
    guard last >= first else { return 0 }
    return columns[last] - columns[first] + widths[first]
  }

  /// True if some pieces fit on one line.
  func isFlat(_ first: Int, _ last: Int) -> Bool {
    guard last >= first else { return true }
    return forced[last] == forced[first] && tall[last] == (first == 0 ? 0 : tall[first - 1])
  }
}

extension Collection<UInt8> {
  /// The number of code points.
  fileprivate var width: Int { reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
}

extension Pieces {
  /// The bytes in a range.
  subscript(_ range: SourceRange) -> ArraySlice<UInt8> { source[range] }
}
