import RulesLang

/// The dependence of a condition on a field of the document that a request writes.
///
/// Sound: if a field is reported as left open, then every value can be written where some value can: nothing
/// in the condition depends on it except its existence and type.
struct WrittenField {
  /// The effect of a term's truth on the condition.
  private struct Role: OptionSet, Hashable {
    let rawValue: UInt8
    /// The condition is true only if the term is true.
    static let wanted = Role(rawValue: 1)
    /// The condition is true only if the term is false.
    static let unwanted = Role(rawValue: 2)
    /// The value matters in another way.
    static let other = Role(rawValue: 4)
    /// Only its type matters.
    static let typed = Role(rawValue: 8)
  }

  private let terms: InlinedTerms
  /// The field; nil for one whose name is not in the rules.
  private let field: Text?
  private var roles: [InlinedTerms.Term: Role] = [:]
  private var isConstrained = false

  /// True if a condition leaves the value of a field of the written document open; nil is a field whose name
  /// is not in the rules.
  static func isLeftOpen(
    _ field: Text?, by condition: InlinedTerms.Term, in terms: InlinedTerms
  ) -> Bool {
    var search = WrittenField(terms: terms, field: field)
    search.roles[condition] = .wanted
    for term in terms.terms(in: condition) where !search.isConstrained {
      if let role = search.roles[term] { search.visit(term, as: role) }
    }
    return !search.isConstrained
  }

  private init(terms: InlinedTerms, field: Text?) {
    self.terms = terms
    self.field = field
  }

  private mutating func pass(_ operand: InlinedTerms.Term, _ role: Role) {
    roles[operand, default: []].formUnion(role)
  }

  private mutating func visit(_ term: InlinedTerms.Term, as role: Role) {
    if terms.isWrittenData(term) || terms.isWritten(term) || terms[term] == .request {
      isConstrained = true
      return
    }
    if let read = readField(term) {
      if field != nil, read.name == field, role != .typed { isConstrained = true }
      for operand in read.rest { pass(operand, .other) }
      return
    }
    switch terms[term] {
    case .not(let operand):
      var flipped = role.intersection(.other)
      if role.contains(.wanted) { flipped.formUnion(.unwanted) }
      if role.contains(.unwanted) { flipped.formUnion(.wanted) }
      pass(operand, flipped)
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      pass(left, role)
      pass(right, role)
    case .conditional(let condition, let one, let other):
      pass(condition, .other)
      pass(one, role)
      pass(other, role)
    case .isType(let operand, _): pass(operand, .typed)
    case .binary(.in, let key, let names) where isNames(names): visit(key: key, as: role)
    case .method(let names, let name, let arguments) where isNames(names) && arguments.count == 1:
      visit(name, of: names, arguments[0], as: role)
    case .member(let base, _) where terms[base] == .request: return
    default: for operand in terms.operands(of: term) { pass(operand, .other) }
    }
  }

  /// Returns the field of the written data that a term reads, and the term's other operands.
  private func readField(
    _ term: InlinedTerms.Term
  ) -> (name: Text, rest: [InlinedTerms.Term])? {
    switch terms[term] {
    case .member(let data, let name) where terms.isWrittenData(data): (name, [])
    case .index(let data, let key) where terms.isWrittenData(data):
      terms.text(key).map { ($0, []) }
    case .method(let data, "get", let arguments)
    where terms.isWrittenData(data) && arguments.count == 2:
      terms.text(arguments[0]).map { ($0, [arguments[1]]) }
    default: nil
    }
  }

  /// True if a term is a set of keys of the written data, or the data itself, whose keys `in` searches.
  private func isNames(_ term: InlinedTerms.Term) -> Bool {
    if terms.isWrittenData(term) { return true }
    guard case .method(let base, let name, let arguments) = terms[term], arguments.isEmpty else {
      return false
    }
    if name == "keys" { return terms.isWrittenData(base) }
    return ["affectedKeys", "changedKeys", "addedKeys"].contains(name)
      && terms.isDifference(term, name)
  }

  private mutating func visit(key: InlinedTerms.Term, as role: Role) {
    guard let name = terms.text(key) else {
      pass(key, .other)
      // An unknown name may be that of the field.
      if role != .wanted { isConstrained = true }
      return
    }
    if name == field, role != .wanted { isConstrained = true }
  }

  private mutating func visit(
    _ method: Text, of names: InlinedTerms.Term, _ argument: InlinedTerms.Term, as role: Role
  ) {
    let listed = terms.names(in: argument)
    let isListed = listed?.contains { $0 == field } ?? false
    switch method {
    case "hasAll" where role == .wanted: break
    case "hasAll" where listed != nil && !isListed: break
    case "hasAny" where role == .unwanted && listed != nil && !isListed: break
    case "hasOnly" where role == .wanted && isListed: break
    default: isConstrained = true
    }
    if listed == nil { pass(argument, .other) }
  }
}
