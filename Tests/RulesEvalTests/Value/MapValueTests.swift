import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// Maps against pairs in a list, through the sizes at which they get and lose their index.
@Suite struct MapValueTests {
  @Test func aMapIsItsPairsInTheOrderOfTheirFirstComing() {
    var dice = Dice(seed: 17)
    for _ in 0..<Wanted.cases(25, of: 200) {
      var map = MapValue()
      var pairs: [(key: Text, value: Int64)] = []
      let names = (0..<dice.roll(1...30)).map { Text("k\($0)") }
      for step in 0..<80 {
        let key = dice.pick(names)
        let place = pairs.firstIndex { $0.key == key }
        if dice.chance(30) {
          map[key] = nil
          if let place { pairs.remove(at: place) }
        } else {
          map[key] = .int(Int64(step))
          if let place {
            pairs[place].value = Int64(step)
          } else {
            pairs.append((key, Int64(step)))
          }
        }
        #expect(map.keys == pairs.map { $0.key })
        #expect(map.values.map { $0.asDouble } == pairs.map { Double($0.value) })
        #expect(map.count == pairs.count)
        for name in names {
          #expect(map.contains(name) == pairs.contains { $0.key == name })
          #expect(map[name]?.asDouble == pairs.first { $0.key == name }.map { Double($0.value) })
        }
      }
    }
  }

  @Test func anUnknownKeyIsCountedAndHasNoValue() {
    var map = MapValue([("a", .int(1))])
    #expect(map.unknownKey == nil)
    map.unknownKey = "path"
    #expect(map.count == 2 && map.contains("path") && map["path"] == nil)
    #expect(map.sortedKeys == ["a", "path"] && map.keys == ["a"])
    var copy = map
    copy.unknownKey = nil
    #expect(copy.count == 1 && map.count == 2)
  }

  @Test func onlyTimesThatAreTooFineAreCutWhenStored() throws {
    let fine = try #require(Timestamp(epochSeconds: 1, nanos: 1_999))
    let map = MapValue([
      ("a", .string("x")), ("b", .list([.timestamp(fine)])),
      ("c", .map(MapValue([("d", .timestamp(fine))]))),
    ])
    guard case .list(let list) = map.storable["b"], case .timestamp(let first) = list.first,
      case .map(let inner) = map.storable["c"], case .timestamp(let second) = inner["d"]
    else {
      Issue.record("the shape has changed")
      return
    }
    #expect(first.nanos == 1_000 && second.nanos == 1_000)
    #expect(Value.areIdentical(.map(map.storable.storable), .map(map.storable)))
    #expect(!Value.areIdentical(.map(map.storable), .map(map)))
  }
}
