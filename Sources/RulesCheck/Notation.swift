import RulesEval
import RulesLang

/// A part of a test or claim as JSON in the notation of suites, compared by its text.
struct Notation: Hashable, Sendable {
  /// The JSON.
  let json: JSON

  /// Creates a notation.
  init(_ json: JSON) { self.json = json }

  /// Creates the notation of a text.
  init(_ text: String) { json = JSON(.string(Text(text))) }

  /// Creates a list.
  init(_ elements: [Notation]) { json = JSON(.array(elements.map { element in element.json })) }

  /// Creates an object.
  init(_ members: [JSON.Member]) { json = JSON(.object(members)) }

  /// Creates an object with one key, as suites write values that JSON lacks.
  init(directive name: Text, _ value: Notation) {
    self.init([JSON.Member(name, value: value.json)])
  }

  /// The members of an object; none of anything else.
  var members: [JSON.Member] {
    if case .object(let members) = json.kind { return members }
    return []
  }

  /// The JSON on one line.
  var text: String { JSONText(json).compact }

  /// True if the texts are equal.
  static func == (one: Notation, other: Notation) -> Bool { one.text == other.text }

  /// Hashes the text.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

// MARK: Values that cannot be encoded

extension Notation {
  /// The key of an object that stands for a value which could not be encoded. Its value is the reason.
  private static let failureKey: Text = "$unencodable"

  /// Creates the notation of a value that could not be encoded: whatever contains it is refused.
  static func unencodable(_ reason: String) -> Notation {
    Notation(directive: failureKey, Notation(reason))
  }

  /// The reason of the first value in `json` that could not be encoded; nil if all could.
  static func failure(in json: JSON) -> String? {
    switch json.kind {
    case .null, .bool, .number, .string: return nil
    case .array(let elements):
      return elements.lazy.compactMap { element in failure(in: element) }.first
    case .object(let members):
      if members.count == 1, members[0].key == failureKey,
        case .string(let reason) = members[0].value.kind
      {
        return String(reason)
      }
      if members.count == 1, members[0].key == "$map",
        case .object(let fields) = members[0].value.kind
      {
        return fields.lazy.compactMap { field in failure(in: field.value) }.first
      }
      return members.lazy.compactMap { member in failure(in: member.value) }.first
    }
  }
}
