import RulesEncoding
import RulesEval
import RulesLang

// The documents of a match block, and how the documents of two rules files are divided into rows, one
// for each pattern in either file. A row covers the documents of its pattern that no narrower pattern
// covers, so a difference is found once, unless patterns overlap in part.

/// A set of document paths below the database root: literals, wildcards and at most one glob.
struct PathShape: Hashable {
  /// One part of a pattern.
  enum Step: Hashable {
    case literal(Text)
    case any
    case run
  }

  /// The parts.
  var steps: [Step]

  /// The shape of all documents.
  static let everything = PathShape(steps: [.run])

  /// Returns the segments of the shape's paths of a length, nil for any segment; nil if no path has
  /// that length.
  func texts(_ length: Int) -> [Text?]? {
    guard let run = steps.firstIndex(of: .run) else {
      return steps.count == length ? steps.map { $0.text } : nil
    }
    guard length >= steps.count - 1 else { return nil }
    let middle = [Text?](repeating: nil, count: length - steps.count + 1)
    return steps[..<run].map { $0.text } + middle + steps[(run + 1)...].map { $0.text }
  }

  /// True if every path of the other shape with one of these lengths has this shape, too.
  func covers(_ other: PathShape, lengths: [Int]) -> Bool {
    // Fast path: most shapes differ in the first segment.
    if case .literal(let mine)? = steps.first, case .literal(let theirs)? = other.steps.first,
      mine != theirs
    {
      return false
    }
    return lengths.allSatisfy { length in
      guard let theirs = other.texts(length) else { return true }
      guard let ours = texts(length) else { return false }
      return zip(ours, theirs).allSatisfy { $0.0 == nil || $0.0 == $0.1 }
    }
  }
}

extension PathShape.Step {
  /// The text of a literal.
  fileprivate var text: Text? {
    if case .literal(let text) = self { return text }
    return nil
  }
}

extension Checked {
  /// Returns the distinct shapes of reachable blocks with statements, with their patterns as
  /// written.
  func shapes() -> [(shape: PathShape, text: String)] {
    var found: [(shape: PathShape, text: String)] = []
    var known: Set<PathShape> = []
    for (index, match) in ruleset.matches.enumerated()
    where !match.allows.isEmpty && matches[index].isReachable
      && ruleset.services[match.service].name.text == Ruleset.firestoreService
    {
      guard let (shape, text) = shape(matches[index]) else { continue }
      if known.insert(shape).inserted { found.append((shape, text)) }
    }
    return found
  }

  /// Returns the shape of a block; nil if no document can match it.
  func shape(of match: MatchID) -> PathShape? {
    matches[match.index].isReachable ? shape(matches[match.index])?.0 : nil
  }

  private func shape(_ facts: MatchFacts) -> (PathShape, String)? {
    let root = database.root
    let pattern = facts.pattern
    if let glob = pattern.firstIndex(where: { $0.isGlob }), glob < root.count {
      return (.everything, "/{document=**}")
    }
    guard pattern.count > root.count else { return nil }
    for (step, text) in zip(pattern, root) {
      if case .literal(let wanted) = step, wanted != text { return nil }
    }
    var steps: [PathShape.Step] = []
    var text = ""
    for step in pattern[root.count...] {
      switch step {
      case .literal(let segment):
        steps.append(.literal(segment))
        text += "/" + String(segment)
      case .capture(let slot):
        steps.append(.any)
        text += "/{" + name(of: slot, in: facts) + "}"
      case .glob(let slot):
        steps.append(.run)
        text += "/{" + name(of: slot, in: facts) + "=**}"
      }
    }
    return (PathShape(steps: steps), text)
  }

  private func name(of slot: UInt8, in facts: MatchFacts) -> String {
    Int(slot) < facts.captures.count ? String(facts.captures[Int(slot)].text) : "_"
  }
}
