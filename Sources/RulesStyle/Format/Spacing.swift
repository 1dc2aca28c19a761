import RulesLang

/// The number of spaces between two pieces of one line, 0 or 1.
struct Spacing {
  private let pieces: Pieces
  private let roles: [Role]

  /// Prepares the spacing of pieces with these roles.
  init(_ pieces: Pieces, _ roles: [Role]) {
    self.pieces = pieces
    self.roles = roles
  }

  /// Returns the spaces before a piece that is not the first; never 0 if two tokens would become others.
  func blanks(before index: Int) -> Int {
    let wanted = style(before: index)
    return wanted == 0 && fuses(index - 1, with: index) ? 1 : wanted
  }

  private func style(before index: Int) -> Int {
    let (left, right) = (roles[index - 1], roles[index])
    if pieces[index].kind == .lineComment { return 1 }
    switch right {
    case .comma, .semicolon, .close, .interpolationClose, .captureClose, .captureInside, .apply,
      .interpolationOpen, .captureOpen, .pathDollar, .label, .slice:
      return 0
    case .blockClose: return left == .blockOpen ? 0 : 1
    case .dot: return left.endsOperand ? 0 : 1
    case .stray: return asWritten(index)
    case .comment, .operand, .other, .blockOpen, .open, .pathSlash, .binary, .prefix, .end: break
    }
    switch left {
    case .open, .apply, .interpolationOpen, .captureOpen, .captureInside, .pathDollar, .prefix,
      .slice, .dot:
      return 0
    case .stray: return asWritten(index)
    case .comment, .operand, .other, .blockOpen, .blockClose, .close, .interpolationClose,
      .captureClose, .pathSlash, .binary, .label, .comma, .semicolon, .end:
      return isPath(right, index) ? pathStyle(left, index) : 1
    }
  }

  /// True if a path begins or continues with the piece.
  private func isPath(_ role: Role, _ index: Int) -> Bool {
    role == .pathSlash || pieces[index].kind == .token(.pathSegment)
  }

  /// Returns the spaces between a piece and a part of a path.
  private func pathStyle(_ left: Role, _ index: Int) -> Int {
    if left.endsPath || pieces[index - 1].kind == .token(.pathSegment) { return 0 }
    return left.endsOperand ? asWritten(index) : 1
  }

  private func asWritten(_ index: Int) -> Int { pieces.gap(index).isEmpty ? 0 : 1 }

  /// True if two pieces without a space between them could be read as other tokens.
  private func fuses(_ left: Int, with right: Int) -> Bool {
    let (before, after) = (pieces.bytes(left), pieces.bytes(right))
    guard let last = before.last, let first = after.first else { return false }
    if pieces[left].kind == .blockComment { return false }
    if last.continuesIdentifier, first.continuesIdentifier { return true }
    if Operators.two(last, then: first) != nil { return true }
    // Could end a comment that an earlier `/*` seems to begin.
    if last == UInt8(ascii: "*"), first == UInt8(ascii: "/") { return !pieces.gap(right).isEmpty }
    switch pieces[left].token {
    case .pathSegment: return last != UInt8(ascii: ")") && first.goesOnInSegment
    case .slash:
      return first.goesOnInSegment || first == UInt8(ascii: "(") || first == UInt8(ascii: "/")
    case .int: return first == UInt8(ascii: ".")
    case .dot: return first.isDigit
    case .float: return first.isDigit || first == UInt8(ascii: ".")
    case .identifier: return before.count == 1 && pieces[right].token == .string
    case .serviceName: return first == UInt8(ascii: ".") || first == UInt8(ascii: "-")
    default: return false
    }
  }
}

extension UInt8 {
  /// True if the byte, behind a path segment, would be part of it.
  fileprivate var goesOnInSegment: Bool { isSegmentCharacter || self == UInt8(ascii: "%") }
}
