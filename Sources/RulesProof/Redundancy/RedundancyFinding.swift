package import RulesEncoding
package import RulesLang

/// Something in rules that is proved to decide nothing.
package struct RedundancyFinding: Sendable {
  /// What is proved of it.
  package enum Kind: Sendable {
    /// The statement grants no request with these methods.
    case neverGrants(AllowID, MethodSet)
    /// The statement grants nothing, since whoever is granted something by it has evaluated at least so many
    /// expressions, which are more than a request may.
    case isBeyondLimit(AllowID, expressions: Int)
    /// Whatever the statement grants with these methods, those of the core grant, too.
    case isCovered(AllowID, MethodSet)
    /// The condition of the statement is true whenever it matters.
    case alwaysHolds(AllowID)
    /// A part of a condition: without it all requests are decided alike, and none meets an error that
    /// it does not meet now.
    case changesNothing
    /// A part of a condition: without it all requests are decided alike, but what is denied may meet
    /// an error that it does not meet now.
    case changesNoDecision
    /// Nothing that a parameter is passed changes a decision.
    case parameter(FunctionID, Int)
    /// With these methods the statement grants only where `||` leaves an error out of account.
    case needsAnError(AllowID, MethodSet)
  }

  /// A place without which this would not be so.
  package struct Cause: Hashable, Sendable {
    /// Where.
    package var range: SourceRange
    /// Whether it is a whole statement rather than a part of a condition.
    package var isStatement = false
  }

  /// What is proved.
  package var kind: Kind
  /// What it is about.
  package var range: SourceRange
  /// The expression that it is about; nil for a statement or a parameter.
  var expression: ExprID?
  /// A smallest set of other places that make it so, in order.
  package var core: [Cause] = []
  /// What can be taken out; nil if nothing can.
  var removal: Removal?
}

/// Why some questions were left open.
package struct RedundancyQuestion: Sendable {
  /// The reason.
  package var doubt: Doubt
  /// How many questions.
  package var count: Int
}

/// What is known about parts of rules that decide nothing.
package struct RedundancyReport: Sendable {
  /// What is proved, by place.
  package var findings: [RedundancyFinding] = []
  /// What was left open; nothing was found there.
  package var open: [RedundancyQuestion] = []
  /// The reasons for each question that was left open.
  private(set) var openReasons: [[Doubt]] = []
  /// How many questions were asked.
  package var questions = 0
  /// How many of them were left open.
  package var openCount = 0
  /// What the search took for redundant and a request showed not to be: defects of ours. Nothing was found
  /// there.
  package var missed: [FailedReplay] = []

  /// Notes a question that is left open.
  mutating func leaveOpen(_ doubts: [Doubt]) {
    openCount += 1
    openReasons.append(doubts.distinct)
    for doubt in doubts.distinct {
      if let known = open.firstIndex(where: { $0.doubt == doubt }) {
        open[known].count += 1
      } else {
        open.append(RedundancyQuestion(doubt: doubt, count: 1))
      }
    }
  }
}
