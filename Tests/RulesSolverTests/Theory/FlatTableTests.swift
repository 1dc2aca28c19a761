import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// The tables of the search against plain arrays and dictionaries, at random.
@Suite struct FlatTableTests {
  /// Words that fall into few hashes, so that many different ones meet.
  private func hash(_ word: Int) -> Hash { Hash(UInt64(word % 7)) }

  @Test(arguments: 0..<20)
  func anIndexFindsWhatItHolds(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var index = HashIndex()
    var words: [Int] = []
    for _ in 0..<400 {
      let word = dice.roll(200)
      let found = index.first(hash(word)) { words[$0] == word }
      #expect(found == words.firstIndex(of: word))
      if found == nil {
        index.add(words.count, hash: hash(word))
        words.append(word)
      } else if dice.roll(3) == 0 {
        index.removeLast()
        words.removeLast()
      }
    }
    #expect(words.count > 20)
  }

  @Test(arguments: 0..<20)
  func chainsGrowAndShrinkAtTheirEnds(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var chains = UndoableMultimap<Int>(count: 5)
    var arrays: [[Int]] = Array(repeating: [], count: 5)
    var log: [Int] = []
    for number in 0..<300 {
      if let last = log.last, dice.roll(3) == 0 {
        log.removeLast()
        chains.removeLast(of: last)
        arrays[last].removeLast()
      } else {
        let term = dice.roll(5)
        log.append(term)
        chains.append(number, to: term)
        arrays[term].append(number)
      }
      for term in 0..<5 { #expect(Array(chains[term]) == arrays[term]) }
    }
  }

  @Test(arguments: 0..<20)
  func usesAreJoinedAndParted(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    let count = 12
    var uses = Uses(count: count)
    var arrays: [[TermID]] = Array(repeating: [], count: count)
    for number in 0..<20 {
      let term = dice.roll(count)
      uses.append(TermID(number), to: term)
      arrays[term].append(TermID(number))
    }
    var leaders = Array(0..<count)
    var log: [(small: Int, large: Int, last: Int32, before: [TermID])] = []
    for _ in 0..<100 {
      if dice.roll(3) == 0, let (small, large, last, before) = log.popLast() {
        uses.part(large, at: last)
        arrays[large] = before
        leaders.append(small)
      } else if leaders.count > 1 {
        let small = leaders.remove(at: dice.roll(leaders.count))
        let large = leaders[dice.roll(leaders.count)]
        log.append((small, large, uses.join(small, to: large), arrays[large]))
        arrays[large] += arrays[small]
        // What was joined last is still a sequence of its own, up to its end.
        #expect(Array(uses[small]) == arrays[small])
      }
      for leader in leaders { #expect(Array(uses[leader]) == arrays[leader]) }
    }
  }

  /// Conjunctions are the same node whatever the order, the grouping and the repetitions of parts.
  @Test(arguments: 0..<20)
  func conjunctionsOfTheSamePartsAreOneNode(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    var graph = Graph()
    let atoms = (0..<24).map { graph.atom(.type(TermID($0), .int)) }
    for _ in 0..<50 {
      let parts = (0..<(2 + dice.roll(20))).map { _ in atoms[dice.roll(atoms.count)] }
      let whole = graph.and(parts)
      #expect(graph.and(parts.reversed() + parts) == whole)
      let cut = dice.roll(parts.count)
      #expect(graph.and(graph.and(Array(parts[..<cut])), graph.and(Array(parts[cut...]))) == whole)
      #expect(graph.or(parts.map { !$0 }) == !whole)
      let distinct = Set(parts)
      if distinct.count > 1 {
        #expect(
          Array(graph.children(of: Int(whole.node))) == distinct.sorted { $0.raw < $1.raw })
      }
      #expect(graph.and(parts + [!parts[0]]) == .no)
    }
  }
}
