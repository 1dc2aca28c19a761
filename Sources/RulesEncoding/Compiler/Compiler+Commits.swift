import RulesEval
import RulesLang
package import RulesSolver

// The other writes of a commit (Docs/Proofs.md, assumption 6). A commit passes only if each of its
// writes is granted. So a document that is looked up in its state after the commit can be another one
// than before only where the rules grant that write, too.

extension Compiler {
  /// So many other writes are followed; what those look up in turn is among them.
  private static let greatestWrites = 4
  /// Of what the rules say to them so many expressions are followed: long conditions of other documents cost
  /// more in each question than they decide.
  private static let greatestCost = 2_000

  /// That the rules grant the other writes of the commit that conditions have looked at so far, of which so
  /// many expressions are followed. To be asked once those are compiled.
  package func otherWritesAreGranted(upTo greatestCost: Int = greatestCost) -> Ref {
    guard home.scenario.method.isWrite else { return .yes }
    var parts: [Ref] = []
    var (number, expressions) = (0, 0)
    while number < afterPaths.count {
      let path = afterPaths[number]
      number += 1
      let changes = changes(of: path)
      if number <= Self.greatestWrites {
        let writes = changes.map { write($0, of: path, number: number) }
        expressions += writes.reduce(0) { $0 + $1.cost }
        if expressions <= greatestCost {
          for write in writes { parts.append(isGranted(write)) }
          continue
        }
      }
      leaveOpen(changes, number: number, greatestCost)
    }
    return problem.graph.and(parts)
  }

  /// Whether conditions have looked so far at documents as a commit leaves them that it may write, too.
  package var mayWriteMore: Bool { home.scenario.method.isWrite && !afterPaths.isEmpty }

  /// That the commit leaves each of those documents as it is, unless it is the one that is asked about.
  package func writesNothingElse() -> [Ref] {
    var parts: [Ref] = []
    for path in afterPaths {
      var isOwn = Ref.no
      if path.count == home.segments.count {
        isOwn = problem.graph.and(zip(path, home.segments).map { problem.same($0, $1) })
      }
      for change in changes(of: path) { parts.append(problem.graph.or(isOwn, !change.happens)) }
    }
    return parts
  }

  /// Does not follow what the rules say to writing a document. A request that shows something is looked for
  /// first among those whose commits leave it as it is.
  private func leaveOpen(_ changes: [Change], number: Int, _ greatestCost: Int) {
    let reason =
      number > Self.greatestWrites
      ? "more than \(Self.greatestWrites) other documents are looked up as the commit leaves them, "
        + "and what the rules say to writing the rest is not followed"
      : "the commit may write this document, too; what the rules say to that is more than "
        + "\(greatestCost) expressions and not followed, so what is to hold must be said in this condition"
    commitCut = commitCut ?? Doubt(reason, at: afterPlaces[number - 1])
    for change in changes { unlikely.append(change.happens) }
  }

  /// Whether no documents were looked at as a commit leaves them that another compiler, where this one left
  /// off, did not look at.
  package func looksAtNoMoreWrites(than other: Compiler) -> Bool {
    afterPaths.count == other.afterPaths.count
  }

  /// A change of another document that a commit can make.
  private struct Change {
    /// As what the rules see it.
    var method: Method
    /// What is stored in the document.
    var before: TermID?
    /// What the commit leaves there.
    var after: TermID
    /// When the commit makes it.
    var happens: Ref
  }

  /// A change with the statements that can grant it.
  private struct OtherWrite {
    /// When the commit makes it.
    var happens: Ref
    /// Follows the rules at that document.
    var compiler: Compiler
    /// The statements.
    var statements: [Statement]
    /// The expressions of their conditions.
    var cost: Int
  }

  private func changes(of path: [TermID]) -> [Change] {
    let (before, after) = (document(at: path, in: .before), document(at: path, in: .after))
    let (was, isThere) = (isStored(before), isStored(after))
    let (old, new) = (data(of: before), data(of: after))
    let isChanged = problem.graph.and(was, isThere, !problem.same(old, new))
    func change(_ method: Method, _ before: TermID?, when happens: Ref) -> Change {
      Change(method: method, before: before, after: new, happens: happens)
    }
    var changes = [
      change(.create, nil, when: problem.graph.and(!was, isThere)),
      change(.update, old, when: isChanged),
      change(.delete, old, when: problem.graph.and(was, !isThere)),
    ]
    if nullable.contains(after) {
      // What is not stored can be deleted, too.
      let isDeleted = problem.graph.and(!was, !isThere, isWritten(after))
      changes.append(change(.delete, nil, when: isDeleted))
    }
    return changes
  }

  private func write(_ change: Change, of path: [TermID], number: Int) -> OtherWrite {
    let scene = ScenarioTerms(
      change.method, segments: path, before: change.before, after: change.after, number: number,
      with: home, terms: problem.terms)
    let other = Compiler(rules, continuing: self, at: scene)
    let statements = goingOn(as: other) { other.statements() }
    cost.begin()
    for statement in statements { cost.add(statement.allow) }
    return OtherWrite(
      happens: change.happens, compiler: other, statements: statements, cost: cost.expressions)
  }

  /// That a document is not changed so, or that the rules grant it.
  private func isGranted(_ write: OtherWrite) -> Ref {
    let other = write.compiler
    let grants = goingOn(as: other) {
      write.statements.map { statement in
        if other.isNamed(in: statement.allow) { return other.grants(statement) }
        other.commitCut = Doubt(
          "what this statement says to another write of the commit is not followed",
          at: rules.ruleset[statement.allow].range)
        return .yes
      }
    }
    adoptPlaces(of: other)
    return problem.graph.or(grants + [!write.happens])
  }

  /// Has another compiler go on where this one left off, which then goes on where that one does. What both
  /// speak of is never there twice.
  private func goingOn<Result>(as other: Compiler, work: () -> Result) -> Result {
    other.adopt(self)
    problem = Problem()
    let result = work()
    adopt(other)
    other.problem = Problem()
    return result
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
