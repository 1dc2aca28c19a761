// What a question may cost. Work is counted in steps where it is done: a node or term that is made, a
// proposition that gets a value, a class that is looked through, a request that the evaluator decides.
// So where a question stops, and with it what a gate decides, is the same on every machine under every
// load. The clock only ends what takes longer than anybody waits, and reports say which of the two it
// was.
//
// Sound: who stops early states fewer facts, finds no model, or leaves more in a report than it needs;
// nothing is concluded from that a budget was spent, and the answer is "undecided".

/// What the answer to a question may cost, shared by everything that works on it.
///
/// A question can be one of many that have a budget together: its steps count for both. It is asked at every
/// step, and no method is entered while another one changes something; so nobody has to check that.
package final class Budget {
  /// What is being done.
  package enum Stage: String, Sendable {
    case compiling, closing, searching, refining, probing, shrinking, explaining, comparing
  }

  /// What ran out.
  package enum Exhaustion: Hashable, Sendable {
    /// The steps of the question, in a stage of the work.
    case steps(Int, Stage)
    /// The steps of all questions together.
    case total(Int)
    /// The time of the question, in seconds.
    case time(Double)
    /// The time of all questions together, in seconds.
    case totalTime(Double)
  }

  /// A limit on time; the host knows the clock.
  package struct Deadline {
    /// After how many seconds it is, for reports.
    package var seconds: Double
    /// Whether it has passed.
    package var isOver: () -> Bool

    /// Makes a limit.
    package init(seconds: Double, isOver: @escaping () -> Bool) {
      self.seconds = seconds
      self.isOver = isOver
    }
  }

  /// The steps of one question if nobody says otherwise: a second or two of work.
  package static let questionSteps = 60_000_000
  /// How many times as much all questions of a report may cost together.
  package static let questionsInAll = 16
  /// The same of reports that ask hundreds of questions about each statement.
  package static let questionsOfMany = 40
  /// So many steps are done between two looks at the clock.
  private static let pace = 10_000

  /// The greatest number of steps.
  package let steps: Int
  /// The steps done.
  @exclusivity(unchecked) package private(set) var used = 0
  /// What ran out; nil as long as nothing did.
  @exclusivity(unchecked) package private(set) var exhaustion: Exhaustion?
  /// What is being done.
  package var stage = Stage.compiling

  private let deadline: Deadline?
  private let whole: Budget?
  private let isWhole: Bool
  /// How many of the steps the whole has counted.
  @exclusivity(unchecked) private var settled = 0
  /// The number of steps at which to look again.
  @exclusivity(unchecked) private var pause: Int

  /// Makes a budget; without arguments one that never ends.
  package convenience init(steps: Int = .max, deadline: Deadline? = nil) {
    self.init(steps: steps, deadline: deadline, isWhole: false, within: nil)
  }

  /// A budget for many questions together.
  package static func whole(steps: Int = .max, deadline: Deadline? = nil) -> Budget {
    Budget(steps: steps, deadline: deadline, isWhole: true, within: nil)
  }

  private init(steps: Int, deadline: Deadline?, isWhole: Bool, within whole: Budget?) {
    self.steps = steps
    self.isWhole = isWhole
    self.deadline = deadline
    self.whole = whole
    pause = min(steps, Self.pace)
  }

  /// A budget for one of several questions; `settle` it when the question is answered.
  package func question(steps: Int = .max, deadline: Deadline? = nil) -> Budget {
    let part = Budget(steps: steps, deadline: deadline, isWhole: false, within: self)
    if isSpent { part.look() }
    return part
  }

  /// Whether nothing more may be done.
  package var isSpent: Bool { exhaustion != nil }

  /// Whether not even little may be done: the time is over, or what all questions may cost is spent.
  package var isOver: Bool {
    switch exhaustion {
    case .total, .time, .totalTime: true
    case .steps, .none: false
    }
  }

  /// Which time is over, whatever else ran out before: to be asked by work that still goes on a little
  /// when the steps are spent.
  package var lateness: Exhaustion? {
    if let deadline, deadline.isOver() {
      return isWhole ? .totalTime(deadline.seconds) : .time(deadline.seconds)
    }
    return whole?.lateness
  }

  /// Counts steps.
  package func charge(_ count: Int) {
    used += count
    if used >= pause { look() }
  }

  /// Counts the steps of a question for the whole, too.
  package func settle() {
    whole?.charge(used - settled)
    settled = used
  }

  /// Works in another stage, and afterwards in the present one again.
  package func during<Answer>(_ stage: Stage, work: () -> Answer) -> Answer {
    let outer = self.stage
    self.stage = stage
    defer { self.stage = outer }
    return work()
  }

  private func look() {
    settle()
    pause = used > Int.max - Self.pace ? .max : used + Self.pace
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

  /// Whether the whole is spent; it looks at its clock whenever one of its questions does.
  private var isPast: Bool {
    if !isSpent { look() }
    return isSpent
  }
}

extension Budget.Exhaustion {
  /// What ran out, in words.
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

  /// A number with a comma before each three digits.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number).utf8)
    var text: [UInt8] = []
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A number of seconds without a fraction that says nothing.
  private static func plain(_ seconds: Double) -> String {
    Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }
}
