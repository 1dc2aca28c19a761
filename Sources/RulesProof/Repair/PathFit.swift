import RulesEval
import RulesLang

/// The part of a match block's documents that a claim is about.
struct PathFit {
  /// Conditions that are true only of the block's documents outside of the claim; empty if there are no such
  /// documents.
  private(set) var guards: [String] = []
  /// The block's expression for each variable of the claim.
  private var names: [String: String] = [:]
  /// The claim's variables that have no name there.
  private var unnamed: Set<String>

  /// Fits a path into that of a block; nil if no document has both.
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
      // The claim's run of segments has no name where the block has single ones.
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
      // A literal inside of a run cannot be compared document by document.
      case .literal: continue
      }
    }
  }

  private mutating func call(_ name: Text, _ text: String) {
    names[String(name)] = text
    unnamed.remove(String(name))
  }

  /// True if a segment can be both; says so of the claim's variable.
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

  /// A condition of the claim in the names of the block; nil if it speaks of a variable that has none there.
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
