import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Turns the end of a search into values: a request. Classes of terms get values that are different
// where they must be, as plain as possible, and known to people where there is a custom: alice owns
// the document, mallory is somebody else.
//
// What the search did not assert gets a default: a key that nobody asked for is missing, a type that
// nobody asked for is a string. Terms that apply a function get what the evaluator computes.

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
  /// The values of keys that nobody names, by the field whose map they are in.
  var otherValues: [[Text]: Text] = [:]
  /// How many such values there are.
  var otherCount = 0
  let shifted: [Domain: [Int32: Int128]]
  /// The predicates that hold, by operator and arguments.
  private(set) var facts: [TermID] = []
  var isTrue: Set<TermID> = []
  var isFalse: Set<TermID> = []
  /// The free yeses and nos that are yes.
  private var flags: Set<RequestFlag> = []
  /// What was asserted of predicates, by the classes of their arguments.
  private var truths: [Fact: Bool] = [:]
  /// The terms that values are made from.
  private(set) var index = TermIndex()
  /// The terms of documents.
  private(set) var documentTerms: [(term: TermID, snapshot: Snapshot, segments: [TermID])] = []
  /// What lookups find whose paths are values of terms.
  let unknownDocuments: [UnknownDocument]
  /// Lists all whose elements are to be in another one; none in a program for a page.
  private(set) var inclusions: [(part: TermID, whole: TermID)] = []

  /// A predicate of classes.
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

  /// Reads the state of a search that found a model.
  init(of search: SearchEnd, for compiler: Compiler) {
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
          // Of two that contradict each other the one that holds is taken.
          if truths[fact] == nil { truths[fact] = false }
        }
      }
      if case .variable(.flag(let flag)) = terms[term], theory.constant(of: term) == terms.yes {
        flags.insert(flag)
      }
      if case .apply(.document(let snapshot), let segments) = terms[term] {
        documentTerms.append((term, snapshot, segments))
      }
      #if !hasFeature(Embedded)
        if case .apply(.builtin(let builtin), let lists) = terms[term],
          let inclusion = builtin.inclusion(of: lists), theory.constant(of: term) == terms.yes
        {
          inclusions.append(inclusion)
        }
      #endif
      index.add(term, of: terms, isDecided: truth != nil)
    }
  }

  /// Whether a predicate was asserted.
  func holds(_ op: Operator, of arguments: [TermID]) -> Bool {
    truth(of: op, arguments) == true
  }

  /// What was asserted of a predicate; nil if nothing was.
  func truth(of op: Operator, _ arguments: [TermID]) -> Bool? {
    truths[Fact(op, arguments, in: theory)]
  }

  /// Whether a free yes or no was asserted.
  func flag(_ flag: RequestFlag) -> Bool { flags.contains(flag) }

  func isSame(_ one: TermID, _ other: TermID) -> Bool {
    theory.leader(of: one) == theory.leader(of: other)
  }

  /// The value of a term.
  func value(of term: TermID) -> Value {
    // A constant of which nothing was asked takes no part in the search.
    if let value = terms.value(of: term) { return value }
    let leader = theory.leader(of: term).raw
    if let known = values[leader] { return known }
    if let constant = theory.constant(of: term), let value = terms.value(of: constant) {
      values[leader] = value
      return value
    }
    // A class inside itself cannot come out of the theories; this only stops a runaway.
    guard open.insert(leader).inserted else { return .null }
    defer { open.remove(leader) }
    if let budget = theory.budget {
      budget.charge(100 + 8 * facts.count + terms.count / 4)
      // What comes of a model is decided by the evaluator; this one is not worth finishing.
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
    // Rather a text that is not used yet; but if there is no such, one that may be used twice.
    for excluded in [takenTexts(), forbidden] {
      if let words = Words(
        demand.patterns, lower: demand.lower, upper: demand.upper, gaps: demand.gaps,
        table: theory.patterns, budget: theory.budget),
        case .found(let texts) = words.shortest(1, excluding: excluded), let text = texts.first
      {
        return text
      }
    }
    return plain
  }

  /// The known values that a class was asserted to differ from.
  func others(than members: [TermID]) -> [Value] {
    members.flatMap { member in
      theory.differences[member.index].compactMap { known($0.other) }
    }
  }

  /// Texts from which a function that is applied to the class may make what was asserted of it.
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

  /// The texts that are the value of something already.
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

  /// A name that people know, or a numbered one.
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
  /// The value with a number of steps in a domain.
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

  /// The value so many steps further; nil if that is out of range.
  func shifted(by steps: Int64, _ domain: Domain) -> Value? {
    guard let count = count(in: domain) else { return nil }
    let sum = count + Int128(steps)
    return sum >= domain.range.least && sum <= domain.range.greatest
      ? Value.of(sum, in: domain) : nil
  }
}

extension Int128 {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int128) -> Int128 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
