import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesSolver

/// Compares the sentences of `diff` with the evaluator: pairs of random versions are compared, the words of
/// each difference are read as conditions, and requests are drawn that meet them and that do not.
///
/// A request that meets "X may now …" is allowed by the newer version; without a parenthesis about before,
/// the older one denies it. "may no longer" is the reverse. Where a sentence says who could before, or who
/// still can, exactly these requests are allowed. Where a method's comparison is complete, each difference
/// that a request shows has a sentence that the request meets.
struct SentenceCampaign {
  /// Number of pairs of versions.
  private(set) var pairs = 0
  /// Number of sentences.
  private(set) var sentences = 0
  /// Number of sentences whose words were not read.
  private(set) var unread = 0
  /// Number of requests put to a sentence that they meet.
  private(set) var met = 0
  /// Number of requests put to a sentence that they do not meet.
  private(set) var unmet = 0
  /// Number of sentences that no drawn request meets.
  private(set) var untried = 0
  /// The wrong sentences, each as text that reproduces it.
  private(set) var failures: [String] = []

  private let seed: UInt64
  /// Requests for each pair.
  private static let requests = 400

  /// Prepares a campaign; its questions depend on the seed alone.
  init(seed: UInt64) { self.seed = seed }

  /// True if sentences were compared and none was wrong.
  var isGood: Bool { failures.isEmpty && met > 0 }

  /// The figures in one line.
  var summary: String {
    "sentences: \(pairs) pairs of versions, \(sentences) sentences (\(unread) not read, "
      + "\(untried) met by no request), \(met) requests that meet one, \(unmet) that do not, "
      + "\(failures.count) wrong\n"
  }

  /// Compares generated versions.
  mutating func run(_ numbers: Range<Int>) {
    for number in numbers {
      var dice = Dice(seed: seed, 13, UInt64(number))
      let world = SentenceWorld(&dice)
      func rules(_ text: String) -> Checked? {
        Checker.check(SourceText(name: "drawn", text)).checked
      }
      guard let old = rules(world.old), let new = rules(world.new) else { continue }
      pairs += 1
      let paths = RulesComparison(
        from: Engine(old), to: Engine(new), within: Budget(steps: 4 * Budget.questionSteps)
      ).run()
      for path in paths {
        check(path, in: world, (old, new), number, &dice)
      }
    }
  }

  private mutating func check(
    _ path: PathDiff, in world: SentenceWorld, _ rules: (old: Checked, new: Checked),
    _ number: Int, _ dice: inout Dice
  ) {
    let read = path.differences.map { ReadSentence($0, at: path.path, about: rules.old) }
    sentences += read.count
    unread += read.count { $0 == nil }
    var counts = Array(repeating: 0, count: read.count)
    let engines = (old: Engine(rules.old), new: Engine(rules.new))
    let accesses = (0..<Self.requests).map { _ in world.access(&dice) }
    let common = SharedGrants(world, on: accesses)
    for (index, access) in accesses.enumerated() {
      let (before, after) = (access.isAllowed(by: engines.old), access.isAllowed(by: engines.new))
      var isTold = before == after
      var problem: String?
      for (place, sentence) in read.enumerated() {
        guard let sentence else {
          isTold = true
          continue
        }
        guard sentence.methods.contains(access.method) else { continue }
        let answer = sentence.answer(to: access, isCommon: common.allow[index])
        if answer.isMet { counts[place] += 1 } else { unmet += 1 }
        isTold = isTold || answer.covers(before: before, after: after)
        if let wrong = answer.problem(before: before, after: after) {
          problem = "\"\(sentence.text)\": \(wrong)"
        }
      }
      let isWhole = path.methods.contains {
        $0.method == access.method && !$0.isPartial && $0.openReasons.isEmpty
      }
      if problem == nil, !isTold, isWhole {
        let all = path.differences.map { $0.sentence(path.path) }.joined(separator: "; ")
        problem = "no sentence is about this \(after ? "new grant" : "new denial"): \(all)"
      }
      guard let problem else { continue }
      let test = SuiteWriter.test(
        name: "drawn", access.request, on: access.documents, expect: after ? .allow : .deny)
      failures.append(
        "\(number): \(problem)\n\(JSONText(test).compact)\n\(world.old)\n\(world.new)")
      return
    }
    met += counts.reduce(0, +)
    untried += zip(counts, read).count { $0 == 0 && $1 != nil }
  }
}

/// The requests that are allowed by a statement that grants the same in both versions, as far as drawn
/// requests show.
private struct SharedGrants {
  /// True for each request that such a statement allows.
  let allow: [Bool]

  init(_ world: SentenceWorld, on accesses: [AuditWorld.Access]) {
    func decisions(_ statements: [String]) -> [[Bool]] {
      statements.compactMap { Checker.check(SourceText(name: "drawn", $0)).checked }.map { rules in
        let engine = Engine(rules)
        return accesses.map { $0.isAllowed(by: engine) }
      }
    }
    let old = decisions(world.oldStatements)
    let shared = decisions(world.newStatements).filter { old.contains($0) }
    allow = accesses.indices.map { index in shared.contains { $0[index] } }
  }
}

extension AuditWorld.Access {
  /// True if the rules allow the request.
  fileprivate func isAllowed(by engine: Engine) -> Bool {
    (try? engine.decide(request, on: documents))?.isAllowed == true
  }
}

/// A difference with its words as compiled conditions.
private struct ReadSentence {
  /// The answer of a sentence to a request.
  struct Answer {
    var isLoosened: Bool
    /// True if the request meets the words about it.
    var isMet: Bool
    /// True if the words say that such requests were allowed before, and are still; nil without such words.
    var wasAllowed: Bool?
    var isStillAllowed: Bool?

    /// True if the sentence is about a request that the versions decide differently.
    func covers(before: Bool, after: Bool) -> Bool {
      if isStillAllowed != nil { return before && !after }
      return before != after && isLoosened == after && isMet
    }

    /// Returns the contradiction with the decisions of the versions; nil if there is none.
    func problem(before: Bool, after: Bool) -> String? {
      if let wasAllowed, wasAllowed != before {
        return "the older version \(before ? "allows" : "denies") this request"
      }
      if let isStillAllowed {
        return isStillAllowed == after
          ? nil : "the newer version \(after ? "allows" : "denies") this request"
      }
      guard isMet else { return nil }
      if isLoosened != after { return "the newer version \(after ? "allows" : "denies") it" }
      if wasAllowed == nil, isLoosened == before {
        return "the older version \(before ? "allows" : "denies") it"
      }
      return nil
    }
  }

  private struct Compiled {
    var function: FunctionID?
    var wanted: SentenceLiteral.Wanted
  }

  let text: String
  let methods: [Method]
  private let isLoosened: Bool
  private let engine: Engine
  private var own: [Compiled] = []
  private var before: [[Compiled]]?
  private var remaining: [[Compiled]]?

  /// Reads a difference; nil if its words are not known.
  init?(_ change: AccessChange, at path: String, about rules: Checked) {
    text = change.sentence(path)
    methods = change.witnesses.map { $0.method }
    isLoosened = change.isLoosened
    var own: [SentenceLiteral] = []
    if change.remaining == nil {
      let isOnly = change.isLoosened && change.before != nil
      guard let client = SentenceReader.client(change.who),
        let fields = SentenceReader.fields(change.what, isOnly: isOnly)
      else { return nil }
      own = client + fields
      for condition in change.conditions {
        guard let more = SentenceReader.condition(condition) else { return nil }
        own += more
      }
    }
    var lists: [[[SentenceLiteral]]?] = []
    for words in [change.before, change.remaining] {
      guard let words else {
        lists.append(nil)
        continue
      }
      guard let read = SentenceReader.clients(words) else { return nil }
      lists.append(read)
    }
    var texts: [Text] = []
    let first = rules.ruleset.functions.count
    func compiled(_ literal: SentenceLiteral) -> Compiled {
      guard let condition = literal.condition else {
        return Compiled(function: nil, wanted: literal.wanted)
      }
      texts.append(Text(condition))
      return Compiled(function: FunctionID(first + texts.count - 1), wanted: literal.wanted)
    }
    self.own = own.map { compiled($0) }
    before = lists[0]?.map { $0.map { compiled($0) } }
    remaining = lists[1]?.map { $0.map { compiled($0) } }
    let block = rules.ruleset.matches.lastIndex { !$0.allows.isEmpty } ?? 0
    let outcome = Checker.extend(
      rules,
      with: texts.map {
        AddedCondition(name: "read", parameters: [], owner: .match(MatchID(block)), text: $0)
      })
    guard let checked = outcome.checked else { return nil }
    engine = Engine(checked)
  }

  /// Returns what the sentence says about a request.
  func answer(to access: AuditWorld.Access, isCommon: Bool) -> Answer {
    func holds(_ all: [Compiled]) -> Bool {
      all.allSatisfy { self.holds($0, for: access, isCommon: isCommon) }
    }
    return Answer(
      isLoosened: isLoosened, isMet: remaining == nil && holds(own),
      wasAllowed: before.map { $0.contains { holds($0) } },
      isStillAllowed: remaining.map { $0.contains { holds($0) } })
  }

  private func holds(_ literal: Compiled, for access: AuditWorld.Access, isCommon: Bool) -> Bool {
    guard let function = literal.function else { return !isCommon }
    let outcome = try? engine.outcome(
      of: function, arguments: [], for: access.document, in: access.request, on: access.documents)
    var truth: Bool?
    if case .value(.bool(let isTrue)) = outcome { truth = isTrue }
    switch literal.wanted {
    case .isTrue: return truth == true
    case .isNotTrue: return truth != true
    case .isFalse: return truth == false
    case .isNotFalse: return truth != false
    }
  }
}
