/// Turns syntax into rules that can be evaluated, or reports why that is not possible.
public enum Checker {
  /// The result of checking a source text.
  public struct Outcome: Sendable {
    /// The rules, if they compile.
    public var checked: Checked?
    /// Errors and warnings, sorted by place.
    public var diagnostics: [Diagnostic]
    /// The syntax, also of rules that do not compile.
    public var ruleset: Ruleset
    /// Rules that compile, but are refused because the file also contains services of other products.
    package var mixed: Checked?
  }

  /// Parses and checks a rules file.
  public static func check(
    _ source: SourceText, profile: Profile = .emulator, database: DatabaseName = .standard
  ) -> Outcome {
    check(Parser.parse(source), for: profile, of: database)
  }

  /// Parses and checks a text that is one expression, as a condition inside a match block with a pattern.
  public static func checkExpression(
    _ source: SourceText, match pattern: [PathPart], profile: Profile = .emulator,
    database: DatabaseName = .standard
  ) -> Outcome {
    check(Parser.parseExpression(source, match: pattern), for: profile, of: database)
  }

  /// Checks a parsed ruleset, phase by phase, up to the first phase with an error: later reports about
  /// half-understood text are not worth reading.
  ///
  /// With `known`, only functions that nothing calls were added to those rules: only these are checked, in
  /// phases where others are not affected.
  static func check(
    _ parsed: Parser.Outcome, for profile: Profile, of database: DatabaseName,
    extending known: Checked? = nil
  ) -> Outcome {
    let ruleset = parsed.ruleset
    var diagnostics = parsed.diagnostics
    let isForeign = diagnostics.contains { $0.code == .unsupportedVersion }
    if parsed.isUnderstood, !isForeign { diagnostics += FormCheck.run(ruleset, extending: known) }
    guard !diagnostics.hasErrors else {
      return Outcome(
        checked: nil, diagnostics: diagnostics.sortedByPlace().limited(), ruleset: ruleset)
    }
    let limits = Limits.of(profile)
    let facts = known?.matches ?? MatchFacts.collect(ruleset)
    var limitCheck = LimitCheck(of: ruleset, against: limits)
    limitCheck.run()
    var resolver =
      known?.resolved.map { Resolver(ruleset, facts: facts, knowing: $0) }
      ?? Resolver(ruleset, facts: facts)
    resolver.resolveBodies()
    let resolved = resolver
    resolver.finish()
    var graph = CallGraph(ruleset, calls: resolver.calls, maximumDepth: limits.callDepth)
    graph.run()
    diagnostics +=
      fileWarnings(for: ruleset, within: limits) + limitCheck.diagnostics + resolver.diagnostics
    let patternCheck = PatternCheck(ruleset, knowing: known?.patterns ?? [])
    diagnostics += graph.diagnostics + patternCheck.diagnostics
    guard !diagnostics.hasErrors else {
      return Outcome(
        checked: nil, diagnostics: diagnostics.sortedByPlace().limited(), ruleset: ruleset)
    }
    var types = TypeChecker(ruleset, resolvedBy: resolver)
    if let known { types.run(from: known.ruleset.functions.count) } else { types.run() }
    diagnostics = (diagnostics + types.diagnostics).sortedByPlace().limited()
    let checked = Checked(
      ruleset: ruleset, profile: profile, database: database, bindings: resolver.bindings,
      matches: facts,
      blocksInOrder: known?.blocksInOrder ?? MatchFacts.order(of: ruleset, by: facts),
      methods: known?.methods ?? ruleset.allows.map(MethodSet.init(of:)),
      types: ValueTypes.find(in: ruleset, with: resolver.bindings, extending: known),
      patterns: patternCheck.patterns, warnings: diagnostics, resolved: resolved)
    return Outcome(checked: checked, diagnostics: diagnostics, ruleset: ruleset)
  }

  private static func fileWarnings(for ruleset: Ruleset, within limits: Limits) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    if ruleset.version == .one { diagnostics.append(.oldVersion()) }
    let size = ruleset.source.bytes.count
    if size > Limits.documentedSourceBytes {
      diagnostics.append(.sourceTooLarge(size, isRefused: limits.sourceBytes != nil))
    }
    for service in ruleset.services where !isKnown(service.name.text) {
      diagnostics.append(.unknownService(service.name))
    }
    for allow in ruleset.allows {
      let service = ruleset.services[ruleset[allow.match].service].name.text
      for name in allow.operations {
        if Operation.methods(of: name.text) == nil || !isKnown(service) {
          diagnostics.append(.unknownOperation(name))
        }
      }
    }
    return diagnostics
  }

  private static func isKnown(_ service: Text) -> Bool {
    !Reach(service: service).isEmpty
  }
}

extension MatchFacts {
  /// Collects the whole pattern and the capture slots of every block. Parents come before their children.
  static func collect(_ ruleset: Ruleset) -> [MatchFacts] {
    var facts: [MatchFacts] = []
    for match in ruleset.matches {
      var own =
        match.parent.map { facts[$0.index] }
        ?? MatchFacts(pattern: [], captures: [], isReachable: true)
      let outerGlob = own.afterGlob
      for part in match.pattern {
        switch part.kind {
        case .literal(let text): own.pattern.append(.literal(text))
        case .capture(let name):
          own.pattern.append(.capture(UInt8(truncatingIfNeeded: own.captures.count)))
          own.captures.append(name)
        case .glob(let name):
          own.pattern.append(.glob(UInt8(truncatingIfNeeded: own.captures.count)))
          own.captures.append(name)
          own.afterGlob = 0
        case .interpolation: break
        }
      }
      own.settle(version: ruleset.version, outerGlob: outerGlob)
      facts.append(own)
    }
    return facts
  }
}

extension MatchFacts {
  /// Determines the effect on this block of a glob in its pattern, or in that of an outer block.
  fileprivate mutating func settle(version: RulesVersion, outerGlob: Int?) {
    guard let glob = pattern.firstIndex(where: { $0.isRun }) else { return }
    guard let outerGlob else {
      afterGlob = pattern.count - glob - 1
      return
    }
    afterGlob = outerGlob
    overlap = outerGlob
    let inner = pattern.count - glob - 1 - outerGlob
    isReachable = version != .one && (overlap == 0 || inner > overlap)
  }
}

extension PatternStep {
  /// True if the step matches a run of segments.
  fileprivate var isRun: Bool {
    switch self {
    case .glob: true
    case .literal, .capture: false
    }
  }
}

extension MatchFacts {
  /// Returns the blocks in the order of `Checked.blocksInOrder`.
  static func order(of ruleset: Ruleset, by facts: [MatchFacts]) -> [MatchID] {
    ruleset.services.filter { $0.name.text == Ruleset.firestoreService }
      .flatMap { service in service.matches.flatMap { order(from: $0, in: ruleset, by: facts) } }
  }

  private static func order(
    from match: MatchID, in ruleset: Ruleset, by facts: [MatchFacts]
  ) -> [MatchID] {
    let inside = ruleset[match].matches.flatMap { order(from: $0, in: ruleset, by: facts) }
    guard ruleset[match].pattern.contains(where: { $0.isGlob }) else { return [match] + inside }
    var rest = [match] + inside
    var sorted: [MatchID] = []
    while let longest = rest.map({ facts[$0.index].length }).max() {
      sorted += rest.filter { facts[$0.index].length == longest }
      rest.removeAll { facts[$0.index].length == longest }
    }
    return sorted
  }

  /// The number of segments that the pattern compares one by one; a glob takes the rest.
  private var length: Int { pattern.count - overlap }
}

extension MethodSet {
  /// Creates the set of methods that the operation words of a statement cover together; unknown words cover
  /// nothing.
  init(of allow: Allow) {
    self = allow.operations.reduce([]) { $0.union(Operation.methods(of: $1.text) ?? []) }
  }
}
