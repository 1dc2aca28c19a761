import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Relations between lists: elements required by other lists, and excluded sizes.

extension Model {
  /// Returns the elements of all lists that are asserted to be subsets of this one, transitively.
  /// Keys of a map are computed on demand. Of an undetermined list the asserted members are taken,
  /// since two lists may be subsets of each other.
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

  /// Returns the asserted members of a list.
  private func members(ofList leader: Int32) -> [Value] {
    facts.compactMap { fact in
      guard case .apply(.member, let arguments) = terms[fact],
        theory.leader(of: arguments[0]).raw == leader
      else { return nil }
      return value(of: arguments[1])
    }
  }

  /// Returns the determined lists that are asserted to be supersets of this one.
  func including(_ leader: Int32) -> [[Value]] {
    inclusions.compactMap { inclusion in
      guard theory.leader(of: inclusion.part).raw == leader,
        case .list(let values)? = knownList(inclusion.whole)
      else { return nil }
      return values
    }
  }

  /// True if an undetermined list is asserted to be a superset of this one.
  func isPartOfUnknown(_ leader: Int32) -> Bool {
    inclusions.contains { inclusion in
      theory.leader(of: inclusion.part).raw == leader && knownList(inclusion.whole) == nil
    }
  }

  private func knownList(_ term: TermID) -> Value? {
    if case .apply(.builtin(.mapKeys), _) = terms[term] { return value(of: term) }
    return known(term)
  }

  /// Returns the excluded sizes of a list, including those derived from sums and from sizes of
  /// known lists.
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

  /// Returns the known numbers that a term must differ from.
  private func excludedCounts(of term: TermID) -> [Int64] {
    theory.members(of: theory.leader(of: term).raw).flatMap { member in
      theory.differences[member.index].compactMap { knownCount(of: $0.other) }
    }
  }

  /// Returns the value of a number, possibly derived from a known list.
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
