import RulesEval
import RulesLang

/// Vectors in messages, where they are maps: `{"__type__": "__vector__", "value": [doubles]}`.
enum VectorMap {
  private static let typeKey: Text = "__type__"
  private static let typeName: Text = "__vector__"
  private static let numbersKey: Text = "value"

  /// Returns the value of a map in a message: a vector if it has the two entries of one, else the map itself.
  static func value(of map: MapValue) -> Value {
    guard map.count == 2, case .string(let type) = map[typeKey], type == typeName,
      case .list(let elements) = map[numbersKey]
    else { return .map(map) }
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard case .float(let number) = element else { return .map(map) }
      numbers.append(number)
    }
    return .vector(numbers)
  }

  /// Returns the map of a vector in a message.
  static func map(of numbers: [Double]) -> MapValue {
    MapValue([
      (typeKey, .string(typeName)), (numbersKey, .list(numbers.map { .float($0) })),
    ])
  }
}
