// What is kept of what was learned, and when a search begins anew with it.

extension Search {
  /// What was learned, at most `greatest` of it: the last and of few parts. Each is a conjunction that
  /// never holds.
  func lessons(atMost greatest: Int) -> [[Ref]] {
    var found: [[Ref]] = []
    for node in (graph.count..<values.count).reversed() where found.count < greatest {
      let range = Int(starts[node])..<Int(starts[node + 1])
      if range.count <= Self.greatestLesson { found.append(Array(parts[range])) }
    }
    return found.reversed()
  }

  /// How many conjunctions were learned.
  var lessonCount: Int { values.count - graph.count }

  /// What has more parts is seldom of use to another question.
  private static let greatestLesson = 8

  /// Adds what was learned before, and follows from what is stated. Nothing may be decided.
  mutating func add(_ lessons: [[Ref]]) {
    for lesson in lessons where !isContradictory {
      let open = lesson.filter { value(of: $0) != true }
      // It holds already that this does not.
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

  /// Forgets the last question, and all that was learned but some lessons, which must follow from what is
  /// stated; not that what is stated contradicts itself. Propositions that were added to the graph since are
  /// known from now on; there may be no atoms among them.
  mutating func forget(keeping lessons: [[Ref]], in graph: Graph, within budget: SearchBudget) {
    // What was left half done for want of steps must not be so again.
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

  /// Takes in what was added to the graph. Nothing may be decided or learned.
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
    // The table of gates is moved, a nanosecond for each part.
    steps += 4 * more + (new.count + new.parts.count) / 4
    for node in old..<new.count where !isContradictory {
      // What follows from what is stated holds before any decision.
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

  /// Takes back all decisions but those of the question, if there were many conflicts since that was done
  /// last: what was learned since shows better what to begin with. The numbers are those of Luby, Sinclair
  /// and Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993).
  mutating func restart() {
    guard conflicts >= nextRestart else { return }
    restarts += 1
    nextRestart = conflicts + Self.restartUnit * Self.luby(restarts + 1)
    back(to: firstLevel)
  }

  /// Before so many conflicts no search begins anew; most have none.
  static let restartUnit = 100

  /// The numbers 1, 1, 2, 1, 1, 2, 4, 1, …, from the first on.
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
