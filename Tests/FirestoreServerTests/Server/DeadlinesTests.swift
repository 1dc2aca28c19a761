import RulesEval
import Testing

@testable import FirestoreServer

/// Times of keys, the earliest first.
@Suite struct DeadlinesTests {
  private static func time(_ seconds: Int) -> Timestamp {
    Timestamp(epochSeconds: Int64(seconds)) ?? .latest
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func theEarliestAndThoseThatAreDueAreWhatATableHas(seed: UInt64) {
    var dice = Dice(seed: seed, 3)
    var deadlines = Deadlines<Int>()
    var table: [Int: Timestamp] = [:]
    for _ in 0..<500 {
      let key = dice.roll(40)
      let time = dice.chance(30) ? nil : Self.time(dice.roll(50))
      deadlines[key] = time
      table[key] = time
      let now = Self.time(dice.roll(50))
      #expect(deadlines.earliest == table.values.min())
      #expect(deadlines.due(at: now).sorted() == table.filter { $0.value <= now }.keys.sorted())
      let other = dice.roll(40)
      #expect(deadlines[other] == table[other])
    }
    for key in table.keys { deadlines[key] = nil }
    #expect(deadlines.earliest == nil)
    #expect(deadlines.due(at: .latest).isEmpty)
  }
}
