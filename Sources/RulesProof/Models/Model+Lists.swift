import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Lists beside other lists: what a list must have because another one has it, and the sizes that it must not
// have because others have them.

extension Model {
  /// The elements of lists that are to be in this one, or in one that is to be, as far as they are known; the
  /// keys of a map are known as soon as somebody asks. Of a list that is not known its members are, which are
  /// found out here: two lists can each have all that the other one has.
  func included(in leader: Int32) -> [Value] {
    var found: [Value] = []
    var reached = [leader]
    var place = 0
    while place < reached.count {
      for inclusion in inclusions where theory.leader(of: inclusion.whole).raw == reached[place] {
        let part = theory.leader(of: inclusion.part).raw
        if reached.contains(part) { continue }
        reached.append(part)
        if case .list(let values)? = knownList(inclusion.part) {
          found += values
        } else {
          found += members(ofList: part)
        }
      }
      place += 1
    }
    return found
  }

  /// What a list was asserted to have.
  private func members(ofList leader: Int32) -> [Value] {
    facts.compactMap { fact in
      guard case .apply(.member, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader
      else { return nil }
      return value(of: arguments[1])
    }
  }

  /// The lists that are to have all elements of this one, as far as they are known.
  func including(_ leader: Int32) -> [[Value]] {
    inclusions.compactMap { inclusion in
      guard theory.leader(of: inclusion.part).raw == leader,
        case .list(let values)? = knownList(inclusion.whole)
      else { return nil }
      return values
    }
  }

  /// Whether a list that is not known yet is to have all elements of this one.
  func isPartOfUnknown(_ leader: Int32) -> Bool {
    inclusions.contains { inclusion in
      theory.leader(of: inclusion.part).raw == leader && knownList(inclusion.whole) == nil
    }
  }

  private func knownList(_ term: TermID) -> Value? {
    if case .apply(.builtin(.mapKeys), _) = terms[term] { return value(of: term) }
    return known(term)
  }

  /// The sizes that a list was asserted not to have, also by way of sums and of the sizes of lists that are
  /// known.
  func forbiddenSizes(of leader: Int32) -> Set<Int64> {
    var found: Set<Int64> = []
    for size in index.sizes where isSize(size, of: leader) {
      found.formUnion(excludedCounts(of: size))
      for place in 0..<terms.count {
        let sum = TermID(place)
        guard case .apply(.plus(.int, let steps), let base) = terms[sum], isSame(base[0], size)
        else { continue }
        found.formUnion(excludedCounts(of: sum).map { $0 &- steps })
      }
    }
    return found
  }

  private func isSize(_ term: TermID, of leader: Int32) -> Bool {
    guard case .apply(.size, let arguments) = terms[term] else { return false }
    return theory.leader(of: arguments[0]).raw == leader
  }

  /// The numbers that a term was asserted to differ from, as far as they are known.
  private func excludedCounts(of term: TermID) -> [Int64] {
    theory.members(of: theory.leader(of: term).raw).flatMap { member in
      theory.differences[member.index].compactMap { knownCount(of: $0.other) }
    }
  }

  /// The value of a number, be it by way of a list that is known.
  private func knownCount(of term: TermID) -> Int64? {
    if case .int(let count)? = known(term) { return count }
    switch terms[term] {
    case .apply(.size, let list):
      guard case .list(let values)? = known(list[0]) else { return nil }
      return Int64(values.count)
    case .apply(.plus(.int, let steps), let base):
      guard case .apply(.size, _) = terms[base[0]] else { return nil }
      return knownCount(of: base[0]).map { $0 &+ steps }
    default: return nil
    }
  }
}
