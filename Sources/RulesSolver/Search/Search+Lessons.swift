// The learned-clause cache, and restarts.

extension Search {
  /// Returns the newest `greatest` learned conjunctions with few parts. Each is always false.
  func lessons(atMost greatest: Int) -> [[Ref]] {
    var found: [[Ref]] = []
    for node in (graph.count..<values.count).reversed() where found.count < greatest {
      let range = Int(starts[node])..<Int(starts[node + 1])
      if range.count <= Self.greatestLesson { found.append(Array(parts[range])) }
    }
    return found.reversed()
  }

  /// The number of learned conjunctions.
  var lessonCount: Int { values.count - graph.count }

  /// Maximum parts of a kept conjunction; longer ones rarely help another query.
  private static let greatestLesson = 8

  /// Adds conjunctions learned by earlier searches.
  ///
  /// - Requires: They follow from the stated axioms, and nothing is decided.
  mutating func add(_ lessons: [[Ref]]) {
    for lesson in lessons where !isContradictory {
      let open = lesson.filter { value(of: $0) != true }
      // The conjunction is known to be false.
      if open.contains(where: { value(of: $0) == false }) { continue }
      guard let first = open.first else {
        isContradictory = true
        return
      }
      if open.count > 1 {
        _ = learn(open)
      } else {
        isContradictory = assign(!first, because: []) != nil
      }
    }
  }

  /// Forgets the last query and all learned conjunctions except `lessons`, and takes in
  /// conjunctions that were added to the graph since. That the axioms are contradictory is not
  /// forgotten.
  ///
  /// - Requires: The lessons follow from the stated axioms, and the graph has no new atoms.
  mutating func forget(keeping lessons: [[Ref]], in graph: Graph, within budget: SearchBudget) {
    // Work that the old budget interrupted is redone.
    use(budget)
    back(to: 0)
    take(back: base)
    frontier.wakeAll()
    let count = self.graph.count
    if !watchers.isEmpty {
      for part in parts[self.graph.parts.count...] { watchers[Int(part.raw)] = [] }
    }
    parts.removeLast(parts.count - self.graph.parts.count)
    starts.removeLast(starts.count - count - 1)
    values.removeLast(values.count - count)
    reasons.removeLast(reasons.count - count)
    levels.removeLast(levels.count - count)
    if graph.count > count { grow(to: graph) }
    add(lessons)
  }

  /// Takes in new nodes of the graph.
  ///
  /// - Requires: Nothing is decided or learned.
  private mutating func grow(to new: Graph) {
    let old = graph.count
    let more = new.count - old
    starts.append(contentsOf: new.starts[graph.starts.count...])
    parts.append(contentsOf: new.parts[graph.parts.count...])
    graph.follow(new)
    values.append(contentsOf: repeatElement(0, count: more))
    reasons.append(contentsOf: repeatElement(.none, count: more))
    levels.append(contentsOf: repeatElement(0, count: more))
    blamed.append(contentsOf: repeatElement(0, count: more))
    isAxiom.append(contentsOf: repeatElement(false, count: more))
    justifiers.append(contentsOf: new.starts[old..<new.count])
    doubtful.append(contentsOf: new.starts[old..<new.count].map { ($0, $0) })
    new.addGates(after: old, to: &gateStarts, &gates)
    watchers = []
    (cones, times, assumptions) = ([:], [:], [])
    asked = Array(repeating: 0, count: (new.count + 63) / 64)
    // Moving the table of gates costs a nanosecond for each part.
    steps += 4 * more + (new.count + new.parts.count) / 4
    for node in old..<new.count where !isContradictory {
      // Consequences of the axioms are assigned at level 0.
      let known = new.children(of: node).map { value(of: $0) }
      if known.contains(false) {
        isContradictory = assign(!Ref(node: Int32(node)), because: []) != nil
      } else if !known.contains(nil) {
        isContradictory = assign(Ref(node: Int32(node)), because: []) != nil
      }
    }
    base = present
  }

  // MARK: Beginning anew

  /// Restarts after a number of conflicts: undoes all decisions except the assumptions, since the
  /// learned clauses suggest better ones. The intervals are the Luby sequence (Luby, Sinclair and
  /// Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
  mutating func restart() {
    guard conflicts >= nextRestart else { return }
    restarts += 1
    nextRestart = conflicts + Self.restartUnit * Self.luby(restarts + 1)
    back(to: firstLevel)
  }

  /// Conflicts before the first restart; most searches have none.
  static let restartUnit = 100

  /// Returns an element of the Luby sequence 1, 1, 2, 1, 1, 2, 4, 1, …, counted from 1.
  static func luby(_ number: Int) -> Int {
    var (number, size) = (number, 1)
    while size < number { size = 2 * size + 1 }
    while size != number {
      size /= 2
      if number > size { number -= size }
    }
    return (size + 1) / 2
  }
}
