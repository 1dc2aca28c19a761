import RulesEval
package import RulesLang

// Cells: claims about the documents of one path that differ only in the method and in which of some
// conditions are true of the request. For one kind of request they share one query: what is true of every
// request of the kind are its axioms, and a refutation of a cell is a conjunction of its propositions.
//
// Sound: every request that refutes a cell satisfies the axioms and all of `CellQuestion.refutation(of:)`.

/// A claim: requests of a method of which all of some conditions are true are never granted, or always.
package struct CellClaim: Hashable, Sendable {
  /// The obligation of these requests.
  package enum Obligation: Hashable, Sendable {
    /// The rules deny each of them.
    case never
    /// The rules grant each of them.
    case always
  }

  /// The method.
  package var method: Method
  /// True if it is about queries of the collection group, also those that name their document; false if
  /// about all requests but queries of the collection group that do not name their document.
  package var isOfGroup: Bool
  /// The indices of the conditions.
  package var conditions: [Int]
  /// The obligation.
  package var obligation: Obligation

  /// Creates a claim.
  package init(
    method: Method, isOfGroup: Bool, conditions: [Int], obligation: Obligation
  ) {
    self.method = method
    self.isOfGroup = isOfGroup
    self.conditions = conditions
    self.obligation = obligation
  }

  /// True if the claim is about requests of a kind.
  func covers(_ kind: RequestKind) -> Bool {
    guard kind.method == method else { return false }
    switch kind.access {
    case .document, .query: return !isOfGroup
    case .namedQuery: return true
    case .group: return isOfGroup
    }
  }
}

/// The SMT query that the cells of one kind of request share.
package struct CellQuestion: Sendable {
  /// The axioms, each true of every request of the kind, and the terms and propositions of the cells.
  package let question: Question
  /// A statement grants the request.
  private let isGranted: Prop
  /// The rules grant the other writes of the commit.
  private let commit: Prop
  /// The document is none of the path's exceptions.
  private let isMeant: Prop
  /// The conditions, by index: each is true of the request. Empty if no statement ever grants.
  private let conditions: [Int: Prop]
  /// The reason why "always" cannot be stated; nil if it can.
  let denialProblem: StatementProblem?

  /// Encodes the cells of a kind of request. Throws if a condition is too large.
  ///
  /// - Requires: The cells are about the kind, and the claim is "never", of all requests to the path.
  init(
    of cells: [CellClaim], _ stated: StatedClaim, for kind: RequestKind
  ) throws(StatementProblem) {
    let encoder = Encoder(stated, for: kind)
    var grants: [Prop] = []
    let statements = encoder.statements()
    for statement in statements {
      let rails = encoder.rails(of: statement)
      grants.append(encoder.question.all([statement.applies, rails.yes]))
    }
    try encoder.endPart()
    isGranted = encoder.question.any(grants)
    var conditions: [Int: Prop] = [:]
    if isGranted != .no || cells.contains(where: { $0.obligation == .always }) {
      let frame = encoder.claimFrame
      for index in Set(cells.flatMap { $0.conditions }).sorted() {
        conditions[index] = encoder.isTrue(stated.conditions[index], in: frame)
        try encoder.endPart()
      }
    }
    self.conditions = conditions
    isMeant = encoder.isNone(of: stated.claim.path.exceptions)
    commit = encoder.otherWritesAreGranted()
    try encoder.endPart()
    encoder.close()
    try encoder.endPart()
    denialProblem = encoder.problemOfDenials(by: statements)
    question = encoder.question
  }

  /// Returns propositions that are true of every request which refutes a cell.
  package func refutation(of cell: CellClaim) -> [Prop] {
    let scope = [isMeant] + cell.conditions.compactMap { conditions[$0] }
    switch cell.obligation {
    case .never: return [isGranted, commit] + scope
    case .always: return [!isGranted] + scope
    }
  }
}

extension Encoder {
  /// Ends a part of the encoding; each may take the maximum effort. Throws if it took more.
  func endPart() throws(StatementProblem) {
    if isOverwhelmed { throw StatementProblem("the conditions are too large to be checked") }
    effort = 0
  }

  /// Returns "the request's document matches none of these patterns", of a document of the kind. The
  /// longer documents that an open kind stands for match no pattern without `{x=**}`.
  func isNone(of patterns: [[ClaimPath.Step]]) -> Prop {
    let segments = home.segments
    var others: [Prop] = []
    for pattern in patterns {
      let glob = pattern.firstIndex { $0.isGlob }
      let fits =
        glob == nil
        ? pattern.count == segments.count && !kind.isOpen : segments.count >= pattern.count - 1
      guard fits else { continue }
      let tail = glob.map { pattern.count - $0 - 1 } ?? 0
      let pairs =
        Array(zip(pattern.prefix(glob ?? pattern.count), segments))
        + Array(zip(pattern.suffix(tail), segments.suffix(tail)))
      var matches: [Prop] = []
      for case (.literal(let text), let segment) in pairs {
        matches.append(question.same(segment, question.text(text)))
      }
      others.append(!question.all(matches))
    }
    return question.all(others)
  }
}
