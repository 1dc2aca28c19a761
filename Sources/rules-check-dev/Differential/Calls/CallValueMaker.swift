import RulesEval
import RulesLang

/// Generates documents of a small world: names, fields and values that are often equal.
struct CallValueMaker {
  /// The random number generator.
  var dice: Dice

  private static let ids = ["1", "2", "3", "4", "5", "1", "2", "__id3__", "__id12__", "é", "B"]
  private static let collections = ["a", "a", "a", "b", "a/1/s", "b/2/s", "s"]
  private static let texts = ["", "a", "b", "é", "😀", "\u{FFFF}"]
  private static let numbers: [Value] = [
    .int(0), .int(1), .int(2), .int(-1), .int(3), .int(1 << 53), .int(.max), .int(.min),
    .float(1), .float(0.5), .float(2.5), .float(-0.0), .float(.nan), .float(.infinity),
    .float(1e300),
  ]

  /// Returns the path of a document.
  mutating func path() -> String { dice.pick(Self.collections) + "/" + dice.pick(Self.ids) }

  /// Returns the path of a field.
  mutating func field() -> Text {
    Text(dice.pick(["x", "x", "x", "y", "y", "m", "m.k", "owner", "`a-b`", "z"]))
  }

  /// Returns a reference to a document.
  mutating func reference() -> Value {
    let segments =
      ["databases", "(default)", "documents"] + path().split(separator: "/").map(String.init)
    return .path(PathValue(plain: segments.map { Text($0) }))
  }

  /// Returns a value that often equals others.
  mutating func small() -> Value {
    dice.pick([
      .int(0), .int(1), .int(2), .int(3), .int(1), .int(2), .float(1), .float(2.5),
      .string("a"), .string("b"), .null, .bool(true),
    ])
  }

  /// Returns a value without elements.
  mutating func scalar() -> Value {
    switch dice.roll(9) {
    case 0: return dice.pick([.null, .bool(true), .bool(false)])
    case 1: return .string(Text(dice.pick(Self.texts)))
    case 2: return .bytes(dice.pick([[], [1], [1, 2]]))
    case 3:
      // The first days of January to March 2020.
      let days = dice.pick([0, 31, 60])
      return .timestamp(Timestamp(epochSeconds: 1_577_836_800 + Int64(days) * 86_400) ?? .epoch)
    case 4: return reference()
    case 5:
      return .latlng(
        LatLng(latitude: Double(dice.roll(-2...2)), longitude: Double(dice.roll(-2...2))))
    default: return dice.pick(Self.numbers)
    }
  }

  /// Returns any value; no list inside a list.
  mutating func value(depth: Int = 0, inList: Bool = false) -> Value {
    switch dice.roll(100) {
    case 0..<55: return small()
    case 55..<80: return scalar()
    case 80..<88 where depth < 3 && !inList: return .list(list(depth: depth + 1))
    case 80..<96 where depth < 3:
      return .map(
        MapValue(
          dice.several(0...2) { dice in
            var maker = CallValueMaker(dice: dice)
            defer { dice = maker.dice }
            return (Text(maker.dice.pick(["k", "l", "a-b"])), maker.value(depth: depth + 1))
          }))
    case 96... where !inList:
      return .vector(dice.several(1...3) { Double($0.roll(0...3)) })
    default: return small()
    }
  }

  /// Returns the elements of a list.
  mutating func list(depth: Int = 1, atLeast least: Int = 0) -> [Value] {
    var values: [Value] = []
    for _ in 0..<dice.roll(least...3) { values.append(value(depth: depth, inList: true)) }
    return values
  }

  /// Returns the fields of a document.
  mutating func fields() -> MapValue {
    var fields = MapValue()
    for name in dice.shuffled(["x", "y", "z", "a-b"]).prefix(dice.roll(0...3)) {
      fields[Text(name)] = value()
    }
    if dice.chance(40) {
      fields["m"] = dice.chance(70) ? .map(MapValue([("k", small())])) : value()
    }
    if dice.chance(50) { fields["owner"] = .string(Text(dice.pick(["alice", "bob"]))) }
    return fields
  }
}
