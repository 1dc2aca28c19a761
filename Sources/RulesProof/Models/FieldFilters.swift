import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Filters on one field that find its value in a document and imply what a model says of the field's
/// constraint, and, as far as there are such, nothing that it denies.
struct FieldFilters {
  /// Something that was asked of a constraint: a comparison seen from the field, where `in` says that one
  /// of some values is in it.
  struct Question {
    var op: BinaryOperator
    var values: [Value]

    /// Whether it is that the field is not a value.
    fileprivate var excludes: Bool { op == .notEqual }
    /// Whether nearly every filter implies it.
    fileprivate var isLeast: Bool { excludes && values.allSatisfy { $0.isNullOrNaN } }
  }

  /// The field.
  let field: FieldPath
  /// Its value in the document; nil if there is none.
  let own: Value?
  /// What is implied according to the model.
  let implied: [Question]
  /// What is not.
  let denied: [Question]
  /// Whether the constraint differs from itself; nil if that is open.
  let isOdd: Bool?
  /// The filters so far.
  private(set) var filters: [FieldFilter] = []

  /// Chooses filters for what is implied.
  init(
    _ field: FieldPath, own: Value?, implied: [Question], denied: [Question], isOdd: Bool?
  ) {
    (self.field, self.own, self.isOdd) = (field, own, isOdd)
    (self.implied, self.denied) = (implied, denied)
    // What excludes a value says least, and is often said by the others.
    for isExcluded in [false, true] {
      for question in implied where question.excludes == isExcluded && !question.isLeast {
        answer(question, from: candidates(for: question))
      }
    }
    if isOdd == true { filters.append(FieldFilter(.notEqual, value: .float(.nan))) }
    excludeTogether()
  }

  /// Adds a filter that implies something, unless one does already.
  private mutating func answer(_ question: Question, from candidates: [FieldFilter]) {
    if filters.contains(where: { Self.implies($0, question: question) }) { return }
    if let filter = choice(from: candidates, { Self.implies($0, question: question) }) {
      filters.append(filter)
    }
  }

  /// Whether one of them excludes values.
  var excludes: Bool {
    filters.contains { $0.comparison == .notEqual || $0.comparison == .notIn }
  }

  /// The filters with those for which a plain one will do: for what nearly every filter implies, and for
  /// the field to be no plain value.
  func completed(mayExclude: Bool) -> [FieldFilter] {
    var whole = self
    let fillers = Self.fillers(own).filter { mayExclude || $0.comparison != .notEqual }
    for question in implied where question.isLeast { whole.answer(question, from: fillers) }
    if whole.filters.count < 2, whole.filters.allSatisfy({ $0.comparison == .equal }) {
      whole.filters.append(
        choice(from: fillers) { _ in true } ?? FieldFilter(.notEqual, value: .null))
    }
    return whole.filters
  }

  /// Several values are excluded by one filter.
  private mutating func excludeTogether() {
    let excluded = filters.filter { $0.comparison == .notEqual }.map { $0.value }
    let named = excluded.filter { !$0.isNullOrNaN }
    if excluded.count < 2 || named.isEmpty { return }
    filters.removeAll { $0.comparison == .notEqual }
    filters.append(
      named.count == 1
        ? FieldFilter(.notEqual, value: named[0]) : FieldFilter(.notIn, value: .list(named)))
  }

  // MARK: Choosing

  /// The first filter that finds the field's value and that the model does not deny; if there is none,
  /// the first that at least does what is wanted.
  private func choice(
    from candidates: [FieldFilter], _ isWanted: (FieldFilter) -> Bool
  ) -> FieldFilter? {
    let found = candidates.filter { filter in isWanted(filter) && own.map(filter.finds) ?? true }
    return found.first { filter in
      !denied.contains { Self.implies(filter, question: $0) }
        && (isOdd != false || filter.value.isEven)
    } ?? found.first ?? candidates.first
  }

  private static func implies(_ filter: FieldFilter, question: Question) -> Bool {
    question.values.contains { filter.implies(question.op, value: $0) }
  }

  private static let comparisons: [Query.Comparison] = [
    .equal, .notEqual, .greater, .greaterEqual, .less, .lessEqual, .arrayContains,
  ]

  /// Filters that may imply something: for the value that was asked for, or for one like it.
  private func candidates(for question: Question) -> [FieldFilter] {
    let plain = Self.filter(question.op)
    var found = question.values.map { FieldFilter(plain, value: $0) }
    let values = question.values + [own].compactMap { $0 }
    for value in values + values.flatMap({ $0.alike }) {
      for comparison in Self.comparisons { found.append(FieldFilter(comparison, value: value)) }
    }
    return found
  }

  private static func filter(_ op: BinaryOperator) -> Query.Comparison {
    switch op {
    case .equal: .equal
    case .less: .less
    case .lessEqual: .lessEqual
    case .greater: .greater
    case .greaterEqual: .greaterEqual
    case .in: .arrayContains
    case .notEqual, .or, .and, .add, .subtract, .multiply, .divide, .remainder: .notEqual
    }
  }

  /// Filters that say next to nothing about a value.
  private static func fillers(_ own: Value?) -> [FieldFilter] {
    let least: Value? =
      switch own {
      case .int, .float: .float(-.infinity)
      case .string: .string(Text())
      case .bytes: .bytes([])
      case .timestamp: .timestamp(.earliest)
      default: nil
      }
    return [FieldFilter(.notEqual, value: .null), FieldFilter(.notEqual, value: .float(.nan))]
      + [least, own].compactMap { $0 }.map { FieldFilter(.greaterEqual, value: $0) }
  }
}

extension Value {
  /// Values that filters or the language take for this one, or nearly so.
  fileprivate var alike: [Value] {
    switch self {
    case .int(let number):
      let beside = [Int64(-1), 1].compactMap { step in
        let (sum, isOver) = number.addingReportingOverflow(step)
        return isOver ? nil : Value.int(sum)
      }
      return [.float(Double(number))] + beside
    default: return [nearVariant].compactMap { $0 }
    }
  }

  /// Whether the value is equal to itself.
  fileprivate var isEven: Bool { Value.areEqual(self, self) }

  /// Whether filters find the value only if they are made for it.
  fileprivate var isNullOrNaN: Bool {
    switch self {
    case .null: true
    case .float(let number): number.isNaN
    default: false
    }
  }
}

extension Model {
  /// The filters of a field that is a constraint.
  func filters(of field: TermID, _ path: FieldPath, own: Value?) -> FieldFilters {
    FieldFilters(
      path, own: own, implied: facts.compactMap { question($0, about: field) },
      denied: isFalse.sorted().compactMap { question($0, about: field) },
      isOdd: truth(of: .odd, [field]))
  }

  /// What a predicate asks of a constraint; nil if it does not.
  private func question(_ fact: TermID, about field: TermID) -> FieldFilters.Question? {
    guard case .apply(let applied, let arguments) = terms[fact], arguments.count == 2 else {
      return nil
    }
    let isLeft = isSame(arguments[0], field)
    let other = arguments[isLeft ? 1 : 0]
    switch applied {
    case .definedOperation(let op) where op.isComparison && (isLeft || op != .in):
      guard isLeft || isSame(arguments[1], field) else { return nil }
      let seen = isLeft ? op : Compiler.mirrored(op)
      return FieldFilters.Question(op: seen, values: [value(of: other)])
    case .definedBuiltin(.constraintHasAny) where isLeft:
      guard case .list(let values) = value(of: other) else { return nil }
      return FieldFilters.Question(op: .in, values: values)
    default: return nil
    }
  }
}
