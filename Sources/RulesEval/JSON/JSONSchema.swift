/// Pieces of a JSON Schema, draft 2020-12, which editors complete and check files by.
public enum JSONSchema {
  /// Returns a whole schema: its title, the schema of the root, and the definitions that it refers to.
  public static func document(
    id: String, title: String, _ root: JSONText, definitions: [(String, JSONText)]
  ) -> JSONText {
    var members: [(String, JSONText)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .string(id)), ("title", .string(title)),
    ]
    if case .object(let own) = root { members += own }
    return .object(members + [("$defs", .object(definitions))])
  }

  /// Returns the schema of an object with these keys and no others; `about` has the schema of each value.
  public static func object(
    _ what: String, keys: [String], required: [String] = [], about: [(String, JSONText)],
    and more: [(String, JSONText)] = []
  ) -> JSONText {
    let properties = keys.map { key in
      (key, about.first { $0.0 == key }?.1 ?? JSONText.object([]))
    }
    var members: [(String, JSONText)] = [
      ("description", .string(what)), ("type", .string("object")),
      ("properties", .object(properties)), ("additionalProperties", .bool(false)),
    ]
    if !required.isEmpty { members.append(("required", strings(required))) }
    return .object(members + more)
  }

  /// Returns the schema of an object with any keys and values of one schema.
  public static func dictionary(_ what: String, of value: JSONText) -> JSONText {
    .object([
      ("description", .string(what)), ("type", .string("object")), ("additionalProperties", value),
    ])
  }

  /// Returns the schema of a value of a type: `string`, `integer`, `number`, `boolean` or `object`.
  public static func type(_ name: String, _ what: String) -> JSONText {
    .object([("description", .string(what)), ("type", .string(name))])
  }

  /// Returns the schema of a string that is one of a few words.
  public static func word(_ what: String, among words: [String]) -> JSONText {
    .object([("description", .string(what)), ("enum", strings(words))])
  }

  /// Returns the schema of a list with elements of one schema.
  public static func list(_ what: String, of element: JSONText, minimum: Int = 0) -> JSONText {
    var members: [(String, JSONText)] = [
      ("description", .string(what)), ("type", .string("array")), ("items", element),
    ]
    if minimum > 0 { members.append(("minItems", .int(minimum))) }
    return .object(members)
  }

  /// Returns the schema of a value in one of several forms.
  public static func either(_ what: String, _ forms: [JSONText]) -> JSONText {
    .object([("description", .string(what)), ("anyOf", .array(forms))])
  }

  /// Returns a reference to a definition of the schema.
  public static func reference(_ name: String, _ what: String? = nil) -> JSONText {
    var members: [(String, JSONText)] = []
    if let what { members.append(("description", .string(what))) }
    return .object(members + [("$ref", .string("#/$defs/\(name)"))])
  }

  /// Makes a JSON list of strings.
  public static func strings(_ words: [String]) -> JSONText {
    .array(words.map { .string($0) })
  }

  /// Returns the member of an object's schema that demands exactly one of some keys.
  public static func exactlyOne(of keys: [String]) -> (String, JSONText) {
    ("oneOf", .array(keys.map { .object([("required", strings([$0]))]) }))
  }
}
