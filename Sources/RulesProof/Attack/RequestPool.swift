import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A request of an attack, with what rules say to it: one of the requests that were made, or one that
/// differs from it in one thing.
struct PooledRequest {
  /// The request, by its place among those that were made.
  let base: Int
  /// In what this request differs from it.
  let variation: Variation?
  /// The request as it lies in the evaluator that decided it, unless it has to be made anew.
  var variant: Variant?
  /// Whether the rules allow it.
  let isAllowed: Bool
  /// Whether a condition that was tried ended in an error.
  let fails: Bool
  /// How many requests of the kind were made before it.
  let number: Int
}

/// A request that was made in whole.
final class BaseRequest {
  /// The request in parts.
  let draft: Draft
  /// Which of the paths of the pool it has.
  let path: Int
  /// The request, if it is one for its document alone: each version of the rules is asked about it.
  private(set) lazy var plain = draft.plain
  /// What is stored before it.
  private(set) lazy var documents = draft.documents

  fileprivate init(_ draft: Draft, path: Int) {
    self.draft = draft
    self.path = path
  }
}

/// A pool of requests of one kind, made for an attack and decided by one rules file; for one thread.
///
/// Some are made from scratch, some are neighbours of one that the rules grant; most are those with one
/// thing changed, since conclusions are wrong where granted and refused meet: each client, claim and
/// field in turn is missing, nearly what the rules compare it with, or of another type. Which they are
/// depends on nothing but a seed; how many, on who asks.
final class RequestPool {
  /// The kind of request.
  let scenario: Scenario
  /// What they can differ in.
  let table: ChoiceTable
  /// How many pools were prepared before.
  let number: Int
  /// The requests that were made in whole.
  @exclusivity(unchecked) private(set) var bases: [BaseRequest] = []
  /// The paths that they have.
  @exclusivity(unchecked) private(set) var paths: [DocumentPath] = []
  /// The requests; some could not be decided and are left out.
  @exclusivity(unchecked) private(set) var requests: [PooledRequest] = []

  /// How many requests were tried.
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var picker: VariationPicker
  @exclusivity(unchecked) private var maker: DraftMaker
  /// How many requests were made from scratch.
  @exclusivity(unchecked) private var fresh = 0
  /// Which bases are granted.
  @exclusivity(unchecked) private var granted: [Int] = []

  /// So many requests from scratch come first.
  private static let firstCount = 4
  /// Of so many after that one is from scratch and one a neighbour.
  private static let rhythm = 20
  /// The same of queries whose filters decide: these follow their documents.
  private static let rhythmOfQueries = 8
  /// The same of what is made beyond the first few hundreds, when there is time for whole requests.
  private static let lateRhythm = 4
  /// So many requests are made between two looks at the clock.
  static let pace = 8
  /// Documents that are looked up in documents that are looked up, and so on.
  private static let lookupRounds = 2
  /// More documents are not made up for one request.
  private static let greatestOthers = 6

  /// Prepares to make requests.
  init(for scenario: Scenario, from table: ChoiceTable, number: Int) {
    self.scenario = scenario
    self.table = table
    self.number = number
    picker = VariationPicker(for: scenario.method, from: table)
    maker = DraftMaker(scenario, of: table.material, seed: 1)
  }

  /// A request of the pool in parts.
  func draft(of request: PooledRequest) -> Draft {
    let base = bases[request.base].draft
    return request.variation.map { base.varied(by: $0, from: table) } ?? base
  }

  /// Where the requests are that come first, so many less those that are left out; they are made and
  /// decided if they are not yet. Which they are does not depend on how many somebody else wanted. There
  /// are fewer when the time is over.
  func first(_ wanted: Int, by evaluator: AttackEvaluator, within budget: Budget? = nil) -> Range<
    Int
  > {
    while count < wanted {
      if count.isMultiple(of: Self.pace), budget?.lateness != nil { break }
      addNext(on: evaluator)
      count += 1
    }
    if count <= wanted { return requests.indices }
    return 0..<(requests.firstIndex { $0.number >= wanted } ?? requests.count)
  }

  /// The variants of some requests alone, made and decided, so many of each.
  func vary(_ drafts: [Draft], times countOfEach: Int, by evaluator: AttackEvaluator) {
    for draft in drafts {
      add(draft, on: evaluator)
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
    let hasPromises = scenario.method == .list && scenario.access != .namedQuery
    let early = hasPromises ? Self.rhythmOfQueries : Self.rhythm
    let rhythm = count < Scrutiny.questionRequests ? early : Self.lateRhythm
    let turn = count < Self.firstCount ? 0 : (count - Self.firstCount) % rhythm
    if turn > 0, let start = picker.start(among: bases.count, granted) {
      if turn == rhythm / 2 { return add(maker.neighbour(of: bases[start].draft), on: evaluator) }
      if let variation = picker.variation(of: bases[start]) {
        return add(variation, of: start, on: evaluator)
      }
    }
    add(maker.draft(fresh), on: evaluator)
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

  /// Takes a request in, if there can be one like it.
  private func add(_ draft: Draft, on evaluator: AttackEvaluator) {
    guard draft.impossibility == nil, var made = decided(draft, on: evaluator) else { return }
    var draft = draft
    for _ in 0..<Self.lookupRounds {
      let wanted = made.lookedUp.filter { path in
        path != draft.path && !draft.others.contains { $0.path == path }
      }
      if wanted.isEmpty { break }
      for path in wanted.prefix(Self.greatestOthers) { draft.others.append(maker.other(path)) }
      guard draft.impossibility == nil, let more = decided(draft, on: evaluator) else { break }
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

  /// Has a request decided; nil if it is not of the kind that it was made for.
  private func decided(
    _ draft: Draft, on evaluator: AttackEvaluator
  ) -> (base: BaseRequest, target: RehearsedRequest, ruling: Ruling, lookedUp: [DocumentPath])? {
    guard draft.isReturned else { return nil }
    let path = place(of: draft.path)
    guard let told = evaluator.ruling(on: draft, at: path, of: self), told.ruling.isAboutDocument
    else { return nil }
    return (BaseRequest(draft, path: path), told.target, told.ruling, told.lookedUp)
  }

  private func place(of path: DocumentPath) -> Int {
    if let known = paths.firstIndex(of: path) { return known }
    paths.append(path)
    return paths.count - 1
  }
}

extension Draft {
  /// Whether a query returns the document; true of other requests.
  fileprivate var isReturned: Bool {
    guard method == .list, case .list(let query) = request.operation else { return true }
    return before.map { query.returns(path, with: $0, in: database) } ?? false
  }
}
