@testable import RulesLang

/// The definition of a match, slow and obvious: try everything in the order of preference.
///
/// An empty round of an endless loop ends the loop if it is the first, and is no way on otherwise.
final class PatternReference {
  /// Where each group matched, in code points; nil where it took no part. 0 is the whole match.
  typealias Groups = [Range<Int>?]

  /// More steps were needed than a test should take.
  struct Exhausted: Error {}

  private typealias Continuation = (Int, Groups) throws -> Groups?

  private let syntax: PatternSyntax
  private let points: [UInt32]
  private var steps = 0

  init(_ syntax: PatternSyntax, _ text: Text) {
    self.syntax = syntax
    points = Array(text.codePoints)
  }

  /// Whether the whole text matches.
  func matchesWhole() throws -> Bool {
    let none = Groups(repeating: nil, count: syntax.groupCount + 1)
    return try match(syntax.root, 0, none) { $0 == points.count ? $1 : nil } != nil
  }

  /// The preferred match at the leftmost place from `start` on.
  func find(from start: Int) throws -> Groups? {
    let none = Groups(repeating: nil, count: syntax.groupCount + 1)
    guard start <= points.count else { return nil }
    for place in start...points.count {
      if var groups = try match(syntax.root, place, none, then: { [place..<$0] + $1.dropFirst() }) {
        groups[0] = place..<(groups[0]?.upperBound ?? place)
        return groups
      }
    }
    return nil
  }

  private func match(
    _ id: PatternSyntax.NodeID, _ place: Int, _ groups: Groups, then next: Continuation
  ) throws -> Groups? {
    steps += 1
    if steps > 20_000 { throw Exhausted() }
    switch syntax[id] {
    case .empty: return try next(place, groups)
    case .set(let set):
      guard place < points.count, syntax[set].contains(points[place]) else { return nil }
      return try next(place + 1, groups)
    case .assertion(let assertion):
      return assertion.holds(between: neighbor(place - 1), and: neighbor(place))
        ? try next(place, groups) : nil
    case .concatenation(let children):
      return try matchAll(syntax[children], place, groups, then: next)
    case .alternation(let children):
      for child in syntax[children] {
        if let result = try match(child, place, groups, then: next) { return result }
      }
      return nil
    case .capture(let child, let group):
      return try match(child, place, groups) { end, groups in
        var groups = groups
        groups[Int(group.rawValue)] = place..<end
        return try next(end, groups)
      }
    case .repetition(let child, let repetition):
      return try matchRounds(of: child, repetition, done: 0, place, groups, then: next)
    }
  }

  private func neighbor(_ index: Int) -> PatternNeighbor {
    points.indices.contains(index) ? PatternNeighbor(points[index]) : .edge
  }

  private func matchAll(
    _ ids: ArraySlice<PatternSyntax.NodeID>, _ place: Int, _ groups: Groups,
    then next: Continuation
  ) throws -> Groups? {
    guard let first = ids.first else { return try next(place, groups) }
    return try match(first, place, groups) { end, groups in
      try matchAll(ids.dropFirst(), end, groups, then: next)
    }
  }

  private func matchRounds(
    of child: PatternSyntax.NodeID, _ repetition: PatternSyntax.Repetition, done: Int,
    _ place: Int, _ groups: Groups, then next: Continuation
  ) throws -> Groups? {
    let minimum = Int(repetition.minimum)
    let isEnough = done >= minimum
    if isEnough, !repetition.isGreedy, let result = try next(place, groups) { return result }
    if done < repetition.maximum.map({ Int($0) }) ?? .max {
      let firstOfLoop = repetition.maximum == nil ? max(0, minimum - 1) : .max
      let result = try match(child, place, groups) { end, groups in
        if end == place, done >= firstOfLoop {
          return done == firstOfLoop ? try next(end, groups) : nil
        }
        return try matchRounds(of: child, repetition, done: done + 1, end, groups, then: next)
      }
      if let result { return result }
    }
    return isEnough && repetition.isGreedy ? try next(place, groups) : nil
  }
}
