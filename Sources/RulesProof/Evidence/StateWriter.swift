import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

/// Writes the model of a search as lines, numbering terms and propositions from 1.
struct StateWriter {
  private let problem: Problem
  private var termNumbers: [TermID: Int] = [:]
  private var nodeNumbers: [Int32: Int] = [:]
  /// The lines so far.
  private(set) var lines: [String] = []

  /// Creates a writer without lines.
  init(_ problem: Problem) { self.problem = problem }

  /// Writes literals that are true.
  mutating func state(_ literals: [Ref]) {
    for literal in literals { define(literal.node) }
    lines.append("holds" + numbers(literals))
  }

  private func numbers(_ literals: some Sequence<Ref>) -> String {
    literals.reduce("") { text, literal in
      text + (literal.isNegated ? " -" : " ") + "\(nodeNumbers[literal.node] ?? 0)"
    }
  }

  /// Writes the definitions of a node and its cone; children have smaller indices.
  private mutating func define(_ root: Int32) {
    var open = [root]
    var needed: Set<Int32> = []
    while let node = open.popLast() {
      if nodeNumbers[node] == nil, needed.insert(node).inserted {
        open += problem.graph.children(of: Int(node)).map { $0.node }
      }
    }
    for node in needed.sorted() {
      let line: String
      if let atom = problem.graph.atoms[Int(node)] {
        for term in atom.terms { define(term) }
        line = atom.line(numbering: { termNumbers[$0] ?? 0 }, patterns: problem.patterns)
      } else {
        line = "gate" + numbers(problem.graph.children(of: Int(node)))
      }
      nodeNumbers[node] = nodeNumbers.count + 1
      lines.append(line)
    }
  }

  private mutating func define(_ term: TermID) {
    var open = [term]
    var needed: Set<TermID> = []
    while let next = open.popLast() {
      if termNumbers[next] == nil, needed.insert(next).inserted {
        open += problem.terms.arguments(of: next)
      }
    }
    for next in needed.sorted() {
      let line = "term " + problem.terms.definition(of: next) { termNumbers[$0] ?? 0 }
      termNumbers[next] = termNumbers.count + 1
      lines.append(line)
    }
  }
}

extension Atom {
  /// Returns the atom as a line: `atom same 1 4`.
  fileprivate func line(numbering number: (TermID) -> Int, patterns: PatternTable) -> String {
    switch self {
    case .same(let left, let right): "atom same \(number(left)) \(number(right))"
    case .type(let term, let type): "atom type \(number(term)) " + type.word
    case .atMost(let term, let domain, let bound):
      "atom most \(number(term)) " + domain.type.word + " \(bound)"
    case .floatAtMost(let term, let bound):
      "atom " + (bound.isStrict ? "below" : "float") + " \(number(term)) "
        + ConstantText.bits(bound.value)
    case .difference(let left, let right, let domain, let bound):
      "atom difference \(number(left)) \(number(right)) " + domain.type.word + " \(bound)"
    case .matches(let term, let pattern):
      "atom matches \(number(term)) "
        + ConstantText.escaped(patterns[pattern].source.bytes)
    }
  }
}
