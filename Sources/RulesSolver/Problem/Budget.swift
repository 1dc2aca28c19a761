// Budgets. Work is counted in steps where it is done: a node or term is made, a proposition
// assigned, a class visited, a request evaluated. So a query stops at the same point on every
// machine under every load, and a gate decides alike everywhere. The clock only ends work that
// takes longer than anybody waits; reports say which of the two limits was reached.
//
// Sound: a spent budget leads to fewer axioms, to no model or to a longer report. Nothing is concluded from
// it; the answer is "undecided".

/// The cost limit of a query, shared by all of its work.
///
/// Queries may share an overall budget, to which their steps are charged as well. Exclusivity is
/// unchecked: `charge` is called in every inner loop, and no method runs while another one modifies
/// the budget.
package final class Budget {
  /// A stage of the work.
  package enum Stage: String, Sendable {
    case compiling, closing, searching, refining, probing, shrinking, explaining, comparing
  }

  /// The limit that was reached.
  package enum Exhaustion: Hashable, Sendable {
    /// The steps of the query, in a stage.
    case steps(Int, Stage)
    /// The steps of all queries together.
    case total(Int)
    /// The time of the query, in seconds.
    case time(Double)
    /// The time of all queries together, in seconds.
    case totalTime(Double)
  }

  /// A time limit. The host supplies the clock.
  package struct Deadline {
    /// The length of the limit in seconds, for reports.
    package var seconds: Double
    /// True if the limit has passed.
    package var isOver: () -> Bool

    /// Creates a time limit.
    package init(seconds: Double, isOver: @escaping () -> Bool) {
      self.seconds = seconds
      self.isOver = isOver
    }
  }

  /// Maximum steps.
  package let steps: Int
  /// The steps spent.
  @exclusivity(unchecked) package private(set) var used = 0
  /// The limit that was reached; nil while there is budget.
  @exclusivity(unchecked) package private(set) var exhaustion: Exhaustion?
  /// The present stage.
  package var stage = Stage.compiling

  private let deadline: Deadline?
  private let whole: Budget?
  private let isWhole: Bool
  /// The number of steps already charged to the overall budget.
  @exclusivity(unchecked) private var settled = 0
  /// The number of steps at which the limits are checked next.
  @exclusivity(unchecked) private var pause: Int

  /// Creates a budget, by default an unlimited one.
  package convenience init(steps: Int = .max, deadline: Deadline? = nil) {
    self.init(steps: steps, deadline: deadline, isWhole: false, within: nil)
  }

  /// Creates an overall budget for many queries.
  package static func whole(steps: Int = .max, deadline: Deadline? = nil) -> Budget {
    Budget(steps: steps, deadline: deadline, isWhole: true, within: nil)
  }

  private init(steps: Int, deadline: Deadline?, isWhole: Bool, within whole: Budget?) {
    self.steps = steps
    self.isWhole = isWhole
    self.deadline = deadline
    self.whole = whole
    pause = min(steps, SearchStrategy.stepsBetweenLooks)
  }

  /// Creates the budget of one of several queries. Call `settle` when the query is answered.
  package func question(steps: Int = .max, deadline: Deadline? = nil) -> Budget {
    let part = Budget(steps: steps, deadline: deadline, isWhole: false, within: self)
    if isSpent { part.look() }
    return part
  }

  /// True if no more work may be done.
  package var isSpent: Bool { exhaustion != nil }

  /// True if not even a little more work may be done: the time is over, or the overall budget is
  /// spent.
  package var isOver: Bool {
    switch exhaustion {
    case .total, .time, .totalTime: true
    case .steps, .none: false
    }
  }

  /// The time limit that has passed, whatever else ran out before. For work that goes on for a
  /// little after the steps are spent.
  package var lateness: Exhaustion? {
    if let deadline, deadline.isOver() {
      return isWhole ? .totalTime(deadline.seconds) : .time(deadline.seconds)
    }
    return whole?.lateness
  }

  /// Adds steps.
  package func charge(_ count: Int) {
    used += count
    if used >= pause { look() }
  }

  /// Charges the steps of the query to the overall budget.
  package func settle() {
    whole?.charge(used - settled)
    settled = used
  }

  /// Runs `work` in another stage, then returns to the present one.
  package func during<Answer>(_ stage: Stage, work: () -> Answer) -> Answer {
    let outer = self.stage
    self.stage = stage
    defer { self.stage = outer }
    return work()
  }

  private func look() {
    settle()
    pause =
      used > Int.max - SearchStrategy.stepsBetweenLooks
      ? .max : used + SearchStrategy.stepsBetweenLooks
    if isSpent { return }
    if used >= steps {
      exhaustion = isWhole ? .total(steps) : .steps(steps, stage)
    } else if let whole, whole.isPast {
      exhaustion = whole.exhaustion
    } else if let deadline, deadline.isOver() {
      exhaustion = isWhole ? .totalTime(deadline.seconds) : .time(deadline.seconds)
    }
    if !isSpent { pause = min(pause, steps) }
  }

  /// True if the overall budget is spent. Checks its clock, too.
  private var isPast: Bool {
    if !isSpent { look() }
    return isSpent
  }
}

extension Budget.Exhaustion {
  /// The limit that was reached, in words.
  package var reason: String {
    switch self {
    case .steps(let count, let stage):
      "the budget of \(Self.grouped(count)) steps was spent (\(stage.rawValue))"
    case .total(let count):
      "the budget of \(Self.grouped(count)) steps for all questions together was spent"
    case .time(let seconds): "the time limit of \(Self.plain(seconds)) s was reached"
    case .totalTime(let seconds):
      "the time limit of \(Self.plain(seconds)) s for all questions together was reached"
    }
  }

  /// Formats a number with thousands separators.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number).utf8)
    var text: [UInt8] = []
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Formats seconds without a zero fraction.
  private static func plain(_ seconds: Double) -> String {
    Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }
}
