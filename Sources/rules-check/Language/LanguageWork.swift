import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesService
import RulesSolver
import Synchronization

/// A flag that tells work on another thread that its result is no longer needed.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Cancels the work.
  func cancel() { flag.store(true, ordering: .relaxed) }

  /// True if the work was cancelled.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// Work that takes too long to be done while somebody types.
struct LanguageWork: Sendable {
  /// The purpose of the work.
  enum Purpose: Sendable {
    /// A client's command, by the JSON of its request's ID.
    case command(JSON)
    /// Running the tests of some rules.
    case tests(path: String)
    /// Proofs about some rules.
    case proofs(path: String)
  }

  /// The purpose.
  let purpose: Purpose
  /// The flag that cancels it.
  let cancellation = Cancellation()
  /// Takes results while the work goes on, on any thread.
  typealias Reporter = @Sendable (LanguageResult) -> Void
  private let body: @Sendable (Cancellation, @escaping Reporter) -> LanguageResult

  /// Creates work that checks from time to time whether it was cancelled.
  init(_ purpose: Purpose, body: @escaping @Sendable (Cancellation) -> LanguageResult) {
    self.init(reporting: purpose) { cancellation, _ in body(cancellation) }
  }

  /// Creates work that also reports results while it goes on.
  init(
    reporting purpose: Purpose,
    body: @escaping @Sendable (Cancellation, @escaping Reporter) -> LanguageResult
  ) {
    self.purpose = purpose
    self.body = body
  }

  /// Runs it.
  func run(reporting report: @escaping Reporter = { _ in }) -> LanguageResult {
    body(cancellation, report)
  }

  /// Returns the work with a new flag, to be run again.
  func again() -> LanguageWork { LanguageWork(reporting: purpose, body: body) }
}

/// The result of work.
enum LanguageResult: Sendable {
  /// Results of suites; `request` is a command that waits for them.
  case tests(SuiteRuns, request: JSON?)
  /// The verdict on a claim.
  case claim(ClaimSentence, request: JSON)
  /// Proved facts about a text. More follow while they are partial.
  case proofs(SourceText, DeepFindings, ProofCount)
  /// The work was cancelled, or could not be started.
  case nothing(request: JSON?, reason: String?)
}

/// How much of the proofs about a text is done.
struct ProofCount: Sendable {
  /// The proved blocks.
  var done: Int
  /// All blocks.
  var all: Int
  /// True once the proofs take so long that the editor should show progress.
  var isLong = false
  /// The seconds after which the proofs were stopped; nil if they were not.
  var stopped: Double?
}

/// The results of suites for one text of rules.
struct SuiteRuns: Sendable {
  /// The text of the rules.
  var rules: SourceText
  /// The texts of the suites with their results.
  var suites: [(source: SourceText, run: SuiteRun)]
  /// True if only some tests or claims were run; the results of the others stay.
  var isPartial: Bool
}

/// The verdict on a claim that an editor has stated.
struct ClaimSentence: Sendable {
  /// `proved`, `violated`, `undecided` or `vacuous`.
  var word: String
  /// The claim in words.
  var claim: String
  /// The evidence.
  var reasons: [String]
}

/// Makes work.
struct LanguageWorkshop: Sendable {
  /// The profile and levels.
  let settings: AnalysisSettings
  /// Maximum seconds of the proofs about one text.
  let seconds: Double

  /// Returns a budget that ends when its time is over, or when the work is cancelled.
  private static func budget(_ seconds: Double, _ cancellation: Cancellation) -> Budget {
    let end = Clock.nanoseconds + UInt64(seconds * 1e9)
    return Budget(
      steps: Budget.questionSteps,
      deadline: Budget.Deadline(seconds: seconds) {
        cancellation.isCancelled || Clock.nanoseconds > end
      })
  }

  /// Returns the proofs about rules: parts that decide nothing, and the access of statements.
  func proofs(_ rules: Checked, from focus: ProofFocus, shelf: ProofShelf) -> LanguageWork {
    LanguageWork(reporting: .proofs(path: rules.ruleset.source.name)) {
      [self] cancellation, report in
      ProofRun(
        rules: rules, settings: settings, seconds: seconds, cancellation: cancellation,
        report: report
      ).run(from: focus.offset, shelf: shelf)
    }
  }

  /// Returns the run of suites' tests; only of the one at `place` if it is given. Claims are decided if a
  /// request asks for it.
  func tests(
    _ suites: [SourceText], of rules: Checked, at place: SourceRange? = nil, for request: JSON?
  ) -> LanguageWork {
    let source = rules.ruleset.source
    let purpose: LanguageWork.Purpose =
      request.map { .command($0) } ?? .tests(path: source.name)
    return LanguageWork(purpose) { [self] cancellation in
      var runs = SuiteRuns(rules: source, suites: [], isPartial: place != nil)
      let (deployed, profile) = (settings.databases(source.name), settings.profile)
      for text in suites {
        let run = SuiteRun(
          testsIn: text, about: rules, deployed: deployed, profile: profile, at: place,
          now: Clock.now, isCancelled: { cancellation.isCancelled })
        guard var run else { return .nothing(request: request, reason: nil) }
        if request != nil {
          run.decideClaims(
            in: text, about: rules, deployed: deployed, profile: profile, at: place,
            within: { Self.budget(seconds, cancellation) },
            isCancelled: { cancellation.isCancelled })
        }
        runs.suites.append((text, run))
      }
      return cancellation.isCancelled
        ? .nothing(request: request, reason: nil) : .tests(runs, request: request)
    }
  }

  /// Returns the decision on a claim that an editor has stated.
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
