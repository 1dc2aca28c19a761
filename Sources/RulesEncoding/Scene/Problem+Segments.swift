import RulesEval
import RulesLang
package import RulesSolver

extension Problem {
  /// Returns the proposition that a string can be a segment of a document's path: it is not empty and
  /// contains no slash.
  package mutating func isSegment(_ term: TermID) -> Ref {
    if case .string(let text) = terms.value(of: term) {
      return text.isEmpty || text.bytes.contains(UInt8(ascii: "/")) ? .no : .yes
    }
    return patterns.addSegment().map { graph.atom(.matches(term, $0)) } ?? .yes
  }
}

extension PatternTable {
  /// The pattern of path segments, compiled once for all problems.
  private static let segment = try? Pattern("[^/]+")

  /// Adds the pattern of path segments and returns its index.
  fileprivate mutating func addSegment() -> PatternID? { Self.segment.map { add($0) } }
}
