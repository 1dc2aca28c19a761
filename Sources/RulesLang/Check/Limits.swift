/// The engine's static limits (Docs/Language.md §11), and the documented ones for `strict`.
public struct Limits: Sendable {
  /// Maximum nesting of match blocks.
  public var matchDepth: Int
  /// Maximum `let` bindings of a function.
  public var lets: Int
  /// Maximum functions on the call stack.
  public var callDepth: Int
  /// Maximum lookups of a list request.
  public var listLookups: Int
  /// Maximum bytes of source; nil if there is no limit.
  public var sourceBytes: Int?

  /// Maximum nesting of an expression.
  public static let nesting = 99
  /// Maximum segments of a pattern, with those of the enclosing blocks.
  public static let pathSegments = 100
  /// Maximum captures of a pattern, with those of the enclosing blocks; one less than the engine's text says.
  public static let captures = 20
  /// Maximum parameters of a function.
  public static let parameters = 7
  /// Maximum expressions evaluated for one document or query.
  public static let expressions = 1000
  /// Maximum bytes of source in production, as documented.
  public static let documentedSourceBytes = 256 * 1024

  /// Returns the limits of a profile.
  public static func of(_ profile: Profile) -> Limits {
    switch profile {
    case .emulator, .testapi:
      Limits(matchDepth: 11, lets: 11, callDepth: 21, listLookups: 20, sourceBytes: nil)
    case .strict:
      Limits(
        matchDepth: 10, lets: 10, callDepth: 20, listLookups: 10,
        sourceBytes: documentedSourceBytes)
    }
  }
}

/// Checks the limits of match blocks and functions, and globs over chains of blocks.
struct LimitCheck {
  private let ruleset: Ruleset
  private let limits: Limits
  private(set) var diagnostics: [Diagnostic] = []

  init(of ruleset: Ruleset, against limits: Limits) {
    self.ruleset = ruleset
    self.limits = limits
  }

  /// The sums over a block and those around it.
  private struct Total {
    var depth = 0
    var segments = 0
    var captures = 0
    var globs = 0
    /// True if a block of the chain was reported; blocks inside it are then not.
    var isOver = false
  }

  /// Checks all blocks and functions. Blocks come after the blocks around them, so one loop suffices.
  mutating func run() {
    var totals: [Total] = []
    for match in ruleset.matches {
      var total = match.parent.map { totals[$0.index] } ?? Total()
      let around = total.globs
      total.depth += 1
      total.segments += match.pattern.count
      total.captures += match.pattern.filter { $0.binding != nil }.count
      total.globs += match.pattern.filter { $0.isGlob }.count
      if !total.isOver { check(match, countingInto: &total) }
      checkGlobs(match, around: around)
      totals.append(total)
    }
    for function in ruleset.functions { check(function) }
    var names: Set<Text> = []
    for service in ruleset.services where !names.insert(service.name.text).inserted {
      diagnostics.append(.duplicateService(service.name))
    }
  }

  private mutating func check(_ match: Match, countingInto total: inout Total) {
    let count = diagnostics.count
    if total.depth > limits.matchDepth {
      diagnostics.append(.matchTooDeep(at: match.keyword))
    }
    if total.segments > Limits.pathSegments {
      diagnostics.append(.pathTooLong(at: match.keyword))
    }
    if total.captures > Limits.captures {
      diagnostics.append(.tooManyCaptures(at: match.keyword))
    }
    total.isOver = diagnostics.count > count
  }

  private mutating func checkGlobs(_ match: Match, around: Int) {
    guard match.pattern.contains(where: { $0.isGlob }) else { return }
    switch ruleset.version {
    case .one:
      if !match.matches.isEmpty { diagnostics.append(.belowGlob(at: match.keyword)) }
    case .two:
      if around > 0 { diagnostics.append(.secondGlob(at: match.keyword)) }
    }
  }

  private mutating func check(_ function: Function) {
    if function.parameters.count > Limits.parameters {
      diagnostics.append(.tooManyParameters(function.name))
    }
    if function.lets.count > limits.lets {
      diagnostics.append(
        .tooManyLets(at: function.rest(after: limits.lets, in: ruleset), function.lets[limits.lets])
      )
    }
  }
}

extension Function {
  /// Returns the range of what follows a let: the next let, or the result.
  fileprivate func rest(after index: Int, in ruleset: Ruleset) -> SourceRange {
    index + 1 < lets.count ? lets[index + 1].keyword : ruleset[result.root].range
  }
}
