import RulesEval

/// Completions and documentation from a JSON schema, for a position in a text that it describes.
struct SchemaGuide {
  /// A completion for a position.
  struct Offer {
    /// The key or value, without quotes.
    var text: String
    /// The documentation.
    var about: String
    /// True if it is written without quotes.
    var isBare = false
    /// The first character of the key's value: `"`, `{` or `[`; empty if it may vary.
    var opening = ""
  }

  private let root: JSONText
  private let definitions: [(String, JSONText)]

  /// Creates a guide from a schema.
  init(_ schema: JSONText) {
    root = schema
    if case .object(let members)? = schema["$defs"] {
      definitions = members
    } else {
      definitions = []
    }
  }

  /// Returns the keys that an object at a path can still have.
  func keys(at path: [JSONCursor.Step], around: [[String]]) -> [Offer] {
    let present = around.last ?? []
    var offers: [Offer] = []
    for schema in schemas(at: path, around: around, isInside: true) {
      guard case .object(let properties)? = schema["properties"] else { continue }
      for (key, value) in properties
      where !present.contains(key) && !offers.contains(where: { $0.text == key }) {
        offers.append(Offer(text: key, about: about(value), opening: opening(value)))
      }
    }
    return offers
  }

  /// Returns the known values at a path.
  func values(at path: [JSONCursor.Step], around: [[String]]) -> [Offer] {
    var offers: [Offer] = []
    func add(_ value: JSONText, _ about: String) {
      let offer: Offer
      switch value {
      case .string(let text): offer = Offer(text: text, about: about)
      case .bool(let flag): offer = Offer(text: flag ? "true" : "false", about: about, isBare: true)
      case .null, .int, .number, .array, .object, .written: return
      }
      if !offers.contains(where: { $0.text == offer.text }) { offers.append(offer) }
    }
    for schema in schemas(at: path, around: around, isInside: false) {
      let about = about(schema)
      if case .array(let words)? = schema["enum"] { for word in words { add(word, about) } }
      if let constant = schema["const"] { add(constant, about) }
      switch schema["type"]?.word {
      case "boolean":
        add(.bool(true), about)
        add(.bool(false), about)
      case "null": offers.append(Offer(text: "null", about: about, isBare: true))
      default: break
      }
    }
    return offers
  }

  /// Returns the documentation of a key at a path.
  func about(_ path: [JSONCursor.Step], around: [[String]]) -> String? {
    schemas(at: path, around: around, isInside: false).lazy.map { self.about($0) }
      .first { !$0.isEmpty }
  }

  // MARK: Schemas

  /// Returns the schemas of the value at a path; with `isInside`, of the innermost object around it.
  private func schemas(
    at path: [JSONCursor.Step], around: [[String]], isInside: Bool
  ) -> [JSONText] {
    var objects = 0
    func keys() -> [String] { objects < around.count ? around[objects] : [] }
    var found = expand(root, keys: keys())
    for step in path {
      var next: [JSONText] = []
      switch step {
      case .key(let key):
        for schema in found { next += schema.property(key).map { [$0] } ?? [] }
        objects += 1
      case .index(let index):
        for schema in found { next += schema.element(index).map { [$0] } ?? [] }
      }
      found = next.flatMap { expand($0, keys: keys()) }
    }
    return found
  }

  /// Returns a schema with those that its references, alternatives and conditions lead to. `keys` are those
  /// of the object that it may describe.
  private func expand(_ schema: JSONText, keys: [String], depth: Int = 0) -> [JSONText] {
    guard depth < 12 else { return [] }
    var found = [schema]
    if let name = schema["$ref"]?.word, let target = definition(name) {
      found += expand(target, keys: keys, depth: depth + 1)
    }
    if case .array(let forms)? = schema["anyOf"] {
      found += forms.flatMap { expand($0, keys: keys, depth: depth + 1) }
    }
    if let condition = schema["if"] {
      let isSure = condition.required.allSatisfy { keys.contains($0) }
      if let then = schema["then"] { found += expand(then, keys: keys, depth: depth + 1) }
      if !isSure, let other = schema["else"] {
        found += expand(other, keys: keys, depth: depth + 1)
      }
    }
    return found
  }

  private func definition(_ reference: String) -> JSONText? {
    let name = reference.dropFirst("#/$defs/".utf8.count)
    return definitions.first { $0.0 == name }?.1
  }

  private func about(_ schema: JSONText) -> String {
    if let text = schema["description"]?.word { return text }
    return schema["$ref"]?.word.flatMap { definition($0) }?["description"]?.word ?? ""
  }

  private func opening(_ schema: JSONText) -> String {
    let all = expand(schema, keys: [])
    if all.contains(where: { $0["anyOf"] != nil || $0["if"] != nil }) { return "" }
    for one in all {
      switch one["type"]?.word {
      case "string": return "\""
      case "array": return "["
      case "object": return "{"
      default: if one["enum"] != nil { return "\"" }
      }
    }
    return ""
  }
}

extension JSONText {
  /// The value under a key of an object.
  fileprivate subscript(_ key: String) -> JSONText? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == key }?.1
  }

  /// The text of a string.
  fileprivate var word: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The words of `required`.
  fileprivate var required: [String] {
    guard case .array(let words)? = self["required"] else { return [] }
    return words.compactMap { $0.word }
  }

  /// Returns the schema of the value under a key.
  fileprivate func property(_ key: String) -> JSONText? {
    self["properties"]?[key] ?? self["additionalProperties"]
  }

  /// Returns the schema of an element.
  fileprivate func element(_ index: Int) -> JSONText? {
    if case .array(let first)? = self["prefixItems"], index < first.count { return first[index] }
    return self["items"]
  }
}
