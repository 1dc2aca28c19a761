package import RulesEval

/// The form of values of one type in a machine-readable report: how they are written, and their JSON Schema.
package struct JSONForm<Value>: Sendable {
  /// The JSON Schema of the values.
  package let schema: JSONText
  /// Returns a value as JSON.
  package let json: @Sendable (Value) -> JSONText

  /// Creates a form.
  package init(schema: JSONText, _ json: @escaping @Sendable (Value) -> JSONText) {
    self.schema = schema
    self.json = json
  }

  /// Creates the form of an object with these members and no others. Its schema has the required ones first.
  package init(_ what: String, _ parts: [JSONMember<Value>]...) {
    let members = parts.flatMap { $0 }
    let required = members.filter { !$0.isOptional }
    let all = required + members.filter { $0.isOptional }
    let schema = JSONSchema.object(
      what, keys: all.map { $0.name }, required: required.map { $0.name },
      about: all.map { ($0.name, $0.schema) })
    self.init(schema: schema) { .object(members.json($0)) }
  }

  /// Returns the form with a schema that refers to a definition.
  package func defined(_ name: String) -> JSONForm {
    JSONForm(schema: JSONSchema.reference(name), json)
  }
}

/// A member of an object in a machine-readable report: name, schema, and value for an owner.
///
/// A name that ends in `?` is that of an optional member: an owner for which the closure returns nil, or an
/// empty list, lacks it.
package struct JSONMember<Owner>: Sendable {
  /// The name.
  package let name: String
  /// The JSON Schema of its values.
  package let schema: JSONText
  /// True if an object may lack it.
  package let isOptional: Bool
  /// Returns the value for an owner; nil if its object lacks the member.
  package let json: @Sendable (Owner) -> JSONText?

  /// Creates a member.
  package init(
    _ name: String, _ schema: JSONText, _ json: @escaping @Sendable (Owner) -> JSONText?
  ) {
    isOptional = name.utf8.last == UInt8(ascii: "?")
    self.name = isOptional ? String(name.dropLast()) : name
    self.schema = schema
    self.json = json
  }

  /// Returns a member in a form.
  package static func member<Value>(
    _ name: String, _ form: JSONForm<Value>, _ read: @escaping @Sendable (Owner) -> Value?
  ) -> JSONMember {
    JSONMember(name, form.schema) { read($0).map { form.json($0) } }
  }

  /// Returns a member that is a text.
  package static func text(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> String?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.type("string", what)) { read($0).map { .string($0) } }
  }

  /// Returns a member that is a text or null.
  package static func textOrNull(
    _ name: String, _ what: String? = nil, _ read: @escaping @Sendable (Owner) -> String?
  ) -> JSONMember {
    let about = what.map { [("description", JSONText.string($0))] } ?? []
    let type = ("type", JSONSchema.strings(["string", "null"]))
    return JSONMember(name, .object(about + [type])) { read($0).map { .string($0) } ?? .null }
  }

  /// Returns a member that is one of a few words.
  package static func word(
    _ name: String, _ what: String, among words: [String],
    _ read: @escaping @Sendable (Owner) -> String?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.word(what, among: words)) { read($0).map { .string($0) } }
  }

  /// Returns a member that is an integer.
  package static func count(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> Int?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.type("integer", what)) { read($0).map { .int($0) } }
  }

  /// Returns a member that is a number, given by its digits.
  package static func number(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> String?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.type("number", what)) { read($0).map { .number($0) } }
  }

  /// Returns a member that is a bool.
  package static func flag(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> Bool?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.type("boolean", what)) { read($0).map { .bool($0) } }
  }

  /// Returns a member that is a list of values in a form.
  package static func list<Element>(
    _ name: String, _ what: String, of form: JSONForm<Element>,
    _ read: @escaping @Sendable (Owner) -> [Element]?
  ) -> JSONMember {
    let isOptional = name.utf8.last == UInt8(ascii: "?")
    return JSONMember(name, JSONSchema.list(what, of: form.schema)) { owner in
      guard let list = read(owner), !(isOptional && list.isEmpty) else { return nil }
      return .array(list.map(form.json))
    }
  }

  /// Returns a member that is a list of texts.
  package static func texts(
    _ name: String, _ what: String, of element: String = "A sentence.",
    _ read: @escaping @Sendable (Owner) -> [String]?
  ) -> JSONMember {
    list(name, what, of: JSONForm(schema: JSONSchema.type("string", element)) { .string($0) }, read)
  }

  /// Returns a member that is a list of line numbers.
  package static func lines(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> [Int]?
  ) -> JSONMember {
    list(name, what, of: JSONForm(schema: JSONSchema.type("integer", "A line.")) { .int($0) }, read)
  }

  /// Returns a member that is a test for a suite.
  package static func test(
    _ name: String, _ what: String? = nil, _ read: @escaping @Sendable (Owner) -> JSONText?
  ) -> JSONMember {
    JSONMember(name, JSONSchema.reference("pasted", what), read)
  }

  /// Returns a member that is a list of tests for a suite.
  package static func tests(
    _ name: String, _ what: String, _ read: @escaping @Sendable (Owner) -> [JSONText]?
  ) -> JSONMember {
    list(name, what, of: JSONForm(schema: JSONSchema.reference("pasted")) { $0 }, read)
  }

  /// Returns a member that always has one value.
  package static func constant(_ name: String, _ value: String) -> JSONMember {
    JSONMember(name, .object([("const", .string(value))])) { _ in .string(value) }
  }

  /// Returns the member that names the report's schema.
  package static func schema(_ name: String) -> JSONMember {
    constant("schema", "rules-check.\(name)/1")
  }
}

extension Array {
  /// Returns the members for the owner that another owner contains.
  package func inside<Inner, Outer>(
    _ read: @escaping @Sendable (Outer) -> Inner
  ) -> [JSONMember<Outer>] where Element == JSONMember<Inner> {
    map { member in
      JSONMember(member.isOptional ? member.name + "?" : member.name, member.schema) {
        member.json(read($0))
      }
    }
  }

  /// Returns the members for the owner that another owner may contain: all of them are optional.
  package func inside<Inner, Outer>(
    optional read: @escaping @Sendable (Outer) -> Inner?
  ) -> [JSONMember<Outer>] where Element == JSONMember<Inner> {
    map { member in
      JSONMember(member.name + "?", member.schema) { read($0).flatMap { member.json($0) } }
    }
  }

  /// Returns the members of an owner's object.
  package func json<Owner>(_ owner: Owner) -> [(String, JSONText)]
  where Element == JSONMember<Owner> {
    compactMap { member in member.json(owner).map { (member.name, $0) } }
  }
}
