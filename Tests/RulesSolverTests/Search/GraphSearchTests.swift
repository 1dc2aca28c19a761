import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// What is known of a graph is known of it once it has grown, as if it had been asked for anew.
@Suite struct GraphSearchTests {
  @Test(arguments: 0..<60)
  func gatesAreAddedWhereTheyBelong(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var graph = Graph()
    var refs = (0..<12).map { graph.atom(.type(TermID($0), .int)) }
    func addGates(_ count: Int) {
      for _ in 0..<count {
        let parts = (0..<(2 + dice.roll(3))).map { _ in
          let ref = refs[dice.roll(refs.count)]
          return dice.roll(2) == 0 ? ref : !ref
        }
        refs.append(graph.and(parts))
      }
    }
    addGates(dice.roll(30))
    var (starts, gates) = graph.gatesByPart()
    for _ in 0..<3 {
      let known = graph.count
      addGates(dice.roll(20))
      graph.addGates(after: known, to: &starts, &gates)
      let anew = graph.gatesByPart()
      #expect(starts == anew.starts)
      #expect(gates == anew.gates)
    }
  }
}
