import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Chooses the filters on one field, so that they match its value in the document, imply what a
/// model says of the field's constraint and, if possible, nothing that the model denies.
struct FieldFilters {
  /// A comparison of the constraint, as seen from the field. `in` means that one of the values is a
  /// member.
  struct Question {
    var op: BinaryOperator
    var values: [Value]

    /// True for "not equal".
    fileprivate var excludes: Bool { op == .notEqual }
    /// True for exclusions that nearly every filter implies.
    fileprivate var isLeast: Bool { excludes && values.allSatisfy { $0.isNullOrNaN } }
  }

  /// The field.
  let field: FieldPath
  /// The field's value in the document, if any.
  let own: Value?
  /// The comparisons that are true in the model.
  let implied: [Question]
  /// The comparisons that are false in the model.
  let denied: [Question]
  /// True if the constraint is unequal to itself; nil if open.
  let isOdd: Bool?
  /// The filters chosen so far.
  private(set) var filters: [FieldFilter] = []

  /// Chooses filters for the implied comparisons.
  init(
    _ field: FieldPath, own: Value?, implied: [Question], denied: [Question], isOdd: Bool?
  ) {
    (self.field, self.own, self.isOdd) = (field, own, isOdd)
    (self.implied, self.denied) = (implied, denied)
    // Exclusions are weakest and often implied by other filters, so they come last.
    for isExcluded in [false, true] {
      for question in implied where question.excludes == isExcluded && !question.isLeast {
        answer(question, from: candidates(for: question))
      }
    }
    if isOdd == true { filters.append(FieldFilter(.notEqual, value: .float(.nan))) }
    excludeTogether()
  }

  /// Adds a filter that implies a comparison, unless one already does.
  private mutating func answer(_ question: Question, from candidates: [FieldFilter]) {
    if filters.contains(where: { Self.implies($0, question: question) }) { return }
    if let filter = choice(from: candidates, { Self.implies($0, question: question) }) {
      filters.append(filter)
    }
  }

  /// True if one of the filters excludes values.
  var excludes: Bool {
    filters.contains { $0.comparison == .notEqual || $0.comparison == .notIn }
  }

  /// Returns the filters, completed by weak ones: for exclusions that nearly every filter implies,
  /// and to make the field a constraint rather than a plain value.
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

  /// Combines exclusions of several values in one `not-in` filter.
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

  /// Returns the first wanted filter that matches the field's value and implies nothing denied; failing
  /// that, the first wanted one that matches it, or the first candidate.
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

  /// Returns filters that may imply a comparison: for its values and similar ones.
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

  /// Returns filters that constrain a value as little as possible.
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
  /// Values that filters or the language treat as equal, or nearly so.
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

  /// True if the value is equal to itself.
  fileprivate var isEven: Bool { Value.areEqual(self, self) }

  /// True if only filters made for the value match it.
  fileprivate var isNullOrNaN: Bool {
    switch self {
    case .null: true
    case .float(let number): number.isNaN
    default: false
    }
  }
}

extension Model {
  /// Returns the filters of a constrained field.
  func filters(of field: TermID, _ path: FieldPath, own: Value?) -> FieldFilters {
    FieldFilters(
      path, own: own, implied: facts.compactMap { question($0, about: field) },
      denied: isFalse.sorted().compactMap { question($0, about: field) },
      isOdd: truth(of: .odd, [field]))
  }

  /// Returns a predicate as a comparison of the constraint; nil for others.
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
