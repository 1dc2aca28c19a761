public import RulesLang

/// A claim about all requests in a scope, from a suite or a command line.
public struct Claim: Sendable {
  /// The obligation that requests in scope must meet.
  public enum Obligation: Sendable {
    /// An allowed request satisfies the condition.
    case onlyIf(Condition)
    /// A request that satisfies the condition is allowed.
    case alwaysIf(Condition)
    /// Every request is denied.
    case never
    /// Every condition that is tried has a value, none ends in an error.
    case noErrors
  }

  /// The expected result of the prover.
  public enum Expectation: Sendable, CaseIterable {
    case proved
    /// A known hole, kept on record.
    case violated
    /// The scope has no request, on purpose: the rules have no block for these documents.
    case vacuous

    /// The word for it in suites and reports.
    public var word: String {
      switch self {
      case .proved: "proved"
      case .violated: "violated"
      case .vacuous: "vacuous"
      }
    }
  }

  /// Maximum requests before the one that a claim is about.
  public enum Through: Sendable, Hashable {
    case any
    case steps(Int)

    /// Maximum requests of a counterexample that are searched, even if a claim allows more.
    public static let greatest = 3

    /// The notation of suites.
    public var word: String {
      switch self {
      case .any: "any"
      case .steps(let count): "\(count)"
      }
    }
  }

  /// An expression of the rules language with its place in the suite.
  public struct Condition: Sendable {
    /// The expression.
    public var text: Text
    /// The range of its string in the suite.
    public var range: SourceRange

    /// Creates a condition.
    public init(_ text: Text, at range: SourceRange = .none) {
      self.text = text
      self.range = range
    }
  }

  /// The claim's name; the claim in words if it was given none.
  public var name: String
  /// The database named in the claim; nil for that of the suite.
  public var database: DatabaseName?
  /// The database named in its path; nil if none is.
  public var rootDatabase: DatabaseName?
  /// The documents in scope.
  public var path: ClaimPath
  /// The methods in scope.
  public var methods: MethodSet
  /// If not empty, only requests that add, change or remove one of these fields are in scope.
  public var writes: [FieldPath] = []
  /// If set, only requests for which this is true are in scope.
  public var given: Condition?
  /// The obligation of requests in scope.
  public var obligation: Obligation
  /// If set, the claim must also hold after any sequence of requests of clients for whom the condition is
  /// false.
  public var through: Through?
  /// The kept condition of a claim that documents keep one (`Claim.keeping`); `given` and `obligation` are
  /// derived from it.
  public var kept: Condition?
  /// With `kept`: the claim's own `given`, as the suite has it.
  public var keptGiven: Condition?
  /// The expected result of the prover.
  public var expectation = Expectation.proved
  /// The claim's range in the suite.
  public var range = SourceRange.none

  /// Creates a claim.
  public init(name: String, path: ClaimPath, methods: MethodSet, obligation: Obligation) {
    self.name = name
    self.path = path
    self.methods = methods
    self.obligation = obligation
  }
}

/// A claim's document pattern: a path whose wildcards name variables.
public struct ClaimPath: Sendable, Hashable {
  /// One segment.
  public enum Step: Sendable, Hashable {
    case literal(Text)
    /// Any one segment.
    case capture(Text)
    /// Any number of segments, even none.
    case glob(Text)
  }

  /// The segments below the root of the database.
  public var steps: [Step]
  /// Additional variables for the claim's conditions: segments of other documents' paths, outside the claim's
  /// scope. Suites have none.
  public var others: [Text] = []
  /// Patterns of documents that are excluded from the scope, though they match the path. Suites have none.
  public var exceptions: [[Step]] = []

  /// Parses `/users/{uid}` or `/{path=**}`; the root `/databases/{database}/documents` is optional. Nil if
  /// the text is not a path of documents.
  public init?(_ text: Text) {
    var parts = text.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[
      ...]
    if parts.first?.isEmpty == true { parts = parts.dropFirst() }
    var steps: [Step] = []
    for part in parts {
      guard let step = Step(Array(part)) else { return nil }
      steps.append(step)
    }
    if steps.count > 3, case .literal("databases") = steps[0], case .literal("documents") = steps[2]
    {
      steps.removeFirst(3)
    }
    let globs = steps.filter { $0.isGlob }.count
    guard !steps.isEmpty, globs <= 1, globs == 1 || steps.count.isMultiple(of: 2) else {
      return nil
    }
    let names = steps.compactMap { $0.name }
    // A wildcard with one of these names would hide a variable that the claim's conditions read.
    guard Set(names).count == names.count, Set(names).isDisjoint(with: ["request", "resource"])
    else { return nil }
    self.steps = steps
  }

  /// Creates a path of segments.
  public init(_ steps: [Step], others: [Text] = []) {
    self.steps = steps
    self.others = others
  }

  /// The variables of the claim's conditions, besides `request` and `resource`.
  public var variables: [Text] { steps.compactMap { $0.name } + others }

  /// The path as people write it.
  public var text: String {
    steps.reduce("") { text, step in
      switch step {
      case .literal(let literal): text + "/" + String(literal)
      case .capture(let name): text + "/{" + String(name) + "}"
      case .glob(let name): text + "/{" + String(name) + "=**}"
      }
    }
  }
}

extension ClaimPath.Step {
  /// Parses `users`, `{uid}`, `{uid=*}` or `{path=**}`.
  init?(_ bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), bytes.count > 2 else {
      if bytes.isEmpty || bytes.contains(UInt8(ascii: "{")) { return nil }
      self = .literal(Text(wellFormed: bytes))
      return
    }
    let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    let isGlob = inner.hasSuffix("=**")
    let name = isGlob ? inner.dropLast(3) : inner.hasSuffix("=*") ? inner.dropLast(2) : inner[...]
    let isName = name.utf8.allSatisfy {
      $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
    }
    guard let first = name.utf8.first, isName, !(0x30...0x39).contains(first) else { return nil }
    self = isGlob ? .glob(Text(String(name))) : .capture(Text(String(name)))
  }

  /// True if the step matches any number of segments.
  public var isGlob: Bool {
    if case .glob = self { return true }
    return false
  }

  /// The variable that it names.
  public var name: Text? {
    switch self {
    case .literal: nil
    case .capture(let name), .glob(let name): name
    }
  }
}
