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

  @Test func whatSleepsIsAwakeOnceItsNodeHolds() {
    var frontier = Frontier()
    for node in 0..<130 { frontier.append(Int32(node), isAsked: node % 2 == 0) }
    for place in [3, 64, 129] { frontier.sleep(place, until: 7, of: 10) }
    frontier.sleep(5, until: 8, of: 10)
    frontier.wake(by: 6)
    #expect(Self.open(frontier).count == 126)
    frontier.wake(by: 7)
    #expect(Self.open(frontier) == (0..<130).filter { $0 != 5 })
    // It may sleep again, and is told again.
    frontier.sleep(64, until: 8, of: 10)
    frontier.wake(by: 7)
    #expect(Self.open(frontier).count == 128)
    frontier.wake(by: 8)
    #expect(Self.open(frontier).count == 130)
  }

  /// A place that was taken back gets another conjunction, which may wait for another node: those that wait
  /// for the first one are not forgotten, and it is looked at once too often at worst.
  @Test func whatIsTakenBackWhileItSleepsKeepsNothingElseAsleep() {
    var frontier = Frontier()
    for node in 0..<3 { frontier.append(Int32(node), isAsked: false) }
    frontier.sleep(0, until: 7, of: 10)
    frontier.sleep(2, until: 7, of: 10)
    frontier.back(to: 2, settled: 0)
    #expect(Self.open(frontier) == [1])
    frontier.append(2, isAsked: false)
    #expect(Self.open(frontier) == [1, 2])
    frontier.sleep(2, until: 8, of: 10)
    frontier.wake(by: 7)
    #expect(Self.open(frontier) == [0, 1, 2])
    frontier.sleep(0, until: 7, of: 10)
    frontier.sleep(2, until: 8, of: 10)
    frontier.back(to: 1, settled: 0)
    frontier.wake(by: 8)
    frontier.wake(by: 7)
    #expect(Self.open(frontier) == [0])
  }

  /// Very many that sleep and wake are not remembered for ever.
  @Test func whatSleepsForTheThousandthTimeTakesNoRoom() {
    var frontier = Frontier()
    for node in 0..<70 { frontier.append(Int32(node), isAsked: node < 10) }
    for number in 0..<30_000 {
      let place = number % 70
      frontier.sleep(place, until: Int32(number % 9), of: 10)
      if number % 2 == 0 { frontier.wake(by: Int32(number % 9)) }
    }
    for node in 0..<9 { frontier.wake(by: Int32(node)) }
    #expect(Self.open(frontier).count == 70)
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
