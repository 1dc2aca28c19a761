// Decision heuristics.

extension Search {
  /// Returns the next decision: an open part of an unjustified conjunction, negated; nil if all are
  /// justified.
  ///
  /// Conjunctions of the query's cone come first, and among these the one with the fewest open
  /// parts (at least two, or the last one would have been propagated). Preferring parts of recent
  /// conflicts (VSIDS) was tried and is worse: the pigeonhole problem of ten different terms with
  /// nine values then exceeds the budget.
  mutating func choose() -> Ref? {
    choose(isAsked: true) ?? choose(isAsked: false)
  }

  private mutating func choose(isAsked: Bool) -> Ref? {
    var best: Ref?
    var fewest = Int.max
    var next = decisionQueue.next(from: 0, isAsked: isAsked)
    while let index = next, fewest > 2 {
      next = decisionQueue.next(from: index + 1, isAsked: isAsked)
      guard let (part, count) = openPart(at: index) else { continue }
      if count < fewest { (best, fewest) = (part, count) }
    }
    return best.map { !$0 }
  }

  /// Returns the first open part of a queued conjunction, and the number of open parts; nil if the
  /// conjunction is justified, in which case it is skipped while that lasts.
  private mutating func openPart(at index: Int) -> (Ref, count: Int)? {
    let node = decisionQueue[index]
    steps += 1
    // The previous justifier usually still holds.
    if justifies(parts[Int(justifiers[Int(node)])], node) {
      settle(index)
      return nil
    }
    var open: Ref?
    var count = 0
    steps += 2
    for place in partRange(of: node) {
      let part = parts[place]
      steps += 1
      if justifies(part, node) {
        justifiers[Int(node)] = Int32(place)
        settle(index)
        return nil
      }
      if value(of: part) == nil {
        if open == nil { open = part }
        count += 1
      }
    }
    return open.map { ($0, count) }
  }

  /// Skips a queued conjunction while its justifier lasts.
  private mutating func settle(_ index: Int) {
    let node = decisionQueue[index]
    let part = parts[Int(justifiers[Int(node)])]
    if value(of: part) != nil { decisionQueue.settle(index) }
  }

  /// True if this part justifies the false conjunction `node`.
  private func justifies(_ part: Ref, _ node: Int32) -> Bool {
    switch value(of: part) {
    case .some(let holds): !holds
    // An axiom is satisfied by atoms that nothing asserts.
    case .none: isAxiom[Int(node)] && !part.isNegated && !graph.isGate(part.node)
    }
  }
}
