import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesEncoding
@testable import RulesTesting

/// Sums of weights as propositions, beside the sums themselves.
@Suite struct WeightedSumTests {
  /// Small sums are told apart exactly, in every case there is.
  @Test(arguments: 0..<40)
  func smallSumsAreExact(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var graph = Graph()
    let atoms = Self.atoms(1 + dice.roll(9), in: &graph)
    let weights = atoms.map { _ in dice.roll(30) }
    let certain = dice.roll(20)
    let bound = dice.roll(weights.reduce(certain, +) + 10)
    let sum = WeightedSum(Array(zip(atoms, weights)) + [(.yes, certain), (.no, 1000)])
    let isReached = sum.isAtLeast(bound, in: &graph)
    for chosen in 0..<(1 << atoms.count) {
      let total = weights.indices.reduce(certain) { $0 + (chosen >> $1 & 1) * weights[$1] }
      #expect(Self.holds(isReached, chosen, of: atoms, in: graph) == (total >= bound))
    }
  }

  /// Great sums are rounded: nothing that comes to a bound is missed, and what is far from it is none.
  @Test(arguments: 0..<Wanted.cases(1, of: 10))
  func greatSumsAreRoundedUp(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var graph = Graph()
    let atoms = Self.atoms(40, in: &graph)
    let weights = atoms.map { _ in 300 + dice.roll(1000) }
    let all = weights.reduce(0, +)
    let isReached = WeightedSum(Array(zip(atoms, weights))).isAtLeast(all / 2, in: &graph)
    // A diagram of these that told all sums apart would have hundreds of thousands of nodes.
    #expect(graph.count < 60_000)
    for _ in 0..<Wanted.cases(40, of: 200) {
      var chosen = 0
      for place in atoms.indices where dice.chance(50) { chosen |= 1 << place }
      let total = weights.indices.reduce(0) { $0 + (chosen >> $1 & 1) * weights[$1] }
      let holds = Self.holds(isReached, chosen, of: atoms, in: graph)
      if total >= all / 2 { #expect(holds) }
      if total < all / 4 { #expect(!holds) }
    }
  }

  /// Of very many parts the smallest count in any case, and no number of them is too deep.
  @Test func veryManyPartsAreTooManyToTellApart() {
    var graph = Graph()
    let atoms = Self.atoms(5_000, in: &graph)
    let sum = WeightedSum(atoms.map { ($0, 1) })
    #expect(sum.isAtLeast(4_600, in: &graph) == .yes)
    #expect(sum.isAtLeast(5_001, in: &graph) == .no)
  }

  private static func atoms(_ count: Int, in graph: inout Graph) -> [Ref] {
    (0..<count).map { graph.atom(.type(TermID($0), .int)) }
  }

  /// Whether a proposition holds if the chosen atoms do.
  private static func holds(_ ref: Ref, _ chosen: Int, of atoms: [Ref], in graph: Graph) -> Bool {
    var values: [Bool] = []
    for node in 0..<graph.count {
      if let place = atoms.firstIndex(where: { Int($0.node) == node }) {
        values.append(chosen >> place & 1 == 1)
      } else {
        values.append(
          graph.children(of: node).allSatisfy { values[Int($0.node)] != $0.isNegated })
      }
    }
    return values[Int(ref.node)] != ref.isNegated
  }
}
