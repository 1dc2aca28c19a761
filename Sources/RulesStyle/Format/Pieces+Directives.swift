import RulesLang

// Comments to rules-check that the layout has to respect.

extension Pieces {
  /// Returns the pieces with sections from `// rules-check: fmt off` to `// rules-check: fmt on`, or to the
  /// end, kept as they are.
  func excludingWhatIsOff() -> Pieces {
    var result = self
    var isOff = false
    for index in 0..<count {
      if isOff {
        result[index].keepsGap = true
        result[index].keepsText = true
        result[index].lineFeeds = 0
      }
      let words = directive(index)
      guard words.count >= 2, words[0] == "fmt" else { continue }
      if words[1] == "off" { isOff = true }
      if words[1] == "on" { isOff = false }
    }
    return result
  }

  /// Returns the words after `rules-check:` in a line comment; none for another piece.
  fileprivate func directive(_ index: Int) -> [Text] {
    guard self[index].kind == .lineComment else { return [] }
    let words = bytes(index).dropFirst(2).split { $0.isBlank }
    guard let first = words.first, first.elementsEqual("rules-check:".utf8) else { return [] }
    return words.dropFirst().map { (word: ArraySlice<UInt8>) -> Text in
      Text(wellFormed: Array(word))
    }
  }
}

/// The lines to which `// rules-check: ignore` comments apply. Each stays one line with the same pieces, so
/// that its findings stay below its comment, and no others get there.
struct IgnoredLines {
  /// The first and the last piece of each line.
  private var lines: [(first: Int, last: Int)] = []

  /// Lays out pieces, keeping the gaps on lines that the layout would have broken or joined. Returns the
  /// pieces and their layout.
  static func layout(of pieces: Pieces) -> (Pieces, Layout) {
    let ignored = IgnoredLines(in: pieces)
    var result = pieces
    var layout = Layout(pieces)
    // Keeping one line can move another; in that case all are kept.
    for round in 0..<2 {
      let broken = ignored.lines.filter { !layout.keeps($0.first, $0.last, of: result) }
      guard !broken.isEmpty else { break }
      for line in round == 0 ? broken : ignored.lines { result.keepLine(line.first, line.last) }
      layout = Layout(result)
    }
    return (result, layout)
  }

  private init(in pieces: Pieces) {
    for index in 0..<pieces.count where pieces.directive(index).first == "ignore" {
      var first = index + 1
      while pieces[first].isComment { first += 1 }
      if pieces[first].keepsGap || lines.last?.first == first { continue }
      var last = first
      while last + 1 < pieces.count, pieces[last + 1].lineFeeds == 0, !pieces[last + 1].keepsGap {
        last += 1
      }
      lines.append((first, last))
    }
  }
}

extension Layout {
  /// True if some pieces make up exactly a line.
  fileprivate func keeps(_ first: Int, _ last: Int, of pieces: Pieces) -> Bool {
    for index in (first + 1)..<max(first + 1, last + 1)
    where starts[index] != .sameLine && !pieces[index].keepsGap {
      return false
    }
    return last + 1 >= starts.count - 1 || starts[last + 1] != .sameLine
  }
}
