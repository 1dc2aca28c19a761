/// The engine's static limits (Docs/Language.md §11), and the documented ones for `strict`.
public struct Limits: Sendable {
  /// Levels of match blocks.
  public var matchDepth: Int
  /// `let` bindings of a function.
  public var lets: Int
  /// Functions on one call stack.
  public var callDepth: Int
  /// Lookups of a list request.
  public var listLookups: Int
  /// Bytes of source; nil if there is no limit.
  public var sourceBytes: Int?

  /// Levels of an expression.
  public static let nesting = 99
  /// Segments over a chain of match blocks.
  public static let pathSegments = 100
  /// Captures over a chain of match blocks, one less than the engine's text says.
  public static let captures = 20
  /// Parameters of a function.
  public static let parameters = 7
  /// Expressions evaluated for one document or query.
  public static let expressions = 1000
  /// Bytes of source that production accepts, as documented.
  public static let documentedSourceBytes = 256 * 1024

  /// The limits that a profile enforces.
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

/// Checks the limits on match blocks and functions, and where globs may stand.
struct LimitCheck {
  private let ruleset: Ruleset
  private let limits: Limits
  private(set) var diagnostics: [Diagnostic] = []

  init(_ ruleset: Ruleset, _ limits: Limits) {
    self.ruleset = ruleset
    self.limits = limits
  }

  /// Checks everything. Blocks come after the blocks around them, so one loop suffices.
  mutating func run() {
    var depths: [Int] = []
    var lengths: [Int] = []
    var captures: [Int] = []
    var globs: [Int] = []
    for match in ruleset.matches {
      let parent = match.parent?.index
      depths.append((parent.map { depths[$0] } ?? 0) + 1)
      lengths.append((parent.map { lengths[$0] } ?? 0) + match.pattern.count)
      let bound = match.pattern.filter { $0.binding != nil }.count
      captures.append((parent.map { captures[$0] } ?? 0) + bound)
      let around = parent.map { globs[$0] } ?? 0
      globs.append(around + match.pattern.filter { $0.isGlob }.count)
      if depths[depths.count - 1] == limits.matchDepth + 1 {
        diagnostics.append(.matchTooDeep(at: match.keyword))
      }
      if lengths[lengths.count - 1] > Limits.pathSegments {
        diagnostics.append(.pathTooLong(at: match.keyword))
      }
      if captures[captures.count - 1] > Limits.captures {
        diagnostics.append(.tooManyCaptures(at: match.keyword))
      }
      checkGlobs(match, around: around)
    }
    for function in ruleset.functions { check(function) }
    for index in ruleset.services.indices { check(service: index) }
  }

  private mutating func checkGlobs(_ match: Match, around: Int) {
    let own = match.pattern.indices.filter { match.pattern[$0].isGlob }
    switch ruleset.version {
    case .one:
      for index in own where index != match.pattern.count - 1 {
        diagnostics.append(.globNotLast(at: match.pattern[index].range))
      }
      if !own.isEmpty, !match.matches.isEmpty {
        diagnostics.append(.belowGlob(at: match.keyword))
      }
    case .two:
      if around > 0, !own.isEmpty { diagnostics.append(.secondGlob(at: match.keyword)) }
      for index in own.dropFirst() {
        diagnostics.append(.secondGlob(at: match.pattern[index].range))
      }
    }
    for part in match.pattern {
      if let name = part.binding, Builtins.namespaces.contains(name.text) {
        diagnostics.append(.namespaceAsVariable(name))
      }
    }
  }

  private mutating func check(_ function: Function) {
    if function.parameters.count > Limits.parameters {
      diagnostics.append(.tooManyParameters(function.name))
    }
    if function.lets.count > limits.lets {
      diagnostics.append(.tooManyLets(function.lets[limits.lets].name))
    }
  }

  private mutating func check(service index: Int) {
    let name = ruleset.services[index].name
    if ruleset.services[..<index].contains(where: { $0.name.text == name.text }) {
      diagnostics.append(.duplicateService(name))
    }
  }
}

extension PathPart {
  /// Whether the part is `{name=**}`.
  var isGlob: Bool {
    if case .glob = kind { return true }
    return false
  }
}
