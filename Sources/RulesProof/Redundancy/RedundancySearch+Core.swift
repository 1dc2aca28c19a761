import RulesLang

// A part can be redundant because of conditions in other functions. To find these, conjuncts
// elsewhere are left out, too, which only grants more. Alternatives of disjunctions elsewhere are
// never left out: without all of them nothing would be granted, and everything else would seem
// redundant.

extension RedundancySearch {
  /// Returns the places on which a finding about a part of a condition depends.
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
    // Usually the finding depends only on the operand after it; then one question settles all
    // others.
    if let last = neighbours.near.last, core.canDrop(apart + neighbours.near.dropLast()) {
      core.drop([last])
    } else {
      core.drop(apart)
      for operand in neighbours.near { core.drop([operand]) }
    }
    return core.causes(in: rules, chains: bodies.flatMap { $0.chains })
  }

  /// Returns the other statements on which a finding can depend: those that may match a common
  /// request, or all if conditions read the state after a commit.
  func others(beside own: [AllowID]) -> [AllowID] {
    let others = statements.filter { !own.contains($0) }
    return rules.looksAhead ? others : rules.statements(others, sharingRequestsWith: own)
  }

  /// Returns the conjuncts of statements and their functions in other bodies, except those that
  /// contain or call the examined part.
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

  /// Returns the other alternatives of the disjunctions around a removal. Without all of its
  /// conjuncts, one of them would grant everything, and everything else would seem redundant.
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
  /// Returns the functions that evaluating an expression may call.
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
