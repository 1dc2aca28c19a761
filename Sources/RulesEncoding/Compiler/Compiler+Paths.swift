import RulesEval
package import RulesLang
package import RulesSolver

// The statements that apply to the requests of a scenario, with the values of their captures.

extension Compiler {
  /// A statement that may apply.
  package struct Statement {
    /// The statement.
    package var allow: AllowID
    /// The condition under which its block matches the path.
    package var applies: Ref
    /// The frame with the values of its captures.
    package var frame: SymbolicFrame
  }

  /// Returns the statements for the method whose blocks can match, in the order of evaluation.
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

  /// Returns the condition under which a statement grants the request.
  package func grants(_ statement: Statement) -> Ref {
    guard let condition = rules.ruleset[statement.allow].condition else {
      return statement.applies
    }
    return problem.graph.and(statement.applies, rails(of: condition.root, in: statement.frame).yes)
  }

  /// Returns the rails of a claim's condition.
  package func rails(of function: FunctionID, in frame: SymbolicFrame) -> Rails {
    let declaration = rules.ruleset[function]
    return rails(of: declaration.result.root, in: frame)
  }

  /// Returns the proposition that the condition of a statement ends in an error before any statement grants.
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

  /// A step of the path that patterns are matched with.
  package enum Step {
    case term(TermID)
    /// The ID of the document that a query returns.
    case anyDocument
    /// The segments between the ancestor and the collection of a collection group query.
    case anyRun
  }

  /// Returns the path of the scenario's requests.
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

  /// Returns the path of the document, with the database root.
  package func documentSteps() -> [Step] {
    (rules.database.root.map { problem.text($0) } + scene.segments).map { .term($0) }
  }

  /// Returns the condition under which a pattern matches a path, and the captures in that case; nil if it
  /// never matches.
  package func apply(_ match: MatchFacts, to path: [Step]) -> (applies: Ref, captures: [Cases])? {
    guard case (let applies, var captures)? = applyAlone(match, to: path) else { return nil }
    for slot in captures.indices where captures[slot].cases.isEmpty {
      if let outer = match.hiddenCapture(by: slot) { captures[slot] = captures[outer] }
    }
    return (applies, captures)
  }

  /// Returns the match without the values of outer captures that inner ones hide.
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

  /// Returns the value of a capture `{name=**}`. Where a query leaves the document open it is an unknown
  /// path; in version 1 reading it is an error.
  private func run(_ steps: ArraySlice<Step>) -> Cases {
    for step in steps {
      guard case .term = step else {
        if rules.ruleset.version == .one { return .error }
        // Equal ranges of steps share an unknown; different ones may be different paths.
        let number = -100_000 - steps.startIndex * 1000 - steps.endIndex
        return Cases(problem.terms.variable(.unknown(number), types: .path))
      }
    }
    return part(steps.indices)
  }

  /// Returns the path of some of the document's segments, counted with the database root. If the scenario
  /// represents all longer paths, it is an unknown path.
  package func part(_ steps: Range<Int>) -> Cases {
    guard scene.scenario.isOpen else {
      let all = rules.database.root.map { problem.text($0) } + scene.segments
      return Cases(.path(Array(all[steps])))
    }
    return openPath(number: -2_000_000 - steps.lowerBound * 1000 - steps.upperBound, types: .path)
  }

  /// Returns the path of unknown length with this number.
  func openPath(number: Int, types: TypeSet) -> Cases {
    let blocks = rules.ruleset.matches
    if let block = blocks.first(where: { $0.pattern.contains { $0.isGlob } }) ?? blocks.first {
      note(number, at: OpaquePlace(range: block.keyword, reason: Self.openLength))
    }
    return Cases(problem.terms.variable(.unknown(number), types: types))
  }

  /// The reason why a query about paths of any length stays open.
  package static let openLength = "the condition inspects a `{x=**}` path"
}
