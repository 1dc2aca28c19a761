import RulesEval
import RulesLang
import RulesProof
import RulesSolver
import RulesVerify

/// Questions to the prover whose answer is known from a random request: claims that it violates, versions of
/// rules that it distinguishes, audit cells that it demonstrates, parts that decide it, mutants that it
/// detects. An answer with a proof is wrong.
struct FalsehoodCampaign {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case claim, diff, audit, fix, mutate
  }

  /// The results of questions of one kind.
  struct Count {
    var asked = 0
    /// The number of answers with a request that demonstrates the truth.
    var shown = 0
    /// The number of these found by random testing after the prover missed them.
    var missed = 0
    var undecided = 0
    var wrong = 0
  }

  /// The results by kind.
  private(set) var counts: [Kind: Count] = [:]
  /// The wrong answers, each as text that reproduces it.
  private(set) var failures: [String] = []

  private let seed: UInt64
  private let validation: ValidationPolicy
  /// Expressions generated for one request.
  private static let pieces = 24
  /// Maximum steps of a certificate.
  private static let certificateSteps = Budget.questionSteps / 8
  /// Maximum mutants of one file.
  private static let greatestMutants = 12

  /// Prepares a campaign; its questions depend on the seed alone.
  init(seed: UInt64, validation: ValidationPolicy) {
    self.seed = seed
    self.validation = validation
  }

  /// True if questions were asked and nothing wrong was proved.
  var isGood: Bool { failures.isEmpty && counts.values.contains { $0.asked > 0 } }

  /// Asks a range of questions, of some kinds.
  mutating func run(_ numbers: Range<Int>, only kinds: [Kind] = Kind.allCases) {
    for number in numbers {
      let kind = Self.kind(number)
      if kinds.contains(kind) { ask(number, kind: kind) }
    }
  }

  /// Returns the kind of a question: most are claims, few are about whole files, which takes longer.
  private static func kind(_ number: Int) -> Kind {
    switch number % 40 {
    case 0..<30: .claim
    case 30..<35: .diff
    case 35..<38: .audit
    case 38: .fix
    default: .mutate
    }
  }

  private mutating func ask(_ number: Int, kind: Kind) {
    var dice = Dice(seed: seed, 5, UInt64(number))
    let drawn = DrawnRequest(&dice)
    guard drawn.isPossible else { return }
    let pieces = SortedPieces(drawn, using: dice, count: Self.pieces)
    let budget = Budget(steps: Budget.questionSteps)
    switch kind {
    case .claim: askClaim(number, about: pieces, using: &dice, within: budget)
    case .diff: askDiff(number, about: pieces, using: &dice, within: budget)
    case .audit: askAudit(number, about: pieces, using: &dice, within: budget)
    case .fix: askFix(number, about: pieces, using: &dice, within: budget)
    case .mutate: askMutate(number, about: pieces, using: &dice, within: budget)
    }
  }

  private mutating func fail(_ number: Int, kind: Kind, text: String, drawn: DrawnRequest) {
    counts[kind, default: Count()].wrong += 1
    failures.append("\(kind.rawValue) \(number):\n\(text)\n\(drawn.text)\n")
  }

  // MARK: Claims

  private mutating func askClaim(
    _ number: Int, about pieces: SortedPieces, using dice: inout Dice, within budget: Budget
  ) {
    guard let false_ = FalseClaim(pieces, using: &dice), let engine = false_.rules.engine,
      let set = try? ClaimSet([false_.claim], about: engine.rules)
    else { return }
    counts[.claim, default: Count()].asked += 1
    switch Prover(set, validation: validation, within: budget).decide(
      0, shrinking: false, checking: false)
    {
    case .proved, .vacuous:
      // The request that was drawn is in scope, too.
      let claim = JSONText(SuiteWriter.claim(false_.claim)).compact
      fail(number, kind: .claim, text: false_.rules.text + claim, drawn: pieces.drawn)
    case .violated(let found):
      counts[.claim]?.shown += 1
      if found.missed != nil { counts[.claim]?.missed += 1 }
    case .undecided: counts[.claim]?.undecided += 1
    }
    certify(number, claim: false_, rules: engine.rules)
  }

  /// Tries to make a certificate of the false claim, which must fail, because the random request is a model
  /// of the checker's question.
  private mutating func certify(_ number: Int, claim false_: FalseClaim, rules: Checked) {
    var certificate = Certificate()
    let addition = certificate.add(
      false_.claim, about: rules, rulesPath: "", profile: .emulator,
      within: Budget(steps: Self.certificateSteps))
    guard case .added = addition else { return }
    let claim = JSONText(SuiteWriter.claim(false_.claim)).compact
    fail(
      number, kind: .claim, text: "a certificate of\n" + false_.rules.text + claim,
      drawn: false_.drawn)
  }

  // MARK: Whole files

  private func decides(_ engine: Engine, request drawn: DrawnRequest) -> Bool? {
    (try? engine.decide(drawn.request, on: drawn.documents))?.isAllowed
  }

  private mutating func askDiff(
    _ number: Int, about pieces: SortedPieces, using dice: inout Dice, within budget: Budget
  ) {
    let word = pieces.drawn.method.word
    let others = (0..<dice.roll(2)).map { _ in (word, pieces.lacking(&dice)) }
    let shared = pieces.holding(&dice)
    let both = dice.chance(50)
    let one = pieces.holding(&dice)
    let two = pieces.lacking(&dice)
    let first = RulesText(others + [(word, both ? "(\(shared)) && (\(one))" : one)])
    let second = RulesText(others + [(word, both ? "(\(shared)) && (\(two))" : two)])
    let isLoosened = dice.chance(50)
    let (older, newer) = isLoosened ? (second, first) : (first, second)
    guard let old = older.engine, let new = newer.engine,
      decides(old, request: pieces.drawn) == !isLoosened,
      decides(new, request: pieces.drawn) == isLoosened
    else { return }
    counts[.diff, default: Count()].asked += 1
    let paths = RulesComparison(from: old, to: new, validation: validation, within: budget).run()
    let method = paths.flatMap { $0.methods }.first { $0.method == pieces.drawn.method }
    let witnesses = paths.flatMap { $0.differences.flatMap { $0.witnesses } }
    if witnesses.contains(where: { $0.missed != nil }) { counts[.diff]?.missed += 1 }
    switch method?.verdict {
    case .changed, isLoosened ? .loosened : .tightened: counts[.diff]?.shown += 1
    case .undecided: counts[.diff]?.undecided += 1
    default:
      if method?.isPartial == true {
        counts[.diff]?.undecided += 1
      } else {
        fail(number, kind: .diff, text: older.text + newer.text, drawn: pieces.drawn)
      }
    }
  }

  private mutating func askAudit(
    _ number: Int, about pieces: SortedPieces, using dice: inout Dice, within budget: Budget
  ) {
    let drawn = pieces.drawn
    let rules = RulesText([
      (drawn.method.word, pieces.lacking(&dice)), (drawn.method.word, pieces.holding(&dice)),
    ])
    // An update that changes nothing is in no row.
    guard let engine = rules.engine, decides(engine, request: drawn) == true, !drawn.changesNothing
    else { return }
    counts[.audit, default: Count()].asked += 1
    let matrix = Auditor(engine.rules, validation: validation, asking: { budget }).matrix()
    var answers: [AccessMatrix.Answer] = []
    for path in matrix.paths {
      for row in path.rows where row.operation.isOf(drawn.method) {
        for (client, cell) in zip(path.clients, row.cells)
        where (client == .signedOut) == (drawn.principal == nil) { answers.append(cell.answer) }
      }
    }
    if answers.allSatisfy({ $0 == .never }) {
      fail(number, kind: .audit, text: rules.text, drawn: drawn)
    } else if answers.contains(.undecided) {
      counts[.audit]?.undecided += 1
    } else {
      counts[.audit]?.shown += 1
    }
  }

  private mutating func askFix(
    _ number: Int, about pieces: SortedPieces, using dice: inout Dice, within budget: Budget
  ) {
    let word = pieces.drawn.method.word
    let rules = RulesText([
      (word, pieces.lacking(&dice)),
      (word, "(\(pieces.holding(&dice))) && (\(pieces.holding(&dice)))"),
      (word, pieces.lacking(&dice)),
    ])
    guard let engine = rules.engine else { return }
    counts[.fix, default: Count()].asked += 1
    var search = RedundancySearch(engine, validation: validation, within: budget)
    let report = search.run()
    if !report.missed.isEmpty { counts[.fix]?.missed += 1 }
    var repair = RedundancyRepair(engine, validation: validation, within: budget)
    _ = repair.remove(report.findings)
    let fixed = Engine(repair.rules)
    for one in requests(near: pieces.drawn, using: &dice)
    where decides(engine, request: one) != decides(fixed, request: one) {
      let source = repair.rules.ruleset.source
      return fail(
        number, kind: .fix, text: rules.text + String(decoding: source.bytes, as: UTF8.self),
        drawn: one)
    }
    counts[.fix]?.shown += 1
  }

  private mutating func askMutate(
    _ number: Int, about pieces: SortedPieces, using dice: inout Dice, within budget: Budget
  ) {
    let word = pieces.drawn.method.word
    let rules = RulesText([(word, pieces.lacking(&dice)), (word, pieces.holding(&dice))])
    guard let engine = rules.engine else { return }
    let requests = requests(near: pieces.drawn, using: &dice)
    let judge = EditJudge(engine, validation: validation, within: budget)
    let edits = dice.shuffled(engine.rules.ruleset.mutants()).prefix(Self.greatestMutants)
    for edit in edits {
      guard let changed = engine.reading(edit) else { continue }
      let killer = requests.first { decides(engine, request: $0) != decides(changed, request: $0) }
      guard let killer else { continue }
      counts[.mutate, default: Count()].asked += 1
      switch judge.effect(of: edit, within: budget) {
      case .nothing:
        fail(number, kind: .mutate, text: rules.text + edit.summary, drawn: killer)
      case .something(let witness, _):
        counts[.mutate]?.shown += 1
        if witness.missed != nil { counts[.mutate]?.missed += 1 }
      case .unknown, .invalid: counts[.mutate]?.undecided += 1
      }
    }
  }

  /// Returns the random request and some similar ones.
  private func requests(near drawn: DrawnRequest, using dice: inout Dice) -> [DrawnRequest] {
    [drawn] + (0..<8).map { _ in drawn.neighbour(&dice) }.filter { $0.isPossible }
  }

  // MARK: Results

  /// The results, one line for each kind.
  var summary: String {
    Kind.allCases.compactMap { kind in
      counts[kind].map {
        "\(kind.rawValue): \($0.asked) false, \($0.wrong) proved, \($0.shown) refuted "
          + "(\($0.missed) only by the attack), \($0.undecided) undecided\n"
      }
    }.joined()
  }
}

extension DrawnRequest {
  /// True if it is an update that changes nothing.
  fileprivate var changesNothing: Bool {
    guard method == .update, let before, let after else { return false }
    return SuiteWriter.changedKeys(from: before, to: after).isEmpty
  }
}

extension AccessMatrix.Operation {
  /// True if the row is about requests of a method.
  fileprivate func isOf(_ method: Method) -> Bool {
    switch self {
    case .get: method == .get
    case .list, .listGroup: method == .list
    case .create, .createWith: method == .create
    case .update, .updateOther: method == .update
    case .delete: method == .delete
    }
  }
}
