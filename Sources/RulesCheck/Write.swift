import RulesEval
import RulesLang

extension Rules {
  /// One write of a batch, made by factory methods as a ``Request`` is.
  public struct Write: Hashable, Sendable {
    /// The write as an element of a batch.
    let notation: Notation
    /// The write in words.
    public let description: String

    private init(
      _ verb: Text, at path: String, saying word: String, data: Notation? = nil, merge: Bool = false
    ) {
      var members = [JSON.Member(verb, value: Notation(path).json)]
      var words = "\(word) \(path)"
      if let data {
        members.append(JSON.Member("data", value: data.json))
        words += " with \(data.text)"
      }
      if merge {
        members.append(JSON.Member("merge", value: JSON(.bool(true))))
        words += ", merging"
      }
      notation = Notation(members)
      description = words
    }
  }
}

extension Rules.Write: CustomStringConvertible {}

extension Rules.Write {
  /// Creates a document, which must not exist.
  public static func create(_ path: String, data: [String: Rules.FieldValue]) -> Self {
    Self("create", at: path, saying: "creates", data: Rules.FieldValue.object(data))
  }

  /// Creates a document, which must not exist, of fields that can be variables.
  @_disfavoredOverload
  public static func create(_ path: String, data: [String: (any Encodable)?]) -> Self {
    create(path, data: Rules.FieldValue.fields(data))
  }

  /// Creates a document, which must not exist, of the properties of a value.
  public static func create(_ path: String, from value: some Encodable) -> Self {
    Self("create", at: path, saying: "creates", data: Rules.FieldValue.object(encoding: value))
  }

  /// Sets a document, whether it exists or not; with `merge`, fields that are not named stay.
  public static func set(
    _ path: String, data: [String: Rules.FieldValue], merge: Bool = false
  ) -> Self {
    Self("set", at: path, saying: "sets", data: Rules.FieldValue.object(data), merge: merge)
  }

  /// Sets a document to fields that can be variables; with `merge`, fields that are not named stay.
  @_disfavoredOverload
  public static func set(
    _ path: String, data: [String: (any Encodable)?], merge: Bool = false
  ) -> Self {
    set(path, data: Rules.FieldValue.fields(data), merge: merge)
  }

  /// Sets a document to the properties of a value; with `merge`, fields that are not named stay.
  public static func set(_ path: String, from value: some Encodable, merge: Bool = false) -> Self {
    let data = Rules.FieldValue.object(encoding: value)
    return Self("set", at: path, saying: "sets", data: data, merge: merge)
  }

  /// Updates fields of an existing document; a name may be a field path, `profile.name`.
  public static func update(_ path: String, data: [String: Rules.FieldValue]) -> Self {
    Self("update", at: path, saying: "updates", data: Rules.FieldValue.object(data))
  }

  /// Updates fields of an existing document to values that can be variables; a name may be a field path.
  @_disfavoredOverload
  public static func update(_ path: String, data: [String: (any Encodable)?]) -> Self {
    update(path, data: Rules.FieldValue.fields(data))
  }

  /// Updates the fields of an existing document that are properties of a value.
  public static func update(_ path: String, from value: some Encodable) -> Self {
    Self("update", at: path, saying: "updates", data: Rules.FieldValue.object(encoding: value))
  }

  /// Deletes a document.
  public static func delete(_ path: String) -> Self {
    Self("delete", at: path, saying: "deletes")
  }
}
