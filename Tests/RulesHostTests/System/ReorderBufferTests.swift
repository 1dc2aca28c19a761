import RulesEval
import Testing

@testable import RulesHost

/// Numbered elements that come in any order.
@Suite struct ReorderBufferTests {
  @Test func whatIsEarlyWaits() {
    var buffer = ReorderBuffer<String>()
    #expect(buffer.take("c", number: 2) == [])
    #expect(buffer.take("a", number: 0) == ["a"])
    #expect(buffer.take("d", number: 3) == [])
    #expect(buffer.take("b", number: 1) == ["b", "c", "d"])
    #expect(buffer.take("e", number: 4) == ["e"])
  }

  @Test(arguments: 0..<20)
  func anyOrderBecomesTheOrderOfTheNumbers(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var buffer = ReorderBuffer<Int>()
    let found = dice.shuffled(Array(0..<50)).flatMap { buffer.take($0, number: $0) }
    #expect(found == Array(0..<50))
  }
}
