import RulesEval
import RulesLang

/// Relates the path of a claim to the pattern of a match block.
struct PathFit {
  /// Conditions that are true only of the block's documents outside of the claim; empty if there
  /// are none.
  private(set) var guards: [String] = []
  /// The block's expression for each variable of the claim.
  private var names: [String: String] = [:]
  /// The claim's variables without an expression in the block.
  private var unnamed: Set<String>

  /// Matches the claim's path with a block's; nil if no document has both, or if their globs overlap in
  /// a way that no condition can express.
  init?(_ claim: ClaimPath, in block: ClaimPath) {
    unnamed = Set(claim.variables.map { String($0) })
    let (own, theirs) = (claim.steps, block.steps)
    var start = 0
    while start < min(own.count, theirs.count), !own[start].isGlob, !theirs[start].isGlob {
      guard match(own[start], theirs[start]) else { return nil }
      start += 1
    }
    var end = 0
    while end < min(own.count, theirs.count) - start {
      let (one, other) = (own[own.count - 1 - end], theirs[theirs.count - 1 - end])
      if one.isGlob || other.isGlob { break }
      guard match(one, other) else { return nil }
      end += 1
    }
    let left = own[start..<(own.count - end)]
    let room = theirs[start..<(theirs.count - end)]
    guard room.count == 1, case .glob(let run)? = room.first else {
      // A glob of the claim has no expression where the block has single segments.
      if left.isEmpty && room.isEmpty { return }
      guard left.count == 1, left.first?.isGlob == true else { return nil }
      return
    }
    for (place, step) in left.enumerated() {
      switch step {
      case .glob(let name):
        if left.count == 1 { call(name, String(run)) }
        return
      case .capture(let name): call(name, "\(String(run))[\(place)]")
      // A literal inside a glob cannot be expressed as a condition.
      case .literal: continue
      }
    }
  }

  private mutating func call(_ name: Text, _ text: String) {
    names[String(name)] = text
    unnamed.remove(String(name))
  }

  /// True if one segment can match both steps; records the claim's variable or a guard.
  private mutating func match(_ own: ClaimPath.Step, _ theirs: ClaimPath.Step) -> Bool {
    switch (own, theirs) {
    case (.literal(let one), .literal(let other)): return one == other
    case (.literal(let text), .capture(let name)):
      guards.append("\(String(name)) != \(text.literal)")
    case (.capture(let name), .literal(let text)): call(name, text.literal)
    case (.capture(let name), .capture(let other)): call(name, String(other))
    case (.glob, _), (_, .glob): return false
    }
    return true
  }

  /// Returns a condition of the claim in terms of the block's names; nil if a variable has no
  /// expression.
  func text(of condition: Text) -> String? {
    let source = SourceText(name: "", bytes: condition.bytes)
    var isMember = false
    for range in source.tokenRanges {
      let word = source.string(range)
      if !isMember, unnamed.contains(word) { return nil }
      isMember = word == "."
    }
    return String(condition).renaming(names)
  }
}
