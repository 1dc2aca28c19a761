import RulesLang
import Testing

@testable import RulesEval

/// The tree of segments against comparing every block.
@Suite struct DispatchTests {
  @Test func theTreeFindsTheBlocksThatMatchOneByOneInTheirOrder() throws {
    var compared = 0
    var matched = 0
    for seed in 0..<300 {
      var dice = Dice(seed: 11, UInt64(seed))
      let version = dice.chance(80) ? "2" : "1"
      let rules = rules(version, &dice)
      guard let checked = Checker.check(SourceText(name: "dispatch.rules", rules)).checked else {
        continue
      }
      var symbols = Symbols()
      let dispatch = Dispatch(checked, symbols: &symbols)
      for _ in 0..<20 {
        let path = path(&dice)
        compared += 1
        let found = blocks(dispatch, path, symbols)
        let expected = self.expected(checked, path)
        matched += expected.count
        #expect(found == expected, "\(path)\n\(rules)")
      }
    }
    #expect(compared > 2000)
    #expect(matched > 500)
  }

  private func rules(_ version: String, _ dice: inout Dice) -> String {
    var text = "rules_version = '\(version)';\nservice cloud.firestore {\n"
    for _ in 0..<dice.roll(1...6) { text += block(0, &dice) }
    return text + "}\n"
  }

  private func block(_ depth: Int, _ dice: inout Dice) -> String {
    var text = "match "
    for place in 0..<dice.roll(1...3) {
      text += dice.pick(["/a", "/b", "/c", "/{x\(depth)\(place)}", "/{x\(depth)\(place)=**}"])
    }
    text += " {\n"
    if dice.chance(80) { text += "allow get: if true;\n" } else { text += "allow list;\n" }
    if depth < 3, dice.chance(50) { text += block(depth + 1, &dice) }
    if depth < 2, dice.chance(30) { text += block(depth + 1, &dice) }
    return text + "}\n"
  }

  private func path(_ dice: inout Dice) -> [RequestStep] {
    var path = dice.several(0...6) {
      RequestStep.segment(Text($0.pick(["a", "b", "c", "d", "é"])))
    }
    if dice.chance(20), !path.isEmpty { path[path.count - 1] = .anyDocument }
    if dice.chance(20), path.count > 1 { path[path.count - 2] = .anyDocument }
    if dice.chance(10), path.count > 1 { path[dice.roll(path.count - 1)] = .anyRun }
    return path
  }

  private func blocks(
    _ dispatch: borrowing Dispatch, _ path: [RequestStep], _ symbols: borrowing Symbols
  ) -> [MatchID] {
    var steps = Table<Dispatch.Step>()
    for step in path {
      switch step {
      case .segment(let text):
        var words = Table<UInt64>()
        words.append(text)
        let place = TextPlace(start: 0, count: UInt32(text.bytes.count))
        steps.append(Dispatch.Step(symbols.find(place, in: words)))
      case .anyDocument: steps.append(.anyDocument)
      case .anyRun: steps.append(.anyRun)
      }
    }
    var found = Table<UInt32>()
    dispatch.find(steps, from: 0, count: steps.count, into: &found)
    var matches: [MatchID] = []
    for place in 0..<found.count { matches.append(dispatch.blocks[Int(found[place])].match) }
    return matches
  }

  /// The blocks with statements that match, found as the engine does.
  private func expected(_ rules: Checked, _ path: [RequestStep]) -> [MatchID] {
    rules.blocksInOrder.filter { id in
      let facts = rules.matches[id.index]
      return facts.isReachable && !rules.ruleset[id].allows.isEmpty
        && PathMatch.captures(of: facts, for: path, version: rules.ruleset.version) != nil
    }
  }
}
