/// The meaning of a name in an expression.
public enum Binding: Hashable, Sendable {
  /// An expression without a name, or with a name in text that could not be parsed.
  case none
  /// A parameter or let of the enclosing function: its slot in the function's frame.
  case local(UInt8)
  /// A capture of an enclosing match block: its slot in the chain of blocks.
  case capture(UInt8)
  /// The variable `request`.
  case request
  /// The variable `resource`.
  case resource
  /// A variable that does not exist; reading it is an error at run time.
  case unknownVariable
  /// A function of the rules file.
  case function(FunctionID)
  /// A built-in function.
  case builtin(Builtin)
  /// A function that does not exist; calling it is an error at run time.
  case unknownFunction
}

/// One step of the whole path pattern of a match block.
public enum PatternStep: Hashable, Sendable {
  /// A segment with exactly this text.
  case literal(Text)
  /// Any one segment, bound to a capture slot.
  case capture(UInt8)
  /// A run of segments, bound to a capture slot.
  case glob(UInt8)
}

/// Facts about a match block that the checker derives.
public struct MatchFacts: Sendable {
  /// The pattern of the block with those of all blocks around it.
  public var pattern: [PatternStep]
  /// The names of the capture slots, outermost first.
  public var captures: [Name]
  /// True if requests can reach the block at all: in version 1 nothing below a glob is.
  public var isReachable: Bool
  /// The number of steps behind a glob, in the pattern of an outer block, that the engine compares with the
  /// same segments as the steps that follow them (Docs/Fidelity.md §1).
  public var overlap = 0
  /// The number of steps behind the glob in the pattern of the block that has it.
  var afterGlob: Int?

  /// Returns the outer capture of the same name, which an inner one at `slot` hides; nil if there is none.
  ///
  /// The outer one is still read if the inner one is bound to no single segment (Docs/Fidelity.md
  /// §16).
  public func hiddenCapture(by slot: Int) -> Int? {
    captures[..<slot].lastIndex { $0.text == captures[slot].text }
  }
}

/// A ruleset whose names are resolved and whose limits hold, ready to be evaluated.
///
/// Only `Checker` makes one, and only of a ruleset without errors. It is immutable and shared.
public final class Checked: Sendable {
  /// The syntax.
  public let ruleset: Ruleset
  /// The profile, which determines limits and functions.
  public let profile: Profile
  /// The database that the rules are deployed to and every request is sent to.
  public let database: DatabaseName
  /// The meaning of each expression's name, by `ExprID`.
  public let bindings: [Binding]
  /// Facts about match blocks, by `MatchID`.
  public let matches: [MatchFacts]
  /// The blocks of the Firestore service in the order in which the engine tries their statements: a block,
  /// then the blocks inside it (Docs/Language.md §4).
  ///
  /// The engine tries a glob with no segment, then with one, two and so on, and each time tries the block and
  /// the blocks inside it. So below a glob the longest patterns come first (Docs/Fidelity.md §2).
  public let blocksInOrder: [MatchID]
  /// The methods of each allow statement, by `AllowID`.
  public let methods: [MethodSet]
  /// The possible types of each expression, by `ExprID`.
  public let types: [TypeSet]
  /// The literal patterns, compiled for short texts; if there are very many, only some.
  package let patterns: [Pattern]
  /// Warnings, sorted by place.
  public let warnings: [Diagnostic]
  /// The resolver of these rules, for extending them; nil if names were not resolved for this very tree.
  let resolved: Resolver?

  init(
    ruleset: Ruleset, profile: Profile, database: DatabaseName, bindings: [Binding],
    matches: [MatchFacts],
    blocksInOrder: [MatchID], methods: [MethodSet], types: [TypeSet],
    patterns: [Pattern], warnings: [Diagnostic], resolved: Resolver? = nil
  ) {
    self.resolved = resolved
    self.ruleset = ruleset
    self.profile = profile
    self.database = database
    self.bindings = bindings
    self.matches = matches
    self.blocksInOrder = blocksInOrder
    self.methods = methods
    self.types = types
    self.patterns = patterns
    self.warnings = warnings
  }

  /// Returns these rules with another name for their text.
  public func renamed(_ name: String) -> Checked {
    var ruleset = ruleset
    ruleset.source = ruleset.source.renamed(name)
    return Checked(
      ruleset: ruleset, profile: profile, database: database, bindings: bindings,
      matches: matches, blocksInOrder: blocksInOrder, methods: methods, types: types,
      patterns: patterns, warnings: warnings, resolved: resolved)
  }

  /// Returns these rules as deployed to a database.
  public func deployed(to database: DatabaseName) -> Checked {
    if database == self.database { return self }
    return Checked(
      ruleset: ruleset, profile: profile, database: database, bindings: bindings,
      matches: matches, blocksInOrder: blocksInOrder, methods: methods, types: types,
      patterns: patterns, warnings: warnings, resolved: resolved)
  }

  /// Parses and checks another text of the rules, in the same profile, for the same database.
  public func checkAgain(_ source: SourceText) -> Checker.Outcome {
    Checker.check(source, profile: profile, database: database)
  }

  /// Returns the meaning of an expression's name.
  @inlinable public func binding(_ id: ExprID) -> Binding { bindings[id.index] }
}

/// The engine to follow where engines differ (Docs/Language.md §16).
public enum Profile: String, CaseIterable, Sendable {
  /// The official emulator.
  case emulator
  /// Google's Rules Test API: what a case does not supply is undefined.
  case testapi
  /// The emulator, but with every documented limit that is stricter than the emulator's.
  case strict

  /// True if `resource` is null for a missing document, instead of undefined, which is an error to read.
  public var hasMissingResource: Bool {
    switch self {
    case .emulator, .strict: true
    case .testapi: false
    }
  }

  /// True if there is a function `debug`, which only the emulator has.
  public var hasDebug: Bool {
    switch self {
    case .emulator: true
    case .testapi, .strict: false
    }
  }
}
