import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesService
import RulesSolver
import Synchronization

/// Tells a work on another thread that nobody waits for it any more.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Nobody waits any more.
  func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether nobody waits any more.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// Something that takes longer than anybody who types wants to wait.
struct LanguageWork: Sendable {
  /// What it is for.
  enum Purpose: Sendable {
    /// A request, by the JSON of its ID.
    case command(JSON)
    /// The tests of some rules.
    case tests(path: String)
    /// Proofs about some rules.
    case proofs(path: String)
  }

  /// What it is for.
  let purpose: Purpose
  /// Ends it early.
  let cancellation = Cancellation()
  private let body: @Sendable (Cancellation) -> LanguageResult

  /// A work that looks from time to time whether anybody still waits for it.
  init(_ purpose: Purpose, body: @escaping @Sendable (Cancellation) -> LanguageResult) {
    self.purpose = purpose
    self.body = body
  }

  /// Does it.
  func run() -> LanguageResult { body(cancellation) }

  /// The same from the beginning.
  func again() -> LanguageWork { LanguageWork(purpose, body: body) }
}

/// What came of a work.
enum LanguageResult: Sendable {
  /// Suites were run against some rules. `request` wants to know of it.
  case tests(SuiteRuns, request: JSON?)
  /// A claim was decided.
  case claim(ClaimSentence, request: JSON)
  /// Proofs about a text.
  case proofs(SourceText, DeepFindings)
  /// It was ended early, or could not be begun.
  case nothing(request: JSON?, reason: String?)
}

/// What came of suites of one text of rules.
struct SuiteRuns: Sendable {
  /// The text of the rules.
  var rules: SourceText
  /// The texts of the suites, and what came of them.
  var suites: [(source: SourceText, run: SuiteRun)]
  /// Whether only some tests or claims were run: what was known of the others stays.
  var isPartial: Bool
}

/// What came of a claim that an editor has made.
struct ClaimSentence: Sendable {
  /// `proved`, `violated`, `undecided` or `vacuous`.
  var word: String
  /// What was claimed.
  var claim: String
  /// What shows it.
  var reasons: [String]
}

/// Makes works out of what is known.
struct LanguageWorkshop: Sendable {
  /// Whose limits and behaviour hold.
  let settings: AnalysisSettings
  /// The seconds for the proofs about one text.
  let seconds: Double

  /// A budget that ends when its time is over, or when nobody waits any more.
  private static func budget(_ seconds: Double, _ cancellation: Cancellation) -> Budget {
    let end = Clock.nanoseconds + UInt64(seconds * 1e9)
    return Budget(
      steps: Budget.questionSteps,
      deadline: Budget.Deadline(seconds: seconds) {
        cancellation.isCancelled || Clock.nanoseconds > end
      })
  }

  /// Proofs about rules: what decides nothing, and who can do what.
  func proofs(_ rules: Checked) -> LanguageWork {
    let source = rules.ruleset.source
    return LanguageWork(.proofs(path: source.name)) { [self] cancellation in
      let end = Clock.nanoseconds + UInt64(seconds * 1e9)
      let isOver: @Sendable () -> Bool = { cancellation.isCancelled || Clock.nanoseconds > end }
      let findings = DeepAnalysis(rules, settings: settings).run(
        within: {
          Budget.whole(
            steps: Budget.questionSteps * Budget.questionsInAll,
            deadline: Budget.Deadline(seconds: seconds, isOver: isOver))
        }, isCancelled: { cancellation.isCancelled })
      return findings.map { .proofs(source, $0) } ?? .nothing(request: nil, reason: nil)
    }
  }

  /// The tests of suites; only what stands at `place` if that is given. Claims are decided if a request asks.
  func tests(
    _ suites: [(source: SourceText, suite: Suite)], of rules: Checked, at place: SourceRange? = nil,
    for request: JSON?
  ) -> LanguageWork {
    let source = rules.ruleset.source
    let purpose: LanguageWork.Purpose =
      request.map { .command($0) } ?? .tests(path: source.name)
    return LanguageWork(purpose) { [self] cancellation in
      var runs = SuiteRuns(rules: source, suites: [], isPartial: place != nil)
      for (text, suite) in suites {
        let runner = SuiteRunner(suite, rules: rules, profile: settings.profile)
        let run = runner.tests(at: place, now: Clock.now) { cancellation.isCancelled }
        guard var run else { return .nothing(request: request, reason: nil) }
        if request != nil {
          runner.claims(
            at: place, into: &run, within: { Self.budget(seconds, cancellation) },
            isCancelled: { cancellation.isCancelled })
        }
        runs.suites.append((text, run))
      }
      return cancellation.isCancelled
        ? .nothing(request: request, reason: nil) : .tests(runs, request: request)
    }
  }

  /// A claim about rules that an editor has made.
  func claim(_ claim: Claim, about rules: Checked, for request: JSON) -> LanguageWork {
    LanguageWork(.command(request)) { [self] cancellation in
      let set: ClaimSet
      do throws(ClaimSet.Refusal) {
        set = try ClaimSet([claim], about: rules, profile: settings.profile)
      } catch {
        return .nothing(request: request, reason: error.problems.first?.message ?? "no such claim")
      }
      let verdict = Prover(set, within: Self.budget(seconds, cancellation)).decide(0)
      if cancellation.isCancelled { return .nothing(request: request, reason: nil) }
      return .claim(
        ClaimSentence(
          word: verdict.word, claim: claim.name,
          reasons: verdict.reasons(in: set.engine.rules.ruleset)), request: request)
    }
  }
}
