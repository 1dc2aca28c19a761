// What is decided next.

extension Search {
  /// The next decision: a part of an unjustified conjunction, to be made false; nil if all are justified.
  ///
  /// First come those that the question is made of. Of these and of the others those with the fewest open
  /// parts come first: there are always two, or the last one would have followed. To put those first that had
  /// a part in the last conflicts was tried and is worse: that ten terms which differ do not have nine values
  /// is not shown within the budget then.
  mutating func choose() -> Ref? {
    choose(isAsked: true) ?? choose(isAsked: false)
  }

  /// The next wish that is open.
  mutating func wish() -> Ref? {
    while nextWish < wishes.count {
      let next = wishes[nextWish]
      nextWish += 1
      steps += 1
      if value(of: next) == nil { return next }
    }
    return nil
  }

  private mutating func choose(isAsked: Bool) -> Ref? {
    var best: Ref?
    var fewest = Int.max
    var left =
      conflicts == 0 ? Self.firstChoice : isAsked ? Int.max : Self.greatestChoice
    var next = frontier.next(from: 0, isAsked: isAsked)
    while let index = next, left > 0, fewest > 2 {
      next = frontier.next(from: index + 1, isAsked: isAsked)
      guard let (part, count) = openPart(at: index) else { continue }
      left -= 1
      if count < fewest { (best, fewest) = (part, count) }
    }
    return best.map { !$0 }
  }

  /// As long as nothing contradicts the decisions, the best of so many is as good as any: of hundreds of
  /// conjunctions one after the other is justified, and to look at all of them each time takes most of a
  /// search.
  private static let firstChoice = 16

  /// Among so many that the question is not made of the best is chosen: hundreds of terms that are compared
  /// leave thousands of them, of which none matters much.
  private static let greatestChoice = 64

  /// The first open part of a conjunction of the frontier, and how many there are; nil if it is justified,
  /// and then it is left out for as long as it stays so.
  private mutating func openPart(at index: Int) -> (Ref, count: Int)? {
    let node = frontier[index]
    steps += 1
    // Mostly what justified it before still does.
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

  /// Leaves out a conjunction of the frontier for as long as its justifier justifies it.
  private mutating func settle(_ index: Int) {
    let node = frontier[index]
    let part = parts[Int(justifiers[Int(node)])]
    if value(of: part) != nil {
      frontier.settle(index)
    } else {
      frontier.sleep(index, until: part.node, of: graph.count)
    }
  }

  /// Whether a part is why a conjunction that does not hold needs no decision.
  private func justifies(_ part: Ref, _ node: Int32) -> Bool {
    switch value(of: part) {
    case .some(let holds): !holds
    // An axiom is satisfied by atoms that nobody asserts.
    case .none: isAxiom[Int(node)] && !part.isNegated && !graph.isGate(part.node)
    }
  }
}
