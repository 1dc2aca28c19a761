import RulesLang

// A part can be redundant because of what another function asks for. To see it, conjuncts elsewhere are
// left out, too: that only lets more requests in. An alternative of a disjunction elsewhere is never left
// out, since without all of them nothing would be granted, and then everything else would seem to be
// redundant.

extension RedundancySearch {
  /// The places that a finding about a part of a condition rests on.
  func core(of removal: Removal, _ body: RedundancyBody) -> [RedundancyFinding.Cause] {
    var core = RedundancyCore(trial) {
      text.inEffect([removal], without: $0)
    } without: {
      text.inEffect([], without: $0)
    }
    let own =
      switch body.owner {
      case .statement(let allow): [allow]
      case .function(let function):
        statements.filter { rules.functions(reachedFrom: [$0]).contains(function) }
      }
    let neighbours = body.neighbours(of: removal, rules.ruleset)
    let apart =
      others(beside: own).map { Removal.statement($0) } + neighbours.far
      + conjunctsElsewhere(of: own, from: body, without: removal)
    // Mostly it rests on what stands behind it alone, and then one question tells of all others.
    if let last = neighbours.near.last, core.canDrop(apart + neighbours.near.dropLast()) {
      core.drop([last])
    } else {
      core.drop(apart)
      for operand in neighbours.near { core.drop([operand]) }
    }
    return core.causes(in: rules, chains: bodies.flatMap { $0.chains })
  }

  /// The other statements on which a finding about some can rest: those that are for requests which meet one
  /// of these, too, or all if conditions look at what other writes of a commit leave behind.
  func others(beside own: [AllowID]) -> [AllowID] {
    let others = statements.filter { !own.contains($0) }
    return rules.looksAhead ? others : rules.statements(others, sharingRequestsWith: own)
  }

  /// The conjuncts of some statements, and of the functions that they call, in other bodies than the one from
  /// which something is removed; but for those that are or call what is looked at.
  private func conjunctsElsewhere(
    of own: [AllowID], from body: RedundancyBody, without removal: Removal
  ) -> [Removal] {
    let called = rules.functions(reachedFrom: own, without: text.asWritten([removal]))
    let near = bodies.filter { other in
      guard other.body != body.body else { return false }
      switch other.owner {
      case .statement(let allow): return own.contains(allow)
      case .function(let function): return called.contains(function)
      }
    }
    let alternatives = alternatives(beside: removal, from: body, in: near + [body])
    let closed = alternatives.reduce(into: Set<FunctionID>()) {
      $0.formUnion(rules.functionsCalled(in: $1))
    }
    return near.filter { other in
      guard case .function(let function) = other.owner else { return true }
      return !closed.contains(function)
    }.flatMap { other in
      other.chains.filter { chain in
        let range = rules.ruleset[chain.id].range
        return chain.isAnd && !alternatives.contains { rules.ruleset[$0].range.swallows(range) }
      }.flatMap { chain in
        chain.operands.indices.filter { !leads(chain.operands[$0], to: body.owner) }.map {
          Removal.operand(chain: chain.id, index: $0)
        }
      }
    }
  }

  /// The other alternatives of the disjunctions that what is removed stands in. Without all of its conjuncts
  /// one of them would let everything in, and then everything else would seem to be redundant.
  private func alternatives(
    beside removal: Removal, from body: RedundancyBody, in bodies: [RedundancyBody]
  ) -> [ExprID] {
    var place: SourceRange?
    if case .operand(let id, let index) = removal,
      let chain = body.chains.first(where: { $0.id == id })
    {
      place = rules.ruleset[chain.operands[index]].range
    }
    return bodies.flatMap { $0.chains }.filter { !$0.isAnd }.flatMap { chain -> [ExprID] in
      let others = chain.operands.filter { operand in
        let isAround = place.map { rules.ruleset[operand].range.swallows($0) } ?? false
        return !isAround && !leads(operand, to: body.owner)
      }
      return others.count < chain.operands.count ? others : []
    }
  }

  private func leads(_ id: ExprID, to owner: RedundancyBody.Owner) -> Bool {
    guard case .function(let function) = owner else { return false }
    return rules.functionsCalled(in: id).contains(function)
  }
}

extension Checked {
  /// The functions that evaluating an expression can come to.
  func functionsCalled(in root: ExprID) -> Set<FunctionID> {
    var found: Set<FunctionID> = []
    var rest = [root]
    while let next = rest.popLast() {
      if case .function(let function) = binding(next), found.insert(function).inserted {
        rest += ruleset[function].bodies.map { $0.root }
      }
      rest += ruleset[next].operands
    }
    return found
  }
}
