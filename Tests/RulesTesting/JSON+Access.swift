import RulesEval
import RulesLang

// Short ways into JSON values, for tests.

extension JSON {
  /// The member of an object.
  subscript(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements of a list; empty for anything else.
  var elements: [JSON] {
    if case .array(let elements) = kind { return elements }
    return []
  }

  /// The text of a string.
  var text: Text? {
    if case .string(let text) = kind { return text }
    return nil
  }

  /// The string.
  var string: String? { text.map { String($0) } }

  /// The digits of a number.
  var number: String? {
    if case .number(let digits) = kind { return digits }
    return nil
  }

  /// The integer.
  var int: Int64? { number.flatMap { Int64($0) } }

  /// Whether it is true.
  var isTrue: Bool {
    if case .bool(let flag) = kind { return flag }
    return false
  }

  /// Whether it is null.
  var isNull: Bool {
    if case .null = kind { return true }
    return false
  }
}
