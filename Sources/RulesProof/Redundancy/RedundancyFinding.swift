package import RulesEncoding
package import RulesLang

/// A part of rules that is proved redundant.
package struct RedundancyFinding: Sendable {
  /// The proved property.
  package enum Kind: Sendable {
    /// The statement grants no request with these methods.
    case neverGrants(AllowID, MethodSet)
    /// The statement grants nothing, since each request that it grants would evaluate at least this
    /// many expressions, more than the limit.
    case isBeyondLimit(AllowID, expressions: Int)
    /// All requests that the statement grants with these methods are also granted by those of the
    /// core.
    case isCovered(AllowID, MethodSet)
    /// The condition of the statement is true whenever it matters.
    case alwaysHolds(AllowID)
    /// A part of a condition whose removal changes no decision, and causes no error that is not met
    /// now.
    case changesNothing
    /// A part of a condition whose removal changes no decision, but may turn a denial into an
    /// error.
    case changesNoDecision
    /// A parameter whose argument changes no decision.
    case parameter(FunctionID, Int)
    /// With these methods the statement grants only where `||` ignores an error.
    case needsAnError(AllowID, MethodSet)
  }

  /// A place on which the finding depends.
  package struct Cause: Hashable, Sendable {
    /// The place.
    package var range: SourceRange
    /// True for a whole statement rather than a part of a condition.
    package var isStatement = false
  }

  /// The proved property.
  package var kind: Kind
  /// The redundant part.
  package var range: SourceRange
  /// The redundant expression; nil for a statement or parameter.
  var expression: ExprID?
  /// A minimal set of other places that cause it, in order.
  package var core: [Cause] = []
  /// The removal of the part; nil if it cannot be removed.
  var removal: Removal?
}

/// A reason for undecided questions.
package struct RedundancyQuestion: Sendable {
  /// The reason.
  package var openReason: OpenReason
  /// The number of questions.
  package var count: Int
}

/// The redundant parts of a rules file.
package struct RedundancyReport: Sendable {
  /// The findings, by place.
  package var findings: [RedundancyFinding] = []
  /// The reasons for undecided questions. These gave no findings.
  package var open: [RedundancyQuestion] = []
  /// The reasons of each undecided question.
  private(set) var reasonsOfQuestions: [[OpenReason]] = []
  /// The number of questions.
  package var questions = 0
  /// The number of undecided questions.
  package var openCount = 0
  /// Requests that refute an UNSAT answer of the search, which reveals a defect of ours. These gave
  /// no findings.
  package var missed: [FailedReplay] = []

  /// The examined functions: those that a statement calls.
  package internal(set) var functions: Set<FunctionID> = []

  /// Creates an empty report.
  package init() {}

  /// Changes the reasons of the undecided questions.
  mutating func mapReasons(_ change: (OpenReason) -> OpenReason) {
    reasonsOfQuestions = reasonsOfQuestions.map { $0.map(change) }
    for place in open.indices { open[place].openReason = change(open[place].openReason) }
  }

  /// Records an undecided question.
  mutating func leaveOpen(_ openReasons: [OpenReason]) {
    openCount += 1
    reasonsOfQuestions.append(openReasons.distinct)
    for openReason in openReasons.distinct {
      if let known = open.firstIndex(where: { $0.openReason == openReason }) {
        open[known].count += 1
      } else {
        open.append(RedundancyQuestion(openReason: openReason, count: 1))
      }
    }
  }
}
