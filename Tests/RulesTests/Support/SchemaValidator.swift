import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// A validator of JSON Schema, as far as our schemas go: a keyword that it does not know is a mistake.
struct SchemaValidator {
  private let root: JSON

  /// Takes a schema.
  init(_ schema: JSON) { root = schema }

  /// Keywords that say nothing about what is valid.
  private static let remarks: Set<String> = ["$schema", "$id", "$defs", "title", "description"]

  /// Why a value is not valid, with the way to it; nil if it is.
  func mistake(in value: JSON) -> String? { mistake(in: value, by: root, at: "") }

  private func mistake(in value: JSON, by schema: JSON, at place: String) -> String? {
    guard case .object(let keywords) = schema.kind else { return "\(place): no schema" }
    for keyword in keywords {
      let rule = keyword.value
      switch String(keyword.key) {
      case let name where Self.remarks.contains(name): continue
      case "then", "else": continue
      case "additionalProperties":
        if let found = others(in: value, by: rule, beside: schema["properties"], at: place) {
          return found
        }
      case "$ref":
        if let found = mistake(in: value, by: definition(rule), at: place) { return found }
      case "type":
        if !types(rule).contains(where: { Self.has(value, type: $0) }) {
          return "\(place): is no \(types(rule).joined(separator: " or "))"
        }
      case "enum":
        if !rule.elements.contains(where: { Self.areEqual($0, value) }) {
          return "\(place): no such word"
        }
      case "const": if !Self.areEqual(rule, value) { return "\(place): another constant" }
      case "properties", "required", "minItems", "maxItems", "minimum", "maximum", "items",
        "prefixItems":
        if let found = structural(String(keyword.key), rule, in: value, at: place) {
          return found
        }
      case "anyOf":
        let found = rule.elements.map { mistake(in: value, by: $0, at: place) }
        if !found.contains(where: { $0 == nil }) {
          return "\(place): none of \(found.compactMap { $0 })"
        }
      case "oneOf":
        let count = rule.elements.count { mistake(in: value, by: $0, at: place) == nil }
        if count != 1 { return "\(place): \(count) of oneOf" }
      case "if":
        let branch = mistake(in: value, by: rule, at: place) == nil ? "then" : "else"
        if let next = schema[Text(branch)],
          let found = mistake(in: value, by: next, at: place)
        {
          return found
        }
      case let name: return "the validator does not know \(name)"
      }
    }
    return nil
  }

  private func structural(
    _ keyword: String, _ rule: JSON, in value: JSON, at place: String
  ) -> String? {
    switch (keyword, value.kind) {
    case ("required", .object):
      return rule.elements.compactMap { $0.string }.first { value[Text($0)] == nil }
        .map { "\(place): lacks \($0)" }
    case ("properties", .object(let members)):
      for member in members {
        let inside = "\(place)/\(String(member.key))"
        guard let known = rule[member.key] else { continue }
        if let found = mistake(in: member.value, by: known, at: inside) { return found }
      }
      return nil
    case ("items", .array(let elements)):
      return elements.enumerated().lazy.compactMap {
        mistake(in: $0.element, by: rule, at: "\(place)/\($0.offset)")
      }.first
    case ("prefixItems", .array(let elements)):
      return zip(elements, rule.elements).lazy.compactMap {
        mistake(in: $0, by: $1, at: place)
      }.first
    case ("minItems", .array(let elements)):
      return elements.count < Int(rule.int ?? 0) ? "\(place): too few" : nil
    case ("maxItems", .array(let elements)):
      return elements.count > Int(rule.int ?? 0) ? "\(place): too many" : nil
    case ("minimum", .number(let text)):
      return (Double(text) ?? .nan) < Double(rule.int ?? 0) ? "\(place): too small" : nil
    case ("maximum", .number(let text)):
      return (Double(text) ?? .nan) > Double(rule.int ?? 0) ? "\(place): too large" : nil
    default: return nil
    }
  }

  /// What is wrong with the members that `properties` does not name.
  private func others(
    in value: JSON, by rule: JSON, beside properties: JSON?, at place: String
  ) -> String? {
    guard case .object(let members) = value.kind else { return nil }
    for member in members where properties?[member.key] == nil {
      let inside = "\(place)/\(String(member.key))"
      if case .bool(false) = rule.kind { return "\(inside): unknown" }
      if let found = mistake(in: member.value, by: rule, at: inside) { return found }
    }
    return nil
  }

  private func definition(_ reference: JSON) -> JSON {
    let name = reference.string?.split(separator: "/").last.map(String.init) ?? ""
    return root["$defs"]?[Text(name)] ?? JSON(.null)
  }

  private func types(_ rule: JSON) -> [String] {
    rule.string.map { [$0] } ?? rule.elements.compactMap { $0.string }
  }

  private static func has(_ value: JSON, type: String) -> Bool {
    switch (type, value.kind) {
    case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .number(let text)): Int(text) != nil
    default: false
    }
  }

  private static func areEqual(_ one: JSON, _ other: JSON) -> Bool {
    switch (one.kind, other.kind) {
    case (.string(let one), .string(let other)): one == other
    case (.bool(let one), .bool(let other)): one == other
    default: false
    }
  }
}
