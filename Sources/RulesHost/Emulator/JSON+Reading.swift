package import RulesEval
package import RulesLang

// Short ways into the emulator's answers.

extension JSON {
  /// The member of an object.
  package func member(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of an object; empty for anything else.
  package var members: [Member] {
    if case .object(let members) = kind { return members }
    return []
  }

  /// The elements of a list; empty for anything else.
  package var list: [JSON] {
    if case .array(let elements) = kind { return elements }
    return []
  }

  /// The text of a string.
  package var plainText: String? {
    if case .string(let text) = kind { return String(text) }
    return nil
  }

  /// The integer.
  package var plainInt: Int? {
    if case .number(let digits) = kind { return Int(digits) }
    return nil
  }

  /// Whether it is true.
  package var isTrue: Bool {
    if case .bool(let flag) = kind { return flag }
    return false
  }
}
