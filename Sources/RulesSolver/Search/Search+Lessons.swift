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
