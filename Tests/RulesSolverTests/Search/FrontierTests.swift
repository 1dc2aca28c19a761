import RulesEval
import Testing

@testable import RulesSolver

/// What is left out of a frontier, beside a list in which everything is looked at.
@Suite struct FrontierTests {
  private static func open(_ frontier: Frontier, isAsked: Bool) -> [Int] {
    var places: [Int] = []
    var next = frontier.next(from: 0, isAsked: isAsked)
    while let place = next {
      places.append(place)
      next = frontier.next(from: place + 1, isAsked: isAsked)
    }
    return places
  }

  private static func open(_ frontier: Frontier) -> [Int] {
    (open(frontier, isAsked: true) + open(frontier, isAsked: false)).sorted()
  }

  @Test func anEmptyOneHasNothingToLookAt() {
    #expect(Frontier().next(from: 0, isAsked: true) == nil)
    #expect(Frontier().next(from: 0, isAsked: false) == nil)
  }

  @Test func whatAQuestionIsMadeOfIsToldFromTheRest() {
    var frontier = Frontier()
    for node in 0..<200 { frontier.append(Int32(node), isAsked: node % 3 == 0) }
    #expect(Self.open(frontier, isAsked: true) == (0..<200).filter { $0 % 3 == 0 })
    frontier.settle(3)
    frontier.ask { $0 % 7 == 3 }
    #expect(Self.open(frontier, isAsked: true) == (4..<200).filter { $0 % 7 == 3 })
    #expect(Self.open(frontier) == (0..<200).filter { $0 != 3 })
    frontier.back(to: 12, settled: 0)
    frontier.append(12, isAsked: true)
    frontier.append(13, isAsked: false)
    #expect(Self.open(frontier, isAsked: true) == [3, 10, 12])
  }

  /// Whatever is added, settled and taken back, what is open is what a state kept in whole says.
  @Test(arguments: 0..<40)
  func whatIsTakenBackIsLookedAtAgain(seed: UInt64) {
    var dice = Dice(seed: seed)
    var frontier = Frontier()
    var open: [Int] = []
    var marks: [(count: Int, settled: Int, open: [Int])] = []
    for _ in 0..<400 {
      switch dice.roll(0...9) {
      case 0...4:
        open.append(frontier.count)
        frontier.append(Int32(frontier.count), isAsked: dice.chance(50))
      case 5...6 where !open.isEmpty:
        let place = open.remove(at: dice.roll(0...(open.count - 1)))
        frontier.settle(place)
      case 7...8: marks.append((frontier.count, frontier.settledCount, open))
      default:
        guard !marks.isEmpty else { continue }
        let level = dice.roll(0...(marks.count - 1))
        frontier.back(to: marks[level].count, settled: marks[level].settled)
        open = marks[level].open
        marks.removeLast(marks.count - level)
      }
      #expect(Self.open(frontier) == open.sorted())
    }
  }
}
