package import RulesEval
package import RulesLang

// Accessors for the emulator's JSON answers.

extension JSON {
  /// Returns the member of an object; nil for others.
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

  /// The text of a string; nil for others.
  package var plainText: String? {
    if case .string(let text) = kind { return String(text) }
    return nil
  }

  /// The integer; nil for others.
  package var plainInt: Int? {
    if case .number(let digits) = kind { return Int(digits) }
    return nil
  }

  /// True for the literal `true`.
  package var isTrue: Bool {
    if case .bool(let flag) = kind { return flag }
    return false
  }
}
