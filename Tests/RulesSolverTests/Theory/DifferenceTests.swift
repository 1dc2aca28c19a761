import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// Bounds on differences of ints, beside the shortest ways between all of them.
@Suite struct DifferenceTests {
  /// `value(to) <= value(from) + length`; the last node is zero.
  private struct Edge {
    var from: Int
    var to: Int
    var length: Int
  }

  /// Whether values satisfy some edges.
  private static func isPossible(_ edges: [Edge], count: Int) -> Bool {
    var distance = Array(repeating: Array(repeating: Int.max / 4, count: count), count: count)
    for node in 0..<count { distance[node][node] = 0 }
    for edge in edges {
      distance[edge.from][edge.to] = min(distance[edge.from][edge.to], edge.length)
    }
    for middle in 0..<count {
      for from in 0..<count {
        for to in 0..<count {
          let way = distance[from][middle] + distance[middle][to]
          distance[from][to] = min(distance[from][to], way)
        }
      }
    }
    return (0..<count).allSatisfy { distance[$0][$0] >= 0 }
  }

  private static let variables = 5
  /// Of each variable the term that is one more.
  private static let nodes = 2 * variables + 1

  /// A conflict names facts that cannot hold together, at once or at the end, and there is one if not all
  /// can.
  @Test(arguments: 0..<150) func aConflictIsOne(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var problem = Problem()
    var terms: [TermID] = []
    for number in 0..<Self.variables {
      terms.append(problem.terms.variable(.unknown(number), types: .int))
    }
    for number in 0..<Self.variables {
      terms.append(problem.terms.apply(.plus(.int, 1), to: [terms[number]], types: .int))
    }
    let used = (0..<problem.terms.count).map { TermID($0) }
    var theory = Theory(problem.terms, patterns: problem.patterns, used: used)
    let sums = (0..<Self.variables).flatMap { number in
      [
        Edge(from: number, to: number + Self.variables, length: 1),
        Edge(from: number + Self.variables, to: number, length: -1),
      ]
    }
    var said: [[Edge]] = []
    for number in 0..<40 {
      let (atom, edges, holds) = Self.fact(about: terms, &dice)
      guard let atom else { continue }
      said.append(edges)
      let found = theory.assert(atom, holds: holds, source: Int32(said.count - 1))
      let conflict = found ?? (number % 4 == 3 ? theory.differenceCycle() : nil)
      guard let conflict else {
        if number % 4 == 3 {
          #expect(Self.isPossible(sums + said.flatMap { $0 }, count: Self.nodes))
        }
        continue
      }
      let named = Set(conflict).flatMap { said[Int($0)] }
      #expect(!Self.isPossible(sums + named, count: Self.nodes), "\(conflict)")
      #expect(!Self.isPossible(sums + said.flatMap { $0 }, count: Self.nodes))
      return
    }
  }

  /// A fact, and what it says.
  private static func fact(
    about terms: [TermID], _ dice: inout Dice
  ) -> (atom: Atom?, edges: [Edge], holds: Bool) {
    let (one, other) = (dice.roll(0...(terms.count - 1)), dice.roll(0...(terms.count - 1)))
    let holds = dice.chance(60)
    let bound = dice.roll(-2...3)
    switch dice.roll(0...5) {
    case 0:
      let edge =
        holds
        ? Edge(from: nodes - 1, to: one, length: bound)
        : Edge(from: one, to: nodes - 1, length: -bound - 1)
      return (.atMost(terms[one], .int, Int128(bound)), [edge], holds)
    case 1 where one != other:
      let edges = [
        Edge(from: one, to: other, length: 0), Edge(from: other, to: one, length: 0),
      ]
      let (less, greater) = (min(terms[one], terms[other]), max(terms[one], terms[other]))
      return (.same(less, greater), edges, true)
    case 2...5 where one != other:
      let edge =
        holds
        ? Edge(from: other, to: one, length: bound)
        : Edge(from: one, to: other, length: -bound - 1)
      return (.difference(terms[one], terms[other], .int, Int128(bound)), [edge], holds)
    default: return (nil, [], true)
    }
  }

  /// Most circles are noticed before the end of a search.
  @Test func aCircleIsNoticedAtOnce() {
    var problem = Problem()
    let terms = (0..<100).map { problem.terms.variable(.unknown($0), types: .int) }
    let used = (0..<problem.terms.count).map { TermID($0) }
    var theory = Theory(problem.terms, patterns: problem.patterns, used: used)
    for number in 0..<99 {
      let atom = Atom.difference(terms[number], terms[number + 1], .int, number == 50 ? -1 : 0)
      #expect(theory.assert(atom, holds: true, source: Int32(number)) == nil)
    }
    let mark = theory.mark
    let last = Atom.difference(terms[99], terms[0], .int, 0)
    #expect(theory.assert(last, holds: true, source: 99) == Array(0..<100))
    theory.back(to: mark)
    let wider = Atom.difference(terms[99], terms[0], .int, 1)
    #expect(theory.assert(wider, holds: true, source: 99) == nil)
    #expect(theory.differenceCycle() == nil)
  }
}
