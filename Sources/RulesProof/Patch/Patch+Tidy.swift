import RulesLang

// A cut leaves white space and empty lines behind. They are removed, too, but comments stay where they are,
// and no line is joined to one that ends in a comment.

extension Patch {
  /// Returns the patch with cuts extended to the white space that only they needed.
  func tidied(_ source: SourceText) -> Patch {
    var result = Patch()
    for piece in merged(source) {
      let isCut = piece.text.isEmpty && !piece.range.isEmpty
      result.replace(isCut ? Tidying(source).widened(piece.range) : piece.range, with: piece.text)
    }
    return result
  }

  /// Returns the replacements, merging cuts that are separated by white space only.
  private func merged(_ source: SourceText) -> [Piece] {
    var found: [Piece] = []
    for piece in pieces {
      if let last = found.last, last.text.isEmpty, piece.text.isEmpty, !last.range.isEmpty,
        source.bytes[Int(last.range.end)..<Int(piece.range.start)].allSatisfy({ $0.isBlank })
      {
        found[found.count - 1].range = last.range.union(piece.range)
      } else {
        found.append(piece)
      }
    }
    return found
  }
}

/// Finds the white space around a cut that is removed with it.
private struct Tidying {
  private let source: SourceText
  private var bytes: [UInt8] { source.bytes }

  init(_ source: SourceText) { self.source = source }

  func widened(_ range: SourceRange) -> SourceRange {
    var start = Int(range.start)
    var end = Int(range.end)
    var before = start
    while before > 0, bytes[before - 1].isSpace { before -= 1 }
    var after = end
    while after < bytes.count, bytes[after].isSpace { after += 1 }
    let beginsLine = before == 0 || bytes[before - 1] == UInt8(ascii: "\n")
    let endsLine = after == bytes.count || bytes[after] == UInt8(ascii: "\n")
    switch (beginsLine, endsLine) {
    case (true, true): return SourceRange(start: before, end: min(after + 1, bytes.count))
    case (true, false):
      if before > 0, isClosing(bytes[after]), !hasComment(source.line(of: UInt32(before - 1))) {
        start = before - 1
        while start > 0, bytes[start - 1].isBlank { start -= 1 }
      } else {
        end = after
      }
    case (false, true):
      if isOpening(bytes[before - 1]) || bytes[before - 1] == UInt8(ascii: "f") {
        // A condition continues where it began.
        end = after
        while end < bytes.count, bytes[end].isBlank { end += 1 }
      } else {
        start = before
      }
    case (false, false):
      if isClosing(bytes[after]) { start = before } else { end = after }
    }
    return SourceRange(start: start, end: end)
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ";") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: ",")
  }

  private func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "!")
  }

  /// True if a line may end in a comment.
  private func hasComment(_ line: Int) -> Bool {
    let range = source.lineRange(line)
    let text = bytes[Int(range.start)..<Int(range.end)]
    return zip(text, text.dropFirst()).contains { pair in
      pair.0 == UInt8(ascii: "/") && pair.1 == UInt8(ascii: "/")
    }
  }
}

extension UInt8 {
  /// True for white space inside a line.
  fileprivate var isSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }

  /// True for white space.
  fileprivate var isBlank: Bool { isSpace || self == UInt8(ascii: "\n") }
}
