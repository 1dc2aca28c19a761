public import RulesLang

/// A claim about all requests, as a suite or a command line states it.
public struct Claim: Sendable {
  /// What is claimed.
  public enum Obligation: Sendable {
    /// Whatever is allowed satisfies the condition.
    case onlyIf(Condition)
    /// Whatever satisfies the condition is allowed.
    case alwaysIf(Condition)
    /// Nothing is allowed.
    case never
    /// No request makes a condition that is tried end in an error.
    case noErrors
  }

  /// What the prover is expected to find.
  public enum Expectation: Sendable, CaseIterable {
    case proved
    /// A known hole, kept on record.
    case violated
    /// No request is in scope, on purpose: the rules have no block for these documents.
    case vacuous

    /// The word of suites and reports.
    public var word: String {
      switch self {
      case .proved: "proved"
      case .violated: "violated"
      case .vacuous: "vacuous"
      }
    }
  }

  /// How many requests may come before the one that a claim is about.
  public enum Through: Sendable, Hashable {
    case any
    case steps(Int)

    /// No more than so many are looked for, however many may come.
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
    /// Where its string stands.
    public var range: SourceRange

    /// Makes a condition.
    public init(_ text: Text, at range: SourceRange = .none) {
      self.text = text
      self.range = range
    }
  }

  /// The claim's name; made from what it says if it was given none.
  public var name: String
  /// The database that it names; nil for that of the suite.
  public var database: DatabaseName?
  /// The database that its path names as the root; nil if it names none.
  public var rootDatabase: DatabaseName?
  /// The documents that it is about.
  public var path: ClaimPath
  /// The methods that it is about.
  public var methods: MethodSet
  /// If not empty: only requests that add, change or remove one of these fields.
  public var writes: [FieldPath] = []
  /// Only requests for which this is true.
  public var given: Condition?
  /// What is claimed of them.
  public var obligation: Obligation
  /// If set: it is claimed after any sequence of requests of clients for whom the condition is false,
  /// too.
  public var through: Through?
  /// If the claim is that documents keep a condition: that condition. What is given and claimed of a
  /// request is then made of it (`Claim.keeping`).
  public var kept: Condition?
  /// Beside `kept`: the condition that limits the claim, as it was stated.
  public var keptGiven: Condition?
  /// What the prover is expected to find.
  public var expectation = Expectation.proved
  /// Where the claim stands in the suite.
  public var range = SourceRange.none

  /// Makes a claim.
  public init(name: String, path: ClaimPath, methods: MethodSet, obligation: Obligation) {
    self.name = name
    self.path = path
    self.methods = methods
    self.obligation = obligation
  }
}

/// The documents that a claim is about: a path whose wildcards name variables.
public struct ClaimPath: Sendable, Hashable {
  /// One segment.
  public enum Step: Sendable, Hashable {
    case literal(Text)
    /// Any one segment.
    case capture(Text)
    /// Any number of segments, even none.
    case glob(Text)
  }

  /// The segments below the database root.
  public var steps: [Step]
  /// Further variables of the claim's conditions: segments of the paths of other documents, of which
  /// the claim says nothing. Suites have none.
  public var others: [Text] = []
  /// Patterns of documents that the claim is not about, though they match its path. Suites have none.
  public var exceptions: [[Step]] = []

  /// Reads `/users/{uid}` or `/{path=**}`; the root `/databases/{database}/documents` may be
  /// written. Nil if it is no path of documents.
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
    // A wildcard of these names would hide what the claim's conditions speak of.
    guard Set(names).count == names.count, Set(names).isDisjoint(with: ["request", "resource"])
    else { return nil }
    self.steps = steps
  }

  /// Makes a path of segments.
  public init(_ steps: [Step], others: [Text] = []) {
    self.steps = steps
    self.others = others
  }

  /// The variables that conditions have beside `request` and `resource`.
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
  /// Reads `users`, `{uid}`, `{uid=*}` or `{path=**}`.
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

  /// Whether it stands for any number of segments.
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
