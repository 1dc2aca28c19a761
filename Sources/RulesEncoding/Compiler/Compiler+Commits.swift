import RulesEval
import RulesLang
package import RulesSolver

// The other writes of a commit (Docs/Proofs.md, assumption 6). A commit passes only if the rules grant all of
// its writes. So the state of another document after the commit differs from the one before only as the rules
// grant.

extension Compiler {
  /// Returns the proposition that the rules grant the other writes of the commit to documents that conditions
  /// look up.
  ///
  /// - Requires: The conditions of the request's own write are compiled.
  package func otherWritesAreGranted() -> Ref {
    guard home.scenario.method.isWrite else { return .yes }
    var parts: [Ref] = []
    var number = 0
    while number < afterPaths.count {
      let path = afterPaths[number]
      number += 1
      let changes = changes(of: path)
      if number <= EncodingStrategy.parts {
        let writes = changes.map { write($0, of: path, number: number) }
        for write in writes { parts.append(isGranted(write)) }
      } else {
        leaveOpen(changes, number: number)
      }
    }
    return problem.graph.and(parts)
  }

  /// True if conditions look up documents after the commit, which may write these, too.
  package var mayWriteMore: Bool { home.scenario.method.isWrite && !afterPaths.isEmpty }

  /// Returns the propositions that the commit leaves each of these documents unchanged, except the request's
  /// own.
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

  /// Leaves open whether the rules grant some changes. The search looks first for models without them.
  private func leaveOpen(_ changes: [Change], number: Int) {
    let reason =
      "more than \(EncodingStrategy.parts) other documents are looked up after the commit, and the "
      + "rules for writing the rest are not analysed"
    commitCut = commitCut ?? OpenReason(reason, at: afterPlaces[number - 1])
    for change in changes { unlikely.append(change.happens) }
  }

  /// True if the conditions look up no documents after the commit besides those that `other` knew when this
  /// compiler continued from it.
  package func looksAtNoMoreWrites(than other: Compiler) -> Bool {
    afterPaths.count == other.afterPaths.count
  }

  /// A possible change of another document by the commit.
  private struct Change {
    /// The method that the rules see.
    var method: Method
    /// The data before the commit; nil if the document is not stored.
    var before: TermID?
    /// The data after the commit.
    var after: TermID
    /// The proposition that the commit makes this change.
    var happens: Ref
  }

  /// A change with the statements that may grant it.
  private struct OtherWrite {
    /// The proposition that the commit makes the change.
    var happens: Ref
    /// The compiler of the conditions for that document.
    var compiler: Compiler
    /// The statements.
    var statements: [Statement]
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
      // A missing document can be deleted, too.
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
    return OtherWrite(happens: change.happens, compiler: other, statements: statements)
  }

  /// Returns the proposition that the rules grant a write, or that the commit does not make it.
  private func isGranted(_ write: OtherWrite) -> Ref {
    let other = write.compiler
    let grants = goingOn(as: other) {
      write.statements.map { statement in
        if other.isNamed(in: statement.allow) { return other.grants(statement) }
        other.commitCut = OpenReason(
          "the decision of this statement on another write of the commit is not analysed",
          at: rules.ruleset[statement.allow].range)
        return .yes
      }
    }
    adoptPlaces(of: other)
    return problem.graph.or(grants + [!write.happens])
  }

  /// Runs `work` with another compiler that continues from this one, then continues from the other one. The
  /// problem is moved rather than copied.
  private func goingOn<Result>(as other: Compiler, work: () -> Result) -> Result {
    other.adopt(self)
    problem = Problem()
    let result = work()
    adopt(other)
    other.problem = Problem()
    return result
  }

  /// True if all names in a statement's condition are among the named keys. A statement may be missed,
  /// because `Vocabulary` predicts from the literal segments of paths which documents are looked up.
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
