import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// What is changed in the tree decides as what is written out and read again.
@Suite struct TreeEditTests {
  private static let world = TinyWorld()

  @Test func aChangedTreeDecidesAsTheChangedTextDoes() throws {
    let count = Wanted.number("RULES_CHECK_TREES", usually: 12, sample: 1)
    let first = Wanted.seed("RULES_CHECK_SEED")
    var compared = 0
    var told = 0
    for seed in first..<(first + UInt64(count)) {
      var maker = PairMaker(seed: seed)
      let text = maker.pair().new
      let rules = try #require(
        Checker.check(SourceText(name: "random.rules", text)).checked, "\(text)")
      for (patch, overlay) in Self.versions(of: rules) {
        let read = Checker.check(patch.applied(to: rules.ruleset.source)).checked
        let written = Engine(try #require(read, "seed \(seed)"))
        let changed = Engine(try #require(rules.changed(by: overlay)))
        for (_, request, documents) in Self.world.requests {
          let one = try? written.decide(request, on: documents)
          let other = try? changed.decide(request, on: documents)
          #expect(one?.isAllowed == other?.isAllowed, "seed \(seed) \(patch)\n\(text)")
          #expect(
            one?.tried.map { $0.isError } == other?.tried.map { $0.isError }, "\(seed) \(patch)")
          let before = try? Engine(rules).decide(request, on: documents)
          if before?.isAllowed != other?.isAllowed { told += 1 }
        }
        compared += 1
      }
    }
    #expect(compared > 5 * count && told > compared)
  }

  /// Changes of every kind, each by itself and some together.
  private static func versions(of rules: Checked) -> [(Patch, Overlay)] {
    let bodies = RedundancyBody.all(rules)
    let text = RemovalText(rules, chains: bodies.flatMap { $0.chains })
    var removals: [Removal] = []
    for allow in rules.grantingStatements {
      removals.append(.statement(allow))
      let methods = rules.methods[allow.index].methods
      if methods.count > 1 { removals.append(.methods(allow, MethodSet(methods[0]))) }
      if rules.ruleset[allow].condition != nil { removals.append(.condition(allow)) }
    }
    for body in bodies {
      for chain in body.chains {
        removals += chain.operands.indices.map { .operand(chain: chain.id, index: $0) }
      }
      for id in body.conditionals {
        removals += [.branch(id, keepsFirst: true), .branch(id, keepsFirst: false)]
      }
    }
    let pairs = zip(removals, removals.dropFirst()).map { [$0.0, $0.1] }
    let chains = bodies.flatMap { $0.chains }
    func patch(_ removals: [Removal]) -> Patch {
      var patch = Patch()
      for removal in removals {
        switch removal {
        case .statement(let allow):
          let (operations, whole) = (
            rules.ruleset[allow].operationsRange, rules.ruleset[allow].range
          )
          patch.replace(SourceRange(start: operations.end, end: whole.end), with: ": if false;")
        case .operand(let id, let index):
          guard let chain = chains.first(where: { $0.id == id }) else { continue }
          patch.replace(rules.ruleset[chain.operands[index]].range, with: chain.neutral)
        case .methods, .condition, .branch, .parameter:
          for piece in text.asWritten([removal]).pieces {
            patch.replace(piece.range, with: piece.text)
          }
        }
      }
      return patch
    }
    return (removals.map { [$0] } + pairs).map { (patch($0), text.inEffect($0).overlay) }
      + formulas(of: rules)
  }

  /// Conditions with errors propagated, and formulas over them.
  private static func formulas(of rules: Checked) -> [(Patch, Overlay)] {
    var found: [(Patch, Overlay)] = []
    for index in rules.ruleset.allows.indices {
      guard let body = rules.ruleset.allows[index].condition else { continue }
      let whole = rules.ruleset[body.root].range
      let text = rules.ruleset.source.string(whole)
      let root = Formula.expression(body.root)
      var patch = Patch()
      patch.replace(whole, with: "(\(text)) || !(\(text)) && true")
      let formula = Formula.or(root, .and(.not(root), .constant(true)))
      found.append((patch, Overlay([.replaced(.condition(AllowID(index)), formula)])))
      for id in body.nodes {
        guard case .binary(.or, let left, let right) = rules.ruleset[id].kind else { continue }
        let sides = [left, right].map { rules.ruleset.source.string(rules.ruleset[$0].range) }
        var strict = Patch()
        strict.replace(
          rules.ruleset[id].range, with: "((\(sides[0])) ? true : (\(sides[1])) && true)")
        found.append((strict, Overlay([.rewritten(id, .strict)])))
      }
    }
    return found
  }
}
