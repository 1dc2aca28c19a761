import RulesEncoding
import RulesEval
import RulesLang

// Paths of lookups. A path may come from a function, `let` or parameter, or be parsed from a
// string, and segments may be concatenations: each is followed as if written out.

extension StateText {
  /// A segment of a path.
  struct Segment {
    /// The kind of segment.
    var step: LookedUpDocument.Step
    /// The segment as an expression.
    var text: String
  }

  /// A part of a concatenation.
  private enum Piece {
    case literal(Text)
    case segment(Segment)
  }

  /// Returns the segments of a path, including the database root.
  mutating func segments(
    of path: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> [Segment] {
    var (id, frame) = resolved(path, in: frame)
    while let opened = opened(id, in: frame) {
      try pay(id)
      (id, frame) = resolved(opened.0, in: opened.1)
    }
    switch rules.ruleset[id].kind {
    case .path(let parts):
      var found: [Segment] = []
      for part in parts {
        switch part.kind {
        case .literal(let literal):
          found.append(Segment(step: .literal(literal), text: literal.literal))
        case .interpolation(let inner): found.append(try interpolation(inner, in: frame))
        case .capture, .glob: throw unfollowed("a lookup of a computed path", at: id)
        }
      }
      return found
    case .call(_, let arguments)
    where rules.binding(id) == .builtin(.path) && arguments.count == 1:
      return try parsed(arguments[0], at: id, in: frame)
    default: throw unfollowed("a lookup of a computed path", at: id)
    }
  }

  /// Returns the segments of a path parsed from a string. That other strings in it may contain
  /// syntax is recorded in `loose`.
  private mutating func parsed(
    _ text: ExprID, at id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> [Segment] {
    var found: [[Piece]] = [[]]
    for piece in try pieces(text, in: frame) {
      switch piece {
      case .literal(let literal):
        guard !literal.bytes.contains(where: { Self.pathSyntax.contains($0) }) else {
          throw unfollowed("a lookup of a computed path", at: id)
        }
        let parts = literal.bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
          if place > 0 { found.append([]) }
          if part.isEmpty { continue }
          found[found.count - 1].append(.literal(Text(wellFormed: Array(part))))
        }
      case .segment(let segment):
        loose = loose ?? rules.ruleset[id].range
        found[found.count - 1].append(.segment(segment))
      }
    }
    if found.first?.isEmpty == true { found.removeFirst() }
    guard found.count > DatabaseName.rootCount, !found.contains(where: { $0.isEmpty }) else {
      throw unfollowed("a lookup of a computed path", at: id)
    }
    return found.map { Self.joined($0) }
  }

  /// The characters with a meaning in parsed paths, other than the slash: `%`, `+`, `{`, `}` and
  /// `$`.
  private static let pathSyntax: Set<UInt8> = [0x25, 0x2B, 0x7B, 0x7D, 0x24]
  private static let slash: UInt8 = 0x2F

  /// Returns a concatenated segment. One operand must be a known string, since two numbers would be
  /// added.
  mutating func concatenated(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> Segment {
    let pieces = try pieces(id, in: frame)
    let hasText = pieces.contains { piece in
      switch piece {
      case .literal: return true
      case .segment(let segment):
        switch segment.step {
        case .literal, .variable, .uid: return true
        case .text, .value, .later: return false
        }
      }
    }
    guard hasText else { throw unfollowed("a computed segment of a path", at: id) }
    return Self.joined(pieces)
  }

  private mutating func pieces(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> [Piece] {
    var (id, frame) = resolved(id, in: frame)
    try pay(id)
    while let opened = opened(id, in: frame) {
      try pay(id)
      (id, frame) = resolved(opened.0, in: opened.1)
    }
    if case .binary(.add, let left, let right) = rules.ruleset[id].kind {
      return try pieces(left, in: frame) + (try pieces(right, in: frame))
    }
    let segment = try interpolation(id, in: frame)
    if case .literal(let text) = segment.step { return [.literal(text)] }
    return [.segment(segment)]
  }

  private static func joined(_ pieces: [Piece]) -> Segment {
    var literal: Text? = Text()
    var texts: [String] = []
    for piece in pieces {
      switch piece {
      case .literal(let text):
        literal = literal.map { $0 + text }
        texts.append(text.literal)
      case .segment(let segment):
        if pieces.count == 1 { return segment }
        literal = nil
        texts.append(segment.text)
      }
    }
    if let literal { return Segment(step: .literal(literal), text: literal.literal) }
    return Segment(step: .text, text: "(" + texts.joined(separator: " + ") + ")")
  }
}
