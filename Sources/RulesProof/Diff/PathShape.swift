import RulesEval
import RulesLang

// Which documents a match block is for, and how the documents of two rules files fall into rows: one
// for each pattern that either file writes. A row is about the documents of its pattern that no more
// special row is about, so that a difference is found once.

/// The documents that a pattern stands for, below the database root.
struct PathShape: Hashable {
  /// One part of a pattern.
  enum Step: Hashable {
    case literal(Text)
    case any
    case run
  }

  /// The parts.
  var steps: [Step]

  /// All documents.
  static let everything = PathShape(steps: [.run])

  /// The segments of paths with a length, nil for any text; nil if no path is that long.
  func texts(_ length: Int) -> [Text?]? {
    guard let run = steps.firstIndex(of: .run) else {
      return steps.count == length ? steps.map { $0.text } : nil
    }
    guard length >= steps.count - 1 else { return nil }
    let middle = [Text?](repeating: nil, count: length - steps.count + 1)
    return steps[..<run].map { $0.text } + middle + steps[(run + 1)...].map { $0.text }
  }

  /// Whether every path of the other shape, among those that long, has this shape, too.
  func covers(_ other: PathShape, _ lengths: [Int]) -> Bool {
    // Most shapes of a file are told apart by their first segment.
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
  /// The shapes of the blocks that have statements, each with its pattern as it is written.
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

  private func shape(_ facts: MatchFacts) -> (PathShape, String)? {
    let root = DocumentPath.root
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
        text += "/{" + name(slot, facts) + "}"
      case .glob(let slot):
        steps.append(.run)
        text += "/{" + name(slot, facts) + "=**}"
      }
    }
    return (PathShape(steps: steps), text)
  }

  private func name(_ slot: UInt8, _ facts: MatchFacts) -> String {
    Int(slot) < facts.captures.count ? String(facts.captures[Int(slot)].text) : "_"
  }
}

/// The documents of one pattern that no more special row is about.
struct DiffRow {
  /// The pattern as one of the files writes it.
  var text: String
  /// Its paths by length, nil for any text, with those that belong to other rows.
  var paths: [(path: [Text?], except: [[Text?]])]
  /// The length of those paths that stand for all longer ones, too; nil if all have one length.
  var open: Int?

  /// The rows of two rules files: those of the newer one first, in the order in which it has them.
  /// Rows of which no path is wanted are left out.
  static func all(
    _ old: Checked, _ new: Checked, within budget: Budget,
    where isWanted: ([Text?]) -> Bool = { _ in true }
  ) -> [DiffRow] {
    var shapes = new.shapes()
    let known = Set(shapes.map { $0.shape })
    for candidate in old.shapes() where !known.contains(candidate.shape) {
      shapes.append(candidate)
    }
    var extent = old.extent
    extent.add(new.extent)
    let lengths = (1...extent.greatestLength).filter { $0.isMultiple(of: 2) }
    var rows: [DiffRow] = []
    for (index, (shape, text)) in shapes.enumerated() {
      let own = lengths.compactMap { shape.texts($0) }
      budget.charge(100)
      if !own.contains(where: isWanted) { continue }
      budget.charge(4 * shapes.count)
      let special = shapes.indices.filter { other in
        other != index && shape.covers(shapes[other].shape, lengths)
          && (other < index || !shapes[other].shape.covers(shape, lengths))
      }
      let paths = lengths.compactMap { length -> (path: [Text?], except: [[Text?]])? in
        guard let path = shape.texts(length) else { return nil }
        let except = special.compactMap { shapes[$0].shape.texts(length) }
        return except.contains { $0.allSatisfy { $0 == nil } } ? nil : (path, except)
      }
      let isOpen = shape.steps.contains(.run)
      if !paths.isEmpty {
        rows.append(DiffRow(text: text, paths: paths, open: isOpen ? lengths.last : nil))
      }
    }
    return rows
  }
}
