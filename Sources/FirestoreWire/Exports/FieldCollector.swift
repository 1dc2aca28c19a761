import RulesEval
import RulesLang

/// Combines the properties of an entity into fields. Each element of a list is a property with the name of
/// the list.
struct FieldCollector {
  /// The kinds of fields.
  enum Kind { case single, list, vector }

  private struct Field {
    var name: Text
    var kind: Kind
    /// The single value, or the elements.
    var values: [Value]
  }

  private var fields: [Field] = []
  private var places: [Text: Int] = [:]

  /// Adds a value or an element; nil adds an empty list.
  mutating func add(_ value: Value?, to name: Text, as kind: Kind) throws(WireProblem) {
    if let place = places[name] {
      guard fields[place].kind == kind, kind != .single, let value else {
        throw .protobuf("the field \(String(name)) comes twice")
      }
      fields[place].values.append(value)
    } else {
      places[name] = fields.count
      fields.append(Field(name: name, kind: kind, values: value.map { [$0] } ?? []))
    }
  }

  /// The fields, in the order of their first properties.
  var map: MapValue {
    MapValue(
      fields.map { field in
        switch field.kind {
        case .single: (field.name, field.values[0])
        case .list: (field.name, .list(field.values))
        case .vector:
          (field.name, .vector(field.values.map { if case .float(let x) = $0 { x } else { .nan } }))
        }
      })
  }
}
