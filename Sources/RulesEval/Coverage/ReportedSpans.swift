public import RulesLang

/// The span of an expression in a coverage report: first and last character, counted from 0.
public struct ReportedSpan: Hashable, Sendable {
  /// The first character.
  public var first: Int
  /// The last character.
  public var last: Int

  /// Creates a span between two characters, both included.
  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }
}

/// Computes the spans of expressions as the emulator's coverage report has them.
///
/// A report leaves out closing brackets: `f(a)[0]` is reported as `f(a)[0`, and a parenthesised expression
/// begins with its parenthesis. Literals and parentheses are not reported.
public struct ReportedSpans {
  private let ruleset: Ruleset
  /// The number of characters before each byte.
  private let characters: [Int]

  /// Prepares the spans of a rules file.
  public init(_ ruleset: Ruleset) {
    self.ruleset = ruleset
    var count = -1
    characters =
      ruleset.source.bytes.map { byte in
        if byte & 0xC0 != 0x80 { count += 1 }
        return count
      } + [count + 1]
  }

  /// Returns the number of characters before a byte.
  public func character(of byte: UInt32) -> Int {
    characters[min(Int(byte), characters.count - 1)]
  }

  /// Returns the spans of the reported expressions below a root.
  public func spans(of root: ExprID) -> [ExprID: ReportedSpan] {
    var found: [ExprID: ReportedSpan] = [:]
    visit(root, from: nil, into: &found)
    return found
  }

  private func visit(
    _ id: ExprID, from outer: UInt32?, into found: inout [ExprID: ReportedSpan]
  ) {
    let node = ruleset[id]
    let start = outer ?? node.range.start
    switch node.kind {
    case .parenthesized(let inner): return visit(inner, from: start, into: &found)
    case .literal: return
    case .slice(let base, nil, nil):
      // A slice without bounds is reported where its base is.
      return ruleset[ruleset.unparenthesized(base)].forEachOperand {
        visit($0, from: nil, into: &found)
      }
    case .variable, .list, .map, .path, .not, .negate, .binary, .isType, .conditional, .member,
      .index, .slice, .call, .method, .invalid:
      found[id] = ReportedSpan(
        first: character(of: start), last: character(of: max(start + 1, end(of: id)) - 1))
    }
    node.forEachOperand { visit($0, from: nil, into: &found) }
  }

  /// Returns the end of an expression without its closing brackets.
  private func end(of id: ExprID) -> UInt32 {
    let node = ruleset[id]
    switch node.kind {
    case .parenthesized(let inner):
      // For a literal in parentheses only the opening parenthesis is known.
      if case .literal = ruleset[ruleset.unparenthesized(inner)].kind {
        return node.range.start + 1
      }
      return end(of: inner)
    case .literal, .variable, .isType, .invalid: return node.range.end
    case .list(let elements): return elements.last.map { end(of: $0) } ?? node.range.start + 1
    case .map(let entries):
      return entries.last.map { end(of: $0.value) } ?? node.range.start + 1
    case .path(let parts): return parts.last.map { end(of: $0) } ?? node.range.end
    case .not(let operand), .negate(let operand): return end(of: operand)
    case .binary(_, _, let right): return end(of: right)
    case .conditional(_, _, let whenFalse): return end(of: whenFalse)
    case .member(_, let name): return name.range.end
    case .index(_, let key): return end(of: key)
    case .slice(let base, let from, let to): return end(of: to ?? from ?? base)
    case .call(.plain(let name), let arguments), .call(.namespaced(_, let name), let arguments),
      .method(_, let name, let arguments):
      return arguments.last.map { end(of: $0) } ?? name.range.end
    }
  }

  private func end(of part: PathPart) -> UInt32 {
    switch part.kind {
    case .literal: part.range.end
    case .capture(let name), .glob(let name): name.range.end
    case .interpolation(let inner): end(of: inner)
    }
  }
}
