import RulesEval
import RulesLang

extension JSON {
  /// The value of a member; nil if it has none or is no object.
  func member(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements; nil if it is no array.
  var elements: [JSON]? {
    if case .array(let elements) = kind { return elements }
    return nil
  }

  /// The text; nil if it is no string.
  var text: Text? {
    if case .string(let text) = kind { return text }
    return nil
  }

  /// True if it is `true`.
  var isTrue: Bool {
    if case .bool(true) = kind { return true }
    return false
  }

  /// Reads a body; nil if it is no JSON.
  init?(body: [UInt8]) {
    guard let json = try? JSONParser.parse(SourceText(name: "body", bytes: body)) else {
      return nil
    }
    self = json
  }
}
