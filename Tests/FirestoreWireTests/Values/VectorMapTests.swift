import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct VectorMapTests {
  private func isVector(_ entries: [(Text, Value)]) -> Bool {
    if case .vector = VectorMap.value(of: MapValue(entries)) { return true }
    return false
  }

  @Test func aMapOfTheTwoEntriesIsAVector() {
    let type: (Text, Value) = ("__type__", .string("__vector__"))
    let numbers: (Text, Value) = ("value", .list([.float(1), .float(-0.5)]))
    #expect(isVector([type, numbers]))
    #expect(isVector([numbers, type]))
    #expect(isVector([type, ("value", .list([]))]))
    #expect(!isVector([type]))
    #expect(!isVector([numbers]))
    #expect(!isVector([type, numbers, ("more", .null)]))
    #expect(!isVector([type, ("value", .list([.int(1)]))]))
    #expect(!isVector([type, ("value", .float(1))]))
    #expect(!isVector([("__type__", .string("vector")), numbers]))
    #expect(!isVector([("__type__", .null), numbers]))
  }

  @Test func aVectorIsWrittenAsTheMap() {
    #expect(VectorMap.map(of: [1, 2]).keys == ["__type__", "value"])
    guard case .vector(let numbers) = VectorMap.value(of: VectorMap.map(of: [1, 2])) else {
      Issue.record("no vector")
      return
    }
    #expect(numbers == [1, 2])
  }

  @Test func halvesOfPairsAreQuestionMarksOnTheWire() {
    let half = Text(units: [0x61, 0xD83D, 0x62])
    #expect(WireText.utf8(of: half) == Array("a?b".utf8))
    #expect(WireText.repaired(half) == "a?b")
    #expect(WireText.repaired("ü😀") == "ü😀")
  }
}
