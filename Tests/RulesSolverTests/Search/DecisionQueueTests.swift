import RulesEval
import Testing

@testable import RulesSolver

/// The decision queue, compared with a list in which every conjunction is looked at.
@Suite struct DecisionQueueTests {
  private static func open(_ decisionQueue: DecisionQueue, isAsked: Bool) -> [Int] {
    var places: [Int] = []
    var next = decisionQueue.next(from: 0, isAsked: isAsked)
    while let place = next {
      places.append(place)
      next = decisionQueue.next(from: place + 1, isAsked: isAsked)
    }
    return places
  }

  private static func open(_ decisionQueue: DecisionQueue) -> [Int] {
    (open(decisionQueue, isAsked: true) + open(decisionQueue, isAsked: false)).sorted()
  }

  @Test func anEmptyOneHasNothingToLookAt() {
    #expect(DecisionQueue().next(from: 0, isAsked: true) == nil)
    #expect(DecisionQueue().next(from: 0, isAsked: false) == nil)
  }

  @Test func whatAQuestionIsMadeOfIsToldFromTheRest() {
    var decisionQueue = DecisionQueue()
    for node in 0..<200 { decisionQueue.append(Int32(node), isAsked: node % 3 == 0) }
    #expect(Self.open(decisionQueue, isAsked: true) == (0..<200).filter { $0 % 3 == 0 })
    decisionQueue.settle(3)
    decisionQueue.ask { $0 % 7 == 3 }
    #expect(Self.open(decisionQueue, isAsked: true) == (4..<200).filter { $0 % 7 == 3 })
    #expect(Self.open(decisionQueue) == (0..<200).filter { $0 != 3 })
    decisionQueue.back(to: 12, settled: 0)
    decisionQueue.append(12, isAsked: true)
    decisionQueue.append(13, isAsked: false)
    #expect(Self.open(decisionQueue, isAsked: true) == [3, 10, 12])
  }

  /// Whatever is added, settled and taken back, what is open is what a state kept in whole says.
  @Test(arguments: 0..<40)
  func whatIsTakenBackIsLookedAtAgain(seed: UInt64) {
    var dice = Dice(seed: seed)
    var decisionQueue = DecisionQueue()
    var open: [Int] = []
    var marks: [(count: Int, settled: Int, open: [Int])] = []
    for _ in 0..<400 {
      switch dice.roll(0...9) {
      case 0...4:
        open.append(decisionQueue.count)
        decisionQueue.append(Int32(decisionQueue.count), isAsked: dice.chance(50))
      case 5...6 where !open.isEmpty:
        let place = open.remove(at: dice.roll(0...(open.count - 1)))
        decisionQueue.settle(place)
      case 7...8: marks.append((decisionQueue.count, decisionQueue.settledCount, open))
      default:
        guard !marks.isEmpty else { continue }
        let level = dice.roll(0...(marks.count - 1))
        decisionQueue.back(to: marks[level].count, settled: marks[level].settled)
        open = marks[level].open
        marks.removeLast(marks.count - level)
      }
      #expect(Self.open(decisionQueue) == open.sorted())
    }
  }
}
