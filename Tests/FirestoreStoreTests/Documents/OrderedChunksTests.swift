import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct OrderedChunksTests {
  /// A number in a list, with where it came from.
  private struct Number: OrderedElement {
    var key: Int
    var origin: Int

    static func precedes(_ one: Int, _ other: Int) -> Bool { one < other }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func insertionsAndRemovalsGiveWhatASortedArrayHas(_ seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    var list = OrderedChunks<Number>()
    var reference: [Int: Int] = [:]
    for step in 0..<6000 {
      let key = Int.random(in: 0..<3000, using: &numbers)
      if Int.random(in: 0..<5, using: &numbers) < (step < 4000 ? 1 : 4) {
        #expect(list.remove(key)?.origin == reference.removeValue(forKey: key))
      } else {
        #expect(list.set(Number(key: key, origin: step))?.origin == reference[key])
        reference[key] = step
      }
    }
    #expect(list.count == reference.count)
    #expect(list.chunks.flatMap { $0.map { $0.key } } == reference.keys.sorted())
    #expect(list.chunks.allSatisfy { (1...OrderedChunks<Number>.mostInChunk).contains($0.count) })
    for (key, origin) in reference { #expect(list[key: key]?.origin == origin) }
    #expect(list[key: -1] == nil && list[key: 3000] == nil)
  }

  @Test func rangesPassWhatIsBetweenTheirEndsBothWays() {
    var list = OrderedChunks<Number>()
    for key in 0..<2000 { list.set(Number(key: key * 2, origin: key)) }
    for (low, high) in [(0, 4000), (1, 1501), (1500, 1502), (10, 10), (3999, 9000), (-5, -1)] {
      let expected = (0..<2000).map { $0 * 2 }.filter { $0 >= low && $0 < high }
      for isBackward in [false, true] {
        var passed: [Int] = []
        let (from, to) = (list.firstPlace(from: low), list.firstPlace(from: high))
        list.forEach(from: from, to: to, isBackward: isBackward) { element in
          passed.append(element.key)
          return true
        }
        #expect(passed == (isBackward ? expected.reversed() : expected), "\(low) to \(high)")
      }
    }
  }

  @Test func aScanEndsWhereItsBodySaysSo() {
    var list = OrderedChunks<Number>()
    for key in 0..<1000 { list.set(Number(key: key, origin: key)) }
    var passed = 0
    let isWhole = list.forEach { _ in
      passed += 1
      return passed < 700
    }
    #expect(!isWhole && passed == 700)
  }

  @Test func anInsertionMovesAFewElementsHoweverManyThereAre() {
    var numbers = FixedNumbers(seed: 4)
    var list = OrderedChunks<Number>()
    for key in (0..<20_000).shuffled(using: &numbers) { list.set(Number(key: key, origin: key)) }
    #expect(list.count == 20_000)
    #expect(list.chunks.count < 20_000 * 3 / OrderedChunks<Number>.mostInChunk)
  }
}
