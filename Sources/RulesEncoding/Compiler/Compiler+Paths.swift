import RulesEval
package import RulesLang
package import RulesSolver

// Which statements apply to the requests of a scenario, and what their captures are.

extension Compiler {
  /// A statement that can apply.
  package struct Statement {
    /// The statement.
    package var allow: AllowID
    /// When its block matches the path.
    package var applies: Ref
    /// What its captures are.
    package var frame: SymbolicFrame
  }

  /// The statements for the method whose blocks can match, in the order in which they are tried.
  package func statements() -> [Statement] {
    var found: [Statement] = []
    let steps = steps()
    for match in rules.blocksInOrder { collect(match, along: steps, into: &found) }
    return found
  }

  private func collect(_ id: MatchID, along steps: [Step], into found: inout [Statement]) {
    let match = rules.ruleset[id]
    if rules.matches[id.index].isReachable, !match.allows.isEmpty,
      scene.scenario.mayFit(rules.matches[id.index]),
      let (applies, captures) = apply(rules.matches[id.index], to: steps)
    {
      for allow in match.allows
      where rules.methods[allow.index].contains(scene.scenario.method) {
        let frame = SymbolicFrame(captures: captures, seesDocument: false)
        found.append(Statement(allow: allow, applies: applies, frame: frame))
      }
    }
  }

  /// When a statement grants.
  package func grants(_ statement: Statement) -> Ref {
    guard let condition = rules.ruleset[statement.allow].condition else {
      return statement.applies
    }
    return problem.graph.and(statement.applies, rails(of: condition.root, in: statement.frame).yes)
  }

  /// When a condition of a claim is true and when it is false.
  package func rails(of function: FunctionID, in frame: SymbolicFrame) -> Rails {
    let declaration = rules.ruleset[function]
    return rails(of: declaration.result.root, in: frame)
  }

  /// When a condition that is tried ends in an error: those before it have not granted.
  package func fails(_ statements: [Statement], grants: [Ref]) -> Ref {
    var cases: [Ref] = []
    var before: [Ref] = []
    for (statement, grant) in zip(statements, grants) {
      if let condition = rules.ruleset[statement.allow].condition {
        let rails = rails(of: condition.root, in: statement.frame)
        cases.append(
          problem.graph.and(before + [statement.applies, !rails.yes, !rails.no]))
      }
      before.append(!grant)
    }
    return problem.graph.or(cases)
  }

  // MARK: Matching

  /// A step of the path that blocks are compared with.
  package enum Step {
    case term(TermID)
    /// The document's ID, in a query.
    case anyDocument
    /// The levels between an ancestor and a collection group.
    case anyRun
  }

  /// The path of the scenario.
  private func steps() -> [Step] {
    let root = rules.database.root.map { Step.term(problem.text($0)) }
    let segments = scene.segments.map { Step.term($0) }
    switch scene.scenario.access {
    case .document, .namedQuery: return root + segments
    case .query: return root + segments.dropLast() + [.anyDocument]
    case .group(let below):
      return root + segments[..<below] + [.anyRun, segments[segments.count - 2], .anyDocument]
    }
  }

  /// The steps of a document's path with texts and unknowns.
  package func documentSteps() -> [Step] {
    (rules.database.root.map { problem.text($0) } + scene.segments).map { .term($0) }
  }

  /// When a pattern matches a path, and what its captures are then; nil if it never does.
  package func apply(_ match: MatchFacts, to path: [Step]) -> (applies: Ref, captures: [Cases])? {
    guard case (let applies, var captures)? = applyAlone(match, to: path) else { return nil }
    for slot in captures.indices where captures[slot].cases.isEmpty {
      if let outer = match.hiddenCapture(by: slot) { captures[slot] = captures[outer] }
    }
    return (applies, captures)
  }

  /// The same with what each capture stands for, whether or not it hides another.
  private func applyAlone(
    _ match: MatchFacts, to path: [Step]
  ) -> (applies: Ref, captures: [Cases])? {
    let pattern = match.pattern
    var conditions: [Ref] = []
    var captures: [Cases] = []
    let glob = pattern.firstIndex { step in
      if case .glob = step { return true }
      return false
    }
    guard let glob else {
      guard pattern.count == path.count,
        bind(pattern[...], to: path[...], conditions: &conditions, captures: &captures)
      else { return nil }
      return (problem.graph.and(conditions), captures)
    }
    let after = pattern.count - glob - 1 - match.overlap
    let run = path.count - glob - after
    guard run >= (rules.ruleset.version == .one ? 1 : 0),
      bind(pattern[..<glob], to: path[..<glob], conditions: &conditions, captures: &captures)
    else { return nil }
    captures.append(self.run(path[glob..<(glob + run)]))
    let inner = glob + 1 + match.overlap
    guard
      bind(
        pattern[(glob + 1)..<inner], to: path[(glob + run)...], conditions: &conditions,
        captures: &captures),
      bind(
        pattern[inner...], to: path[(glob + run)...], conditions: &conditions, captures: &captures)
    else { return nil }
    let applies = problem.graph.and(conditions)
    return applies == .no ? nil : (applies, captures)
  }

  private func bind(
    _ pattern: ArraySlice<PatternStep>, to path: ArraySlice<Step>, conditions: inout [Ref],
    captures: inout [Cases]
  ) -> Bool {
    for (step, actual) in zip(pattern, path) {
      switch (step, actual) {
      case (.literal(let wanted), .term(let term)):
        let same = problem.same(term, problem.text(wanted))
        if same == .no { return false }
        conditions.append(same)
      case (.capture, .term(let term)): captures.append(Cases(term))
      case (.capture, .anyDocument): captures.append(.error)
      case (.literal, .anyDocument), (_, .anyRun), (.glob, _): return false
      }
    }
    return true
  }

  /// What `{name=**}` is bound to. Where a query leaves open which document, it is a path of which
  /// only the type is known; in version 1 reading it is an error.
  private func run(_ steps: ArraySlice<Step>) -> Cases {
    for step in steps {
      guard case .term = step else {
        if rules.ruleset.version == .one { return .error }
        // The same steps are the same path; others may be another one.
        let number = -100_000 - steps.startIndex * 1000 - steps.endIndex
        return Cases(problem.terms.variable(.unknown(number), types: .path))
      }
    }
    return part(steps.indices)
  }

  /// The path of some steps of the document's, counted from the first one. Where the scenario stands
  /// for all longer paths, no more is known of it than that it is that path.
  package func part(_ steps: Range<Int>) -> Cases {
    guard scene.scenario.isOpen else {
      let all = rules.database.root.map { problem.text($0) } + scene.segments
      return Cases(.path(Array(all[steps])))
    }
    return openPath(number: -2_000_000 - steps.lowerBound * 1000 - steps.upperBound, types: .path)
  }

  /// A path whose length is open, by a number of its own.
  func openPath(number: Int, types: TypeSet) -> Cases {
    let blocks = rules.ruleset.matches
    if let block = blocks.first(where: { $0.pattern.contains { $0.isGlob } }) ?? blocks.first {
      note(number, at: OpaquePlace(range: block.keyword, reason: Self.openLength))
    }
    return Cases(problem.terms.variable(.unknown(number), types: types))
  }

  /// Why a question about paths of any length stays open.
  package static let openLength = "a path of any length is looked into"
}
