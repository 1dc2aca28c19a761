package import RulesLang
import RulesSolver

// Conditions of client kinds share most of their parts: with a dozen roles, some 300 parts, of which a dozen
// are distinct.

/// Compiles conditions of claims about one path and the same documents, each distinct part once.
///
/// Sound: equal text with the same names in the same request has equal values.
package struct CommonParts {
  private let compiler: Compiler
  private var known: [ArraySlice<UInt8>: Rails] = [:]

  /// Creates an empty cache.
  ///
  /// - Requires: All conditions are of claims with the same path, compiled by `compiler`.
  package init(on compiler: Compiler) { self.compiler = compiler }

  /// Returns the rails of a claim's condition.
  package mutating func rails(of function: FunctionID, in frame: SymbolicFrame) -> Rails {
    rails(of: compiler.rules.ruleset[function].result.root, in: frame)
  }

  private mutating func rails(of id: ExprID, in frame: SymbolicFrame) -> Rails {
    let ruleset = compiler.rules.ruleset
    let id = ruleset.unparenthesized(id)
    switch ruleset[id].kind {
    case .not(let operand): return rails(of: operand, in: frame).opposite
    case .binary(.and, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return compiler.problem.graph.both(one, other)
    case .binary(.or, let left, let right):
      let (one, other) = (rails(of: left, in: frame), rails(of: right, in: frame))
      return compiler.problem.graph.either(one, other)
    default: break
    }
    let range = ruleset[id].range
    let text = ruleset.source.bytes[Int(range.start)..<Int(range.end)]
    if let known = known[text] { return known }
    let rails = compiler.rails(of: id, in: frame)
    known[text] = rails
    return rails
  }
}
