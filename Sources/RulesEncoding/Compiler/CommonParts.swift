package import RulesLang
import RulesSolver

// The claims about one path say of each kind of client all that tells it from the others, so most of what
// they say is said by all of them: with a dozen roles some 300 parts, a dozen of which are different.

/// Compiles conditions of claims about one path and the same documents, each part once.
///
/// Sound: the same text with the same names in the same request has the same value.
package struct CommonParts {
  private let compiler: Compiler
  private var known: [ArraySlice<UInt8>: Rails] = [:]

  /// Knows none yet. All conditions must be of claims with the same path, compiled by one compiler.
  package init(on compiler: Compiler) { self.compiler = compiler }

  /// When the condition of a claim is true, and when it is false.
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
