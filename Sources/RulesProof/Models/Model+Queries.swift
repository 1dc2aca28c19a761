import RulesEval
import RulesLang
import RulesSolver

// Documents and promises of a model.

extension Model {
  /// Returns the truth of "the document is stored".
  func holds(_ ref: Ref) -> Bool {
    if ref == .yes { return true }
    if ref == .no { return false }
    return flag(.stored)
  }

  /// Returns whether a document is stored; nil if not asserted.
  func isStored(_ document: TermID) -> Bool? {
    truth(of: .exists, [document])
  }

  /// Returns the term of a document's data.
  func data(of document: TermID) -> TermID? {
    let terms = terms
    for index in 0..<terms.count where terms[TermID(index)] == .apply(.data, [document]) {
      return TermID(index)
    }
    return nil
  }

  /// `request.query.limit`.
  var limitValue: Value { variable(.limit) ?? .null }
  /// `request.query.offset`.
  var offsetValue: Value { variable(.offset) ?? .null }

  private func variable(_ variable: RequestVariable) -> Value? {
    let terms = terms
    for index in 0..<terms.count where terms[TermID(index)] == .variable(variable) {
      return value(of: TermID(index))
    }
    return nil
  }

  /// Returns the fields that the filters promise, with their terms, sorted.
  func promisedFields(of map: TermID) -> [(key: Text, field: TermID?)] {
    var fields: [(key: Text, field: TermID?)] = []
    for fact in facts {
      guard case .apply(.has, let arguments) = terms[fact], isSame(arguments[0], map),
        case .string(let key) = value(of: arguments[1])
      else { continue }
      let field = (0..<terms.count).map { TermID($0) }.first {
        guard case .apply(.field, let others) = terms[$0] else { return false }
        return isSame(others[0], map) && isSame(others[1], arguments[1])
      }
      if !fields.contains(where: { $0.key == key }) { fields.append((key, field)) }
    }
    return fields.sorted { Text.precedesByCodePoint($0.key, $1.key) }
  }

  /// True if a promised field is a constraint rather than a value.
  func isConstraint(_ field: TermID) -> Bool {
    theory.classTypes[Int(theory.leader(of: field).raw)] == .constraint
  }

  /// True if a promised field is a map of which the filters name only some keys.
  func isPartial(_ field: TermID) -> Bool { truth(of: .partlyNamed, [field]) == true }
}
