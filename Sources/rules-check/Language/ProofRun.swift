import RulesHost
import RulesLang
import RulesService
import RulesSolver
import Synchronization

/// The place in a text where the user is, for work on other threads.
final class ProofFocus: Sendable {
  private let place = Atomic(0)

  /// The offset.
  var offset: UInt32 {
    get { UInt32(place.load(ordering: .relaxed)) }
    set { place.store(Int(newValue), ordering: .relaxed) }
  }
}

extension ProofShelf {
  /// Creates an empty memory for any number of threads.
  static func shared() -> ProofShelf {
    let memory = SharedMemory()
    return ProofShelf(
      recall: { key in memory.content.withLock { $0.answer(to: key) } },
      keep: { answer, key in memory.content.withLock { $0.keep(answer, to: key) } })
  }

  private final class SharedMemory: Sendable {
    let content = Mutex(ProofMemory())
  }
}

/// The proofs about one text: block by block on all processors, from the place where the user is outwards.
struct ProofRun: Sendable {
  /// The rules.
  let rules: Checked
  /// The settings.
  let settings: AnalysisSettings
  /// Maximum seconds.
  let seconds: Double
  /// The flag that ends the proofs.
  let cancellation: Cancellation
  /// Takes the facts so far.
  let report: LanguageWork.Reporter

  /// Minimum nanoseconds between two reports.
  private static var interval: UInt64 { 250_000_000 }
  /// Minimum time between two reports, in times of what a report takes: it runs the lints of the whole text.
  private static var pause: UInt64 { 10 }

  /// Nanoseconds after which the editor should show progress.
  private static var patience: UInt64 { 500_000_000 }

  private typealias Piece = (unit: Int, outcome: BlockProver.Outcome)

  /// The facts so far, and when they are reported next.
  private struct Total {
    var proofs: BlockProofs
    var nextReport: UInt64 = 0
  }

  private var source: SourceText { rules.ruleset.source }

  /// Proves all blocks.
  func run(from offset: UInt32, shelf: ProofShelf) -> LanguageResult {
    let start = Clock.nanoseconds
    let end = start + UInt64(seconds * 1e9)
    let budget: @Sendable () -> Budget = { [cancellation, seconds] in
      Budget.whole(
        steps: Budget.questionSteps * Budget.questionsInAll,
        deadline: Budget.Deadline(seconds: seconds) {
          cancellation.isCancelled || Clock.nanoseconds > end
        })
    }
    guard let prover = BlockProver(rules, settings: settings, shelf: shelf) else {
      return together(within: budget)
    }
    var proofs = prove(prover, from: offset, since: start, within: budget)
    if cancellation.isCancelled { return .nothing(request: nil, reason: nil) }
    if proofs.isInseparable { return together(within: budget) }
    var count = ProofCount(done: proofs.done, all: prover.count)
    if count.done < count.all || !proofs.finish(within: budget) {
      count.stopped = seconds
      return proved(proofs.findings, count)
    }
    var findings = proofs.findings
    findings.isPartial = true
    count.isLong = Clock.nanoseconds - start > Self.patience
    report(.proofs(source, findings, count))
    findings.isPartial = false
    _ = proofs.addRemovals(to: &findings, within: budget)
    return proved(findings, count)
  }

  private func proved(_ findings: DeepFindings, _ count: ProofCount) -> LanguageResult {
    cancellation.isCancelled
      ? .nothing(request: nil, reason: nil) : .proofs(source, findings, count)
  }

  /// Proves the blocks of a text that cannot be taken apart.
  private func together(within budget: @escaping () -> Budget) -> LanguageResult {
    let findings = DeepAnalysis(rules, settings: settings).run(
      within: budget, isCancelled: { cancellation.isCancelled })
    return findings.map { .proofs(source, $0, ProofCount(done: 1, all: 1)) }
      ?? .nothing(request: nil, reason: nil)
  }

  private func prove(
    _ prover: BlockProver, from offset: UInt32, since start: UInt64,
    within budget: @escaping @Sendable () -> Budget
  ) -> BlockProofs {
    var pool = WorkPool<Piece, Void, Total>(Total(proofs: BlockProofs(prover)), keeping: {}) {
      [self] total, piece in
      total.proofs.add(piece.outcome, of: piece.unit)
      let now = Clock.nanoseconds
      guard now >= total.nextReport, !cancellation.isCancelled, total.proofs.done < prover.count
      else { return }
      var findings = total.proofs.findings
      findings.isPartial = true
      var count = ProofCount(done: total.proofs.done, all: prover.count)
      count.isLong = now - start > Self.patience
      report(.proofs(source, findings, count))
      let end = Clock.nanoseconds
      total.nextReport = end + max(Self.interval, (end - now) * Self.pause)
    }
    let works = prover.order(around: offset).map { unit -> [@Sendable (inout Void) -> Piece] in
      [{ _ in (unit, prover.prove(unit, within: budget)) }]
    }
    pool.add(works, helpers: Processors.available - 1)
    pool.finish()
    return pool.withTotal { $0.proofs }
  }
}
