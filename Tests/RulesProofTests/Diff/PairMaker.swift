@testable import RulesTesting

/// Makes rules files and versions of them that may or may not mean the same.
struct PairMaker {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int(random.next() % UInt64(choices.count))]
  }

  private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  /// An older and a newer rules file.
  mutating func pair() -> (old: String, new: String) {
    var statements: [(methods: String, condition: Condition)] = []
    for _ in 0..<(1 + Int(random.next() % 3)) { statements.append((methods(), condition(3))) }
    var changed = statements
    if chance(70) {
      let place = Int(random.next() % UInt64(changed.count))
      changed[place].condition = mutated(changed[place].condition)
    }
    if chance(30) { changed.append((methods(), condition(2))) }
    if chance(20), changed.count > 1 { changed.removeFirst() }
    var texts: [String] = []
    for statement in changed {
      texts.append("      allow \(statement.methods): if \(rewritten(statement.condition).text);")
    }
    let old = statements.map { "      allow \($0.methods): if \($0.condition.text);" }
    texts.shuffle(using: &random)
    return (file(old, "/t/{id}"), file(texts, pick(["/t/{id}", "/t/{id}", "/{c}/{id}"])))
  }

  private func file(_ statements: [String], _ pattern: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function on() { return request.auth != null; }
        function same(a, b) { return a == b; }
        match \(pattern) {
    \(statements.joined(separator: "\n"))
        }
      }
    }

    """
  }

  private mutating func methods() -> String {
    pick(["read", "write", "read, write", "get", "update", "create", "list", "delete, update"])
  }

  /// A condition as a tree.
  indirect enum Condition {
    case leaf(String)
    case not(Condition)
    case and(Condition, Condition)
    case or(Condition, Condition)

    var text: String {
      switch self {
      case .leaf(let text): text
      case .not(let inner): "!(\(inner.text))"
      case .and(let left, let right): "(\(left.text) && \(right.text))"
      case .or(let left, let right): "(\(left.text) || \(right.text))"
      }
    }
  }

  private mutating func condition(_ depth: Int) -> Condition {
    if depth == 0 || chance(35) { return .leaf(leaf()) }
    switch random.next() % 5 {
    case 0: return .not(condition(depth - 1))
    case 1, 2: return .and(condition(depth - 1), condition(depth - 1))
    default: return .or(condition(depth - 1), condition(depth - 1))
    }
  }

  private mutating func leaf() -> String {
    pick([
      "request.auth != null", "on()", "request.auth.uid == id", "same(request.auth.uid, id)",
      "request.auth.token.admin == true", "resource.data.x == 1", "resource.data.x == 'a'",
      "resource.data.x == true", "resource.data.x", "'x' in resource.data", "resource == null",
      "resource.data.y > 3", "resource.data.get('y', 9) < 7", "resource.data.x is string",
      "resource.data.keys().hasOnly(['x', 'y'])", "request.resource.data.x == resource.data.x",
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['x'])",
      "request.resource.data.keys().hasAll(['x'])", "request.resource.data.size() <= 1",
      "request.auth.uid in [id, 'b']", "resource.data.y == id", "request.query.limit <= 5",
      "request.resource.data.y != null", "id == 'a'", "true", "false",
    ])
  }

  /// Another condition that is probably not the same.
  private mutating func mutated(_ condition: Condition) -> Condition {
    if chance(25) { return .leaf(leaf()) }
    switch condition {
    case .leaf: return chance(50) ? .not(condition) : .and(condition, .leaf(leaf()))
    case .not(let inner): return chance(30) ? inner : .not(mutated(inner))
    case .and(let left, let right):
      return chance(50) ? .and(mutated(left), right) : chance(30) ? right : .or(left, right)
    case .or(let left, let right):
      return chance(50) ? .or(left, mutated(right)) : chance(30) ? left : .and(left, right)
    }
  }

  /// The same condition, written otherwise.
  private mutating func rewritten(_ condition: Condition) -> Condition {
    switch condition {
    case .leaf: return chance(10) ? .not(.not(condition)) : condition
    case .not(.and(let left, let right)):
      return .or(.not(rewritten(left)), .not(rewritten(right)))
    case .not(let inner): return .not(rewritten(inner))
    case .and(let left, let right):
      if case .or(let one, let other) = right, chance(50) {
        return .or(.and(left, rewritten(one)), .and(left, rewritten(other)))
      }
      return .and(rewritten(right), rewritten(left))
    case .or(let left, let right): return .or(rewritten(right), rewritten(left))
    }
  }
}
