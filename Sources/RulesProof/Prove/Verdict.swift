public import RulesEval
public import RulesLang

/// What the prover says to a claim.
public enum Verdict: Sendable {
  /// The claim holds for all requests.
  case proved(Proof)
  /// A request shows that it does not hold; the evaluator has decided that request.
  case violated(Counterexample)
  /// Neither is known, and why.
  case undecided([Doubt])
  /// No request is in the claim's scope, so it says nothing.
  case vacuous(Vacuity)

  /// The word of reports.
  public var word: String {
    switch self {
    case .proved: "proved"
    case .violated: "violated"
    case .undecided: "undecided"
    case .vacuous: "vacuous"
    }
  }

  /// Whether this is what a claim expects.
  public func isExpected(_ expectation: Claim.Expectation) -> Bool {
    switch (self, expectation) {
    case (.proved, .proved), (.violated, .violated), (.vacuous, .vacuous): true
    case (.proved, _), (.violated, _), (.vacuous, _), (.undecided, _): false
    }
  }
}

/// Why a claim holds.
public struct Proof: Sendable {
  /// The statements that could apply, each with what makes it safe.
  public var statements: [Safety]
  /// Whether nothing in the claim's scope is ever granted, so that it holds for nothing.
  public var grantsNothing = false
  /// Remarks: for example that nothing in the claim's scope is ever granted.
  public var notes: [String] = []

  /// What is said of a claim that holds for nothing.
  public static let nothingGranted = "nothing in this scope is ever granted"

  /// What makes one statement safe for a claim.
  public struct Safety: Sendable {
    /// The statement.
    public var allow: AllowID
    /// The methods for which it could apply.
    public var methods: MethodSet
    /// The conjuncts of its condition without which the claim would not hold; together they are
    /// enough. Empty if the claim holds whatever the condition says.
    public var core: [ExprID]
  }
}

/// A request that shows that a claim does not hold.
public struct Counterexample: Sendable {
  /// The request.
  public var request: Request
  /// What is stored when it is made.
  public var documents: Documents
  /// The document that the claim is about.
  public var document: DocumentPath
  /// The method.
  public var method: Method
  /// What the evaluator says to it.
  public var decision: Decision
  /// The statement that grants it; nil if none does.
  public var allow: AllowID?
  /// The first statement whose condition ends in an error, if the claim is that none does.
  public var failed: AllowID?
  /// The fields that a write changes, sorted.
  public var fields: [Text]
  /// Set if the search had said that there is none: a defect of ours, which only an attack by requests
  /// showed. The claim is violated all the same.
  public var missed: FailedReplay?
}

/// Why a claim could not be decided.
public struct Doubt: Sendable, Hashable {
  /// The reason.
  public var reason: String
  /// The construct of the rules that stopped the prover, if one did.
  public var range: SourceRange?
  /// What was not confirmed, if no construct is to blame.
  public var replay: FailedReplay?
  /// Whether the search had said that there is nothing to doubt, and only an attack showed it.
  public private(set) var isMissed = false

  /// Makes a reason.
  public init(_ reason: String, at range: SourceRange? = nil) {
    self.reason = reason
    self.range = range
  }

  /// Whether two reasons are the same to a reader; what was not confirmed may differ.
  public static func == (one: Doubt, other: Doubt) -> Bool {
    one.reason == other.reason && one.range == other.range
  }

  /// Hashes what readers see.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(range)
  }
}

extension Doubt {
  /// Nothing else is known: whoever collects doubts takes none for a proof.
  static let noEnd = Doubt("the search came to no end")
  /// One model cost more than a search may.
  static let conflicts = Doubt(
    "the budget of \(SearchBudget().conflicts) conflicts was spent (searching)")
  /// One fact after the other was missing.
  static let refinements = Doubt(
    "the budget of \(SearchExhaustion.greatestRefinements) facts about values was spent "
      + "(refining)")

  /// Whether a search from the beginning may come to an end.
  var mayEndBetter: Bool { replay != nil || self == .refinements }

  /// The search found a request that nobody can make.
  init(impossible reason: Impossibility) {
    self.init("the search finds only what cannot be: \(reason.sentence)")
  }

  /// The search had found that no request refutes something, and one does.
  init(missed: FailedReplay) {
    self.init(
      "the search missed a request that the rules allow; this is a defect of rules-check: please "
        + "report it, with what `--defects DIR` writes")
    replay = missed
    isMissed = true
  }
}
