// Conflict analysis: learns a clause and backjumps to the level at which it would have propagated.
// A learned clause is stored as a conjunction that is always false.

extension Search {
  /// Learns from a conflict and backjumps; false if no decision is left to undo.
  mutating func resolve(_ first: [Int32]) -> Bool {
    var conflict = first
    while true {
      conflicts += 1
      steps += trail.count + 8 * conflict.count
      let top = conflict.map { levels[Int($0)] }.max() ?? 0
      if Int(top) <= firstLevel {
        if top == 0 { isContradictory = true }
        back(to: max(0, Int(top) - 1))
        return false
      }
      if Int(top) < marks.count { back(to: Int(top)) }
      let (nodes, level) = analyze(conflict)
      var parts = nodes.map { values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0) }
      proof.append(.learned(parts.map { !$0 }))
      // The watched literals: the asserting one, and the one of the highest remaining level.
      if let last = parts.indices.dropFirst().max(by: {
        levels[Int(nodes[$0])] < levels[Int(nodes[$1])]
      }) {
        parts.swapAt(1, last)
      }
      back(to: level)
      var reason = nodes.dropFirst().map { $0 }
      if parts.count > 1 { reason.append(learn(parts)) }
      guard let next = assign(!parts[0], because: reason) else { return true }
      conflict = next
    }
  }

  /// Adds a conjunction that is always false, and watches its first two parts.
  mutating func learn(_ conjunction: [Ref]) -> Int32 {
    let node = Int32(values.count)
    parts.append(contentsOf: conjunction)
    starts.append(Int32(parts.count))
    steps += 8 * conjunction.count
    values.append(-1)
    reasons.append(.none)
    levels.append(0)
    if watchers.isEmpty { watchers = Array(repeating: [], count: 2 * graph.count) }
    for part in conjunction.prefix(2) { watchers[Int(part.raw)].append(node) }
    return node
  }

  /// Returns the first unique implication point of a conflict, followed by the nodes of earlier
  /// levels that the conflict depends on, and the level to backjump to.
  private mutating func analyze(_ conflict: [Int32]) -> (nodes: [Int32], level: Int) {
    let current = Int32(marks.count)
    analyses += 1
    var earlier: [Int32] = []
    var open = 0
    func feed(_ nodes: some Sequence<Int32>) {
      for node in nodes where levels[Int(node)] > 0 && blamed[Int(node)] != analyses {
        blamed[Int(node)] = analyses
        if levels[Int(node)] == current { open += 1 } else { earlier.append(node) }
      }
    }
    feed(conflict)
    var place = trail.count - 1
    while true {
      while blamed[Int(trail[place])] != analyses || levels[Int(trail[place])] != current {
        place -= 1
      }
      let node = trail[place]
      place -= 1
      open -= 1
      if open == 0 {
        let level = earlier.map { levels[Int($0)] }.max() ?? 0
        return ([node] + earlier, Int(level))
      }
      let reason = reasons[Int(node)]
      feed(because[Int(reason.start)..<Int(reason.end)])
    }
  }

  /// Undoes all decisions above `level`.
  mutating func back(to level: Int) {
    guard level < marks.count else { return }
    take(back: marks[level])
    marks.removeLast(marks.count - level)
  }

  /// Undoes everything since a mark.
  mutating func take(back mark: Mark) {
    while trail.count > mark.trail {
      let node = trail.removeLast()
      values[Int(node)] = 0
      reasons[Int(node)] = .none
      levels[Int(node)] = 0
    }
    theory.back(to: mark.theory)
    decisionQueue.back(to: mark.decisionQueue, settled: mark.settled)
    because.removeLast(because.count - mark.because)
  }

  /// Returns the clause "not all of these nodes have their present values".
  func clause(against nodes: [Int32]) -> [Ref] {
    Set(nodes).sorted().map { values[Int($0)] > 0 ? !Ref(node: $0) : Ref(node: $0) }
  }
}
