import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A generated request with its decision: a base request, or a variant of it.
struct PooledRequest {
  /// The index of the base request.
  let base: Int
  /// The difference from the base request; nil for the base itself.
  let variation: Variation?
  /// The variant as loaded in the evaluator that decided it; nil if it must be loaded again.
  var variant: Variant?
  /// True if the rules allow it.
  let isAllowed: Bool
  /// True if a condition that was evaluated ended in an error.
  let fails: Bool
  /// The number of requests of the kind generated before it.
  let number: Int
}

/// A request that was generated in whole.
final class BaseRequest {
  /// The request.
  let candidate: CandidateRequest
  /// The index of its path in the pool.
  let path: Int
  /// The request in plain form, in which each version of the rules decides it; nil for a query or a
  /// commit with other writes.
  private(set) lazy var plain = candidate.plain
  /// The documents stored before the request.
  private(set) lazy var documents = candidate.documents

  fileprivate init(_ candidate: CandidateRequest, path: Int) {
    self.candidate = candidate
    self.path = path
  }
}

/// A pool of generated requests of one kind, decided by one rules file. Not thread-safe.
///
/// Some requests are made from scratch, some are neighbours of a base request, usually a granted one.
/// Most are variants with one mutation, since conclusions fail at the boundary between granted and
/// denied: each client, claim and field in turn is removed, replaced by a near value, or by one of
/// another type. The sequence is the same in each run; callers determine only its length.
final class RequestPool {
  /// The kind of request.
  let scenario: Scenario
  /// The mutation table.
  let table: MutationTable
  /// The number of pools made before.
  let number: Int
  /// The base requests.
  @exclusivity(unchecked) private(set) var bases: [BaseRequest] = []
  /// The paths of the base requests.
  @exclusivity(unchecked) private(set) var paths: [DocumentPath] = []
  /// The decided requests, without those that could not be decided.
  @exclusivity(unchecked) private(set) var requests: [PooledRequest] = []

  /// The number of requests generated.
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var picker: VariationPicker
  @exclusivity(unchecked) private var maker: RequestGenerator
  /// The number of requests made from scratch.
  @exclusivity(unchecked) private var fresh = 0
  /// The indices of granted base requests.
  @exclusivity(unchecked) private var granted: [Int] = []

  /// Creates an empty pool.
  init(for scenario: Scenario, from table: MutationTable, number: Int) {
    self.scenario = scenario
    self.table = table
    self.number = number
    picker = VariationPicker(for: scenario.method, from: table)
    maker = RequestGenerator(scenario, of: table.seeds, seed: 1)
  }

  /// Returns a request of the pool.
  func candidate(of request: PooledRequest) -> CandidateRequest {
    let base = bases[request.base].candidate
    return request.variation.map { base.varied(by: $0, from: table) } ?? base
  }

  /// Returns the indices of the first `wanted` requests, generating and deciding them as needed.
  /// Independent of earlier calls. Fewer if they could not be decided or the time is over.
  func first(_ wanted: Int, by evaluator: AttackEvaluator, within budget: Budget? = nil) -> Range<
    Int
  > {
    while count < wanted {
      if budget?.lateness != nil { break }
      addNext(on: evaluator)
      count += 1
    }
    if count <= wanted { return requests.indices }
    return 0..<(requests.firstIndex { $0.number >= wanted } ?? requests.count)
  }

  /// Adds requests and `countOfEach` variants of each.
  func vary(_ candidates: [CandidateRequest], times countOfEach: Int, by evaluator: AttackEvaluator)
  {
    for candidate in candidates {
      add(candidate, on: evaluator)
      guard !bases.isEmpty else { continue }
      for _ in 0..<countOfEach {
        if let variation = picker.variation(of: bases[bases.count - 1]) {
          add(variation, of: bases.count - 1, on: evaluator)
        }
        count += 1
      }
    }
  }

  private func addNext(on evaluator: AttackEvaluator) {
    let turn = count % Strategy.samples
    if turn > 0, let start = picker.start(among: bases.count, granted) {
      if turn == Strategy.samples / 2 {
        return add(maker.neighbour(of: bases[start].candidate), on: evaluator)
      }
      if let variation = picker.variation(of: bases[start]) {
        return add(variation, of: start, on: evaluator)
      }
    }
    add(maker.candidate(fresh), on: evaluator)
    fresh += 1
  }

  private func add(_ variation: Variation, of base: Int, on evaluator: AttackEvaluator) {
    guard let (ruling, variant) = evaluator.ruling(on: base, variation, of: self),
      ruling.isAboutDocument
    else { return }
    requests.append(
      PooledRequest(
        base: base, variation: variation, variant: variant, isAllowed: ruling.isAllowed,
        fails: ruling.fails, number: count))
  }

  // MARK: Requests

  /// Adds a base request with the documents that it looks up, if possible.
  private func add(_ candidate: CandidateRequest, on evaluator: AttackEvaluator) {
    guard candidate.impossibility == nil, var made = decided(candidate, on: evaluator) else {
      return
    }
    var candidate = candidate
    for _ in 0..<Compiler.greatestLookups {
      let wanted = made.lookedUp.filter { path in
        path != candidate.path && !candidate.others.contains { $0.path == path }
      }
      if wanted.isEmpty { break }
      for path in wanted { candidate.others.append(maker.other(path)) }
      guard candidate.impossibility == nil, let more = decided(candidate, on: evaluator) else {
        break
      }
      made = more
    }
    let ruling = made.ruling
    requests.append(
      PooledRequest(
        base: bases.count, variation: nil, variant: nil, isAllowed: ruling.isAllowed,
        fails: ruling.fails,
        number: count))
    if ruling.isAllowed { granted.append(bases.count) }
    evaluator.keep(made.target, pool: number, base: bases.count)
    bases.append(made.base)
  }

  /// Decides a request; nil if it is not of the intended kind or cannot be decided.
  private func decided(
    _ candidate: CandidateRequest, on evaluator: AttackEvaluator
  ) -> (
    base: BaseRequest, target: VariantRequest, ruling: VariantDecision, lookedUp: [DocumentPath]
  )? {
    guard candidate.isReturned else { return nil }
    let path = place(of: candidate.path)
    guard let told = evaluator.ruling(on: candidate, at: path, of: self),
      told.ruling.isAboutDocument
    else { return nil }
    return (BaseRequest(candidate, path: path), told.target, told.ruling, told.lookedUp)
  }

  private func place(of path: DocumentPath) -> Int {
    if let known = paths.firstIndex(of: path) { return known }
    paths.append(path)
    return paths.count - 1
  }
}

extension CandidateRequest {
  /// True if a query returns the document; true for other requests.
  fileprivate var isReturned: Bool {
    guard method == .list, case .list(let query) = request.operation else { return true }
    return before.map { query.returns(path, with: $0, in: database) } ?? false
  }
}
