import RulesEval
import RulesLang
package import RulesSolver

// The other writes of a commit (Docs/Proofs.md, assumption 6). A commit passes only if each of its
// writes is granted. So a document that is looked up in its state after the commit can be another one
// than before only where the rules grant that write, too.

extension Compiler {
  /// So many other writes are followed; what those look up in turn is among them.
  private static let greatestWrites = 4

  /// That the rules grant the other writes of the commit that conditions have looked at so far. To be
  /// asked once those are compiled.
  package func otherWritesAreGranted() -> Ref {
    guard home.scenario.method.isWrite else { return .yes }
    var parts: [Ref] = []
    var number = 0
    while number < afterPaths.count {
      guard number < Self.greatestWrites else {
        commitCut = Doubt(
          "more than \(Self.greatestWrites) other documents are looked up as the commit leaves them, "
            + "and what the rules say to writing the rest is not followed",
          at: afterPlaces[number])
        break
      }
      number += 1
      parts.append(isGranted(afterPaths[number - 1], number: number))
    }
    return problem.graph.and(parts)
  }

  /// Whether no documents were looked at as a commit leaves them that another compiler, where this one left
  /// off, did not look at.
  package func looksAtNoMoreWrites(than other: Compiler) -> Bool {
    afterPaths.count == other.afterPaths.count
  }

  /// That a document stays as it is, or that the rules grant its change.
  private func isGranted(_ path: [TermID], number: Int) -> Ref {
    let (before, after) = (document(at: path, in: .before), document(at: path, in: .after))
    let (was, isThere) = (isStored(before), isStored(after))
    let (old, new) = (data(of: before), data(of: after))
    let isChanged = problem.graph.and(was, isThere, !problem.same(old, new))
    var cases: [(method: Method, before: TermID?, happens: Ref)] = [
      (.create, nil, problem.graph.and(!was, isThere)), (.update, old, isChanged),
      (.delete, old, problem.graph.and(was, !isThere)),
    ]
    if nullable.contains(after) {
      // What is not stored can be deleted, too.
      cases.append((.delete, nil, problem.graph.and(!was, !isThere, isWritten(after))))
    }
    var parts: [Ref] = []
    for (method, before, happens) in cases {
      let scene = ScenarioTerms(
        method, segments: path, before: before, after: new, number: number, with: home,
        terms: problem.terms)
      let other = Compiler(rules, continuing: self, at: scene)
      var grants: [Ref] = []
      for statement in other.statements() {
        if !isNamed(in: statement.allow) {
          commitCut = Doubt(
            "what this statement says to another write of the commit is not followed",
            at: rules.ruleset[statement.allow].range)
          grants.append(.yes)
          continue
        }
        grants.append(other.grants(statement))
      }
      adopt(other)
      adoptPlaces(of: other)
      parts.append(problem.graph.or(grants + [!happens]))
    }
    return problem.graph.and(parts)
  }

  /// Whether all names in a statement's condition are among the keys that are told apart: which documents
  /// are looked up was foreseen from what is written out of their paths (`Vocabulary`).
  private func isNamed(in allow: AllowID) -> Bool {
    if let known = named[allow] { return known }
    var vocabulary = Vocabulary(rules)
    vocabulary.add(allow)
    let known = Set(keys)
    let isNamed = vocabulary.sorted.allSatisfy { known.contains(problem.text($0)) }
    named[allow] = isNamed
    return isNamed
  }
}
