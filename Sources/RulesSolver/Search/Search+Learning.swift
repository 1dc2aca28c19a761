// A conflict teaches a conjunction that never holds; the search goes back to where it would have helped.

extension Search {
  /// Learns from a conflict and goes back; false if there is nothing to go back to.
  mutating func resolve(_ first: [Int32]) -> Bool {
    var conflict = first
    while true {
      conflicts += 1
      steps += trail.count + 8 * conflict.count
      let top = conflict.map { levels[Int($0)] }.max() ?? 0
      if Int(top) <= firstLevel {
        if top == 0 { isContradictory = true }
        note(conflict, with: nil)
        back(to: max(0, Int(top) - 1))
        return false
      }
      if Int(top) < marks.count { back(to: Int(top)) }
      let (nodes, level) = analyze(conflict)
      var parts = nodes.map { values[Int($0)] > 0 ? Ref(node: $0) : !Ref(node: $0) }
      proof.append(.learned(parts.map { !$0 }))
      // What is open again first is watched, beside what is open at once.
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

  /// Remembers which parts of the question a conflict rests on, all decisions in force being those of the
  /// question; `last` is one that was being decided.
  mutating func note(_ conflict: [Int32], with last: Ref?) {
    let asked = graph.conjuncts(of: assumptions)
    analyses += 1
    var found = last.map { [$0] } ?? []
    var open = conflict
    while let node = open.popLast() {
      // What holds before any decision needs no reason.
      if levels[Int(node)] == 0 || blamed[Int(node)] == analyses { continue }
      blamed[Int(node)] = analyses
      steps += 1
      let literal = values[Int(node)] > 0 ? Ref(node: node) : !Ref(node: node)
      if asked.contains(literal) {
        if literal != last { found.append(literal) }
        continue
      }
      let reason = reasons[Int(node)]
      // Nothing else was decided.
      if reason.start == reason.end { return }
      open += because[Int(reason.start)..<Int(reason.end)]
    }
    core = found
  }

  /// Adds a conjunction that never holds.
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

  /// The first unique implication point of a conflict with the nodes of earlier levels that it
  /// needs, the point first; and the level to go back to.
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

  /// Takes back all decisions after some of them.
  mutating func back(to level: Int) {
    guard level < marks.count else { return }
    take(back: marks[level])
    marks.removeLast(marks.count - level)
  }

  /// Takes back all that was done since a mark.
  mutating func take(back mark: Mark) {
    while trail.count > mark.trail {
      let node = trail.removeLast()
      values[Int(node)] = 0
      reasons[Int(node)] = .none
      levels[Int(node)] = 0
    }
    theory.back(to: mark.theory)
    nextWish = 0
    frontier.back(to: mark.frontier, settled: mark.settled)
    because.removeLast(because.count - mark.because)
  }

  /// The clause that says that not all nodes can have their present values.
  func clause(against nodes: [Int32]) -> [Ref] {
    Set(nodes).sorted().map { values[Int($0)] > 0 ? !Ref(node: $0) : Ref(node: $0) }
  }
}
