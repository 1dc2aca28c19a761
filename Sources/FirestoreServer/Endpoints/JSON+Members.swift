import RulesEval
import RulesLang

extension JSON {
  /// Returns the value of a member; nil if there is none or this is not an object.
  func member(_ key: Text) -> JSON? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements; nil if this is not an array.
  var elements: [JSON]? {
    if case .array(let elements) = kind { return elements }
    return nil
  }

  /// The text; nil if this is not a string.
  var text: Text? {
    if case .string(let text) = kind { return text }
    return nil
  }

  /// True if this is the value `true`.
  var isTrue: Bool {
    if case .bool(true) = kind { return true }
    return false
  }

  /// Reads a body; nil if it is not valid JSON.
  init?(body: [UInt8]) {
    guard let json = try? JSONParser.parse(SourceText(name: "body", bytes: body)) else {
      return nil
    }
    self = json
  }
}
