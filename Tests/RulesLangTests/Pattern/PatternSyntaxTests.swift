import Testing

@testable import RulesLang

/// What patterns mean, as trees.
@Suite struct PatternSyntaxTests {
  @Test(arguments: [
    ("", "empty"), ("a", "[a]"), ("ab", "([a] [b])"), ("a|b|", "([a] | [b] | empty)"),
    ("a*b+?", "([a]{0,}  [b]{1,}?)"), ("(?U)a*", "[a]{0,}?"), ("a{2,3}", "[a]{2,3}"),
    ("(a)(?P<n>b)", "(1:[a] 2:[b])"), ("(?:a)", "[a]"), ("a(?i)a", "([a] [Aa])"),
    ("(?i:k)k", "([Kk\u{212A}] [k])"), ("^$\\b", "(beginText endText wordBoundary)"),
    ("(?m)^$", "(beginLine endLine)"), ("[^\\x{1}-\\x{10FFFF}]", "[\u{0}]"), ("a{0}", "empty"),
    ("\\Qa.\\E*", "([a] [.]{0,})"), ("(?:){5}b", "[b]"), ("x{,2}", "([x] [{] [,] [2] [}])"),
    ("a|(?i)b|c(?-i)d", "([a] | [Bb] | ([Cc] [d]))"), ("[a-c-e]", "[-abce]"),
  ])
  func aPatternIsReadAsATree(_ source: String, _ expected: String) throws {
    let syntax = try Pattern.syntax(of: Text(source))
    let tree = describe(syntax.root, in: syntax)
    #expect(tree == expected.replacing("  ", with: " "), "\(source)")
  }

  @Test func childrenComeBeforeTheirParentsAndSetsAreShared() throws {
    let syntax = try Pattern.syntax(of: "((a|b)*a(?:ab){2,}|a)c")
    for (index, node) in syntax.nodes.enumerated() {
      for child in children(of: node, in: syntax) { #expect(child.rawValue < UInt32(index)) }
    }
    #expect(syntax.sets.count == 3)
    #expect(syntax.groupCount == 2)
    #expect(syntax.root.rawValue == UInt32(syntax.nodes.count - 1))
  }

  private func children(
    of node: PatternSyntax.Node, in syntax: PatternSyntax
  ) -> [PatternSyntax.NodeID] {
    switch node {
    case .empty, .set, .assertion: []
    case .concatenation(let children), .alternation(let children): Array(syntax[children])
    case .repetition(let child, _), .capture(let child, _): [child]
    }
  }

  private func describe(_ id: PatternSyntax.NodeID, in syntax: PatternSyntax) -> String {
    let operands = children(of: syntax[id], in: syntax).map { describe($0, in: syntax) }
    switch syntax[id] {
    case .empty: return "empty"
    case .set(let set):
      let points = syntax[set].intervals.flatMap { Array($0.lower...$0.upper) }
      return "[" + points.map { String(Unicode.Scalar($0).map { Character($0) } ?? "?") }.joined()
        + "]"
    case .concatenation: return "(" + operands.joined(separator: " ") + ")"
    case .alternation: return "(" + operands.joined(separator: " | ") + ")"
    case .repetition(_, let count):
      let maximum = count.maximum.map { String($0) } ?? ""
      return operands[0] + "{\(count.minimum),\(maximum)}" + (count.isGreedy ? "" : "?")
    case .capture(_, let group): return "\(group.rawValue):" + operands[0]
    case .assertion(let assertion): return "\(assertion)"
    }
  }
}
