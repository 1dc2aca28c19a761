import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Model construction: turns the final state of a search into a request. Classes of terms get distinct
// values where required, as simple as possible, with conventional names: alice owns the document,
// mallory is somebody else.
//
// Unasserted facts get defaults: a key is missing, a value of open type is a string. Applications of
// functions get the evaluator's result.
//
// Neither sound nor complete: a request may not be what the search found. The evaluator confirms it, so
// a mistake here costs a counterexample, never a wrong one.

/// Builds values from the state of the theories.
final class Model {
  let theory: Theory
  let terms: TermTable
  let scene: ScenarioTerms
  /// The database of the rules.
  let database: DatabaseName
  var values: [Int32: Value] = [:]
  var open: Set<Int32> = []
  var used: Set<ConstantKey> = []
  var counter = 0
  /// The values of unnamed keys, by the path of the map.
  var otherValues: [[Text]: Text] = [:]
  /// The number of such values.
  var otherCount = 0
  let shifted: [Domain: [Int32: Int128]]
  /// The predicates asserted true.
  private(set) var facts: [TermID] = []
  var isTrue: Set<TermID> = []
  var isFalse: Set<TermID> = []
  /// The free bools asserted true.
  private var flags: Set<RequestFlag> = []
  /// The asserted truth of predicates, modulo the classes of their arguments.
  private var truths: [Fact: Bool] = [:]
  /// An index of the terms that values are made from.
  private(set) var index = TermIndex()
  /// The terms of documents.
  private(set) var documentTerms: [(term: TermID, snapshot: Snapshot, segments: [TermID])] = []
  /// The results of lookups with computed paths.
  let unknownDocuments: [UnknownDocument]
  /// The lists all of whose elements must be in another list.
  private(set) var inclusions: [(part: TermID, whole: TermID)] = []

  /// A predicate modulo the classes of its arguments.
  private struct Fact: Hashable {
    let op: Operator
    let arguments: [TermID]

    init(_ op: Operator, _ arguments: [TermID], in theory: Theory) {
      self.op = op
      // A closure would copy the theory for each fact.
      var leaders: [TermID] = []
      for argument in arguments { leaders.append(theory.leader(of: argument)) }
      self.arguments = leaders
    }
  }

  /// Reads the state of a satisfiable search.
  init(of search: SearchResult, for compiler: Compiler) {
    theory = search.theory
    let terms = theory.terms
    self.terms = terms
    theory.budget?.charge(8 * terms.count)
    scene = compiler.scene
    database = compiler.rules.database
    unknownDocuments = compiler.unknownDocuments
    var shifted: [Domain: [Int32: Int128]] = [:]
    for domain in [Domain.int, .timestamp, .duration] {
      shifted[domain] = theory.differenceModel(in: domain)
    }
    self.shifted = shifted
    for place in 0..<terms.count {
      let term = TermID(place)
      var truth: Bool?
      if case .apply(let op, let arguments) = terms[term], op.isPredicate {
        let fact = Fact(op, arguments, in: theory)
        if theory.constant(of: term) == terms.yes {
          facts.append(term)
          isTrue.insert(term)
          truth = true
          truths[fact] = true
        } else if theory.constant(of: term) == terms.no {
          isFalse.insert(term)
          truth = false
          // The true one of two contradicting assertions wins.
          if truths[fact] == nil { truths[fact] = false }
        }
      }
      if case .variable(.flag(let flag)) = terms[term], theory.constant(of: term) == terms.yes {
        flags.insert(flag)
      }
      if case .apply(.document(let snapshot), let segments) = terms[term] {
        documentTerms.append((term, snapshot, segments))
      }
      if case .apply(.builtin(let builtin), let lists) = terms[term],
        let inclusion = builtin.inclusion(of: lists), theory.constant(of: term) == terms.yes
      {
        inclusions.append(inclusion)
      }
      index.add(term, of: terms, isDecided: truth != nil)
    }
  }

  /// True if a predicate was asserted true.
  func holds(_ op: Operator, of arguments: [TermID]) -> Bool {
    truth(of: op, arguments) == true
  }

  /// Returns the asserted truth of a predicate; nil if open.
  func truth(of op: Operator, _ arguments: [TermID]) -> Bool? {
    truths[Fact(op, arguments, in: theory)]
  }

  /// True if a free bool was asserted true.
  func flag(_ flag: RequestFlag) -> Bool { flags.contains(flag) }

  func isSame(_ one: TermID, _ other: TermID) -> Bool {
    theory.leader(of: one) == theory.leader(of: other)
  }

  /// Returns the value of a term.
  func value(of term: TermID) -> Value {
    // Unused constants take no part in the search.
    if let value = terms.value(of: term) { return value }
    let leader = theory.leader(of: term).raw
    if let known = values[leader] { return known }
    if let constant = theory.constant(of: term), let value = terms.value(of: constant) {
      values[leader] = value
      return value
    }
    // The theories exclude containment cycles; this only guards against infinite recursion.
    guard open.insert(leader).inserted else { return .null }
    defer { open.remove(leader) }
    if let budget = theory.budget {
      budget.charge(100 + 8 * facts.count + terms.count / 4)
      // The budget is spent: an incomplete model is harmless, since the evaluator checks the
      // request.
      if budget.isSpent { return .null }
    }
    let members = theory.members(of: leader)
    let value =
      computed(members) ?? related(members) ?? listed(
        for: members, of: theory.classTypes[Int(leader)])
      ?? fresh(for: leader, members: members)
    values[leader] = value
    used.insert(ConstantKey(of: value))
    return value
  }

  // MARK: Fresh values

  static let preference: [ValueType] = [
    .string, .int, .map, .list, .bool, .null, .timestamp, .float, .duration, .latlng, .bytes, .path,
    .vector, .set, .mapDiff, .constraint,
  ]

  func fresh(for leader: Int32, members: [TermID]) -> Value {
    let types = theory.classTypes[Int(leader)]
    let isContainer = facts.contains { fact in
      guard case .apply(let op, let arguments) = terms[fact], op == .has || op == .unnamedKey
      else { return false }
      return theory.leader(of: arguments[0]).raw == leader
    }
    let type =
      isContainer && types.contains(.map)
      ? ValueType.map : Self.preference.first { types.contains($0) } ?? .null
    switch type {
    case .string: return .string(text(for: leader, members: members))
    case .int: return .int(Int64(clamping: count(for: leader, in: .int, members: members)))
    case .timestamp:
      return Value.of(count(for: leader, in: .timestamp, members: members), in: .timestamp)
    case .duration:
      return Value.of(count(for: leader, in: .duration, members: members), in: .duration)
    case .float: return .float(float(members))
    case .map: return .map(map(leader))
    case .list: return .list(list(for: leader, members: members))
    case .bool: return .bool(true)
    case .null: return .null
    case .latlng: return .latlng(LatLng(latitude: Double(next() % 90), longitude: 0))
    case .bytes: return .bytes(bytes(for: leader, members: members))
    case .path:
      return .path(DocumentPath([Text("other"), Text("d\(next())")]).value(in: database))
    case .vector: return .vector([Double(next())])
    case .set: return .list([])
    case .mapDiff, .constraint: return .null
    }
  }

  func next() -> Int {
    counter += 1
    return counter
  }

  // MARK: Texts

  func text(for leader: Int32, members: [TermID]) -> Text {
    let demand = demand(on: leader)
    var forbidden: Set<Text> = []
    for value in others(than: members) {
      if case .string(let text) = value { forbidden.insert(text) }
    }
    for hint in hints(members) where fits(hint, demand: demand) && !forbidden.contains(hint) {
      return hint
    }
    if let text = splitText(of: members, demand: demand, except: forbidden) { return text }
    guard
      !demand.patterns.isEmpty || demand.upper != nil || demand.lower > 0 || !demand.gaps.isEmpty
    else {
      return plainText(members)
    }
    let plain = plainText(members)
    if fits(plain, demand: demand) { return plain }
    // Prefers an unused string, but accepts one that is used already.
    for excluded in [takenTexts(), forbidden] {
      if let words = RegexSolver(
        demand.patterns, lower: demand.lower, upper: demand.upper, gaps: demand.gaps,
        table: theory.patterns, budget: theory.budget),
        case .found(let texts) = words.shortest(1, excluding: excluded), let text = texts.first
      {
        return text
      }
    }
    return plain
  }

  /// Returns the known values that a class must differ from.
  func others(than members: [TermID]) -> [Value] {
    members.flatMap { member in
      theory.differences[member.index].compactMap { known($0.other) }
    }
  }

  /// Returns candidates to which functions may be applied with the asserted result.
  private func hints(_ members: [TermID]) -> [Text] {
    var hints: [Text] = []
    for term in members.flatMap({ index.builtins[$0] ?? [] }).sorted() {
      guard case .string(let text) = known(term) else { continue }
      hints.append(text)
      for other in [Builtin.stringUpper, .stringLower] {
        if case .string(let variant) = Facts.value(of: .builtin(other), [.string(text)]) {
          hints.append(variant)
        }
      }
    }
    return hints + orderHints(members)
  }

  func fits(_ text: Text, demand: Theory.TextDemand) -> Bool {
    let size = text.unitCount
    return size >= demand.lower && size <= demand.upper ?? .max && !demand.gaps.contains(size)
      && demand.patterns.allSatisfy {
        theory.patterns.matches($0.pattern, text: text) == $0.matches
      }
  }

  /// Returns the strings that are values already.
  private func takenTexts() -> Set<Text> {
    var taken = index.texts
    for value in values.values { if case .string(let text) = value { taken.insert(text) } }
    return taken
  }

  private func isTaken(_ text: Text) -> Bool {
    index.texts.contains(text)
      || values.values.contains { value in
        if case .string(text) = value { true } else { false }
      }
  }

  /// Returns a conventional name, or a numbered one.
  func plainText(_ members: [TermID]) -> Text {
    var candidates: [Text] = []
    let isDocument = members.contains { $0 == scene.segments.last }
    if isDocument { candidates.append("alice") }
    if members.contains(scene.uid) { candidates += isDocument ? [] : ["mallory", "alice"] }
    for candidate in candidates where !isTaken(candidate) { return candidate }
    while true {
      let text = Text("s\(next())")
      if !isTaken(text) { return text }
    }
  }
}

extension Value {
  /// Returns the value of `count` steps of a domain.
  static func of(_ count: Int128, in domain: Domain) -> Value {
    let seconds = Int64(clamping: count.floored(by: 1_000_000_000))
    let nanos = Int64(count - Int128(seconds) * 1_000_000_000)
    switch domain {
    case .int: return .int(Int64(clamping: count))
    case .timestamp:
      return .timestamp(Timestamp(epochSeconds: seconds, nanos: nanos) ?? .epoch)
    case .duration: return .duration(Duration(seconds: seconds, nanos: nanos) ?? .zero)
    }
  }

  /// Returns the value `steps` further; nil if out of range.
  func shifted(by steps: Int64, _ domain: Domain) -> Value? {
    guard let count = count(in: domain) else { return nil }
    let sum = count + Int128(steps)
    return sum >= domain.range.least && sum <= domain.range.greatest
      ? Value.of(sum, in: domain) : nil
  }
}

extension Int128 {
  /// Returns the quotient, rounded down.
  fileprivate func floored(by divisor: Int128) -> Int128 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
