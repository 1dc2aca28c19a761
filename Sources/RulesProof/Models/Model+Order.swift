import RulesEval
import RulesLang
import RulesSolver

// Values in a given order with others. Strings and bytes have no order theory, so candidates are
// tried.

extension Model {
  /// Returns candidate strings before or after those that the class is compared with.
  func orderHints(_ members: [TermID]) -> [Text] {
    var hints: [Text] = []
    forEachNeighbour(of: members) { value, isBelow, isEqual in
      guard case .string(let other) = value else { return }
      hints += isBelow ? [Text("A"), Text()] : [other + Text("a")]
      if isEqual { hints.append(other) }
    }
    return hints.filter { isInOrder(.string($0), with: members) }
  }

  /// Returns bytes of the asserted length, before and after those that the class is compared with.
  func bytes(for leader: Int32, members: [TermID]) -> [UInt8] {
    let size = listSize(leader)
    let count = max(size.lower, min(1, size.upper))
    let plain = Array(repeating: UInt8(truncatingIfNeeded: next()), count: count)
    let forbidden = forbidden(members)
    var candidates = [plain]
    forEachNeighbour(of: members) { value, isBelow, isEqual in
      guard case .bytes(let other) = value else { return }
      candidates.append(isBelow ? other.preceding : other.following)
      candidates += isBelow ? [other.dropLast(), []] : [other + [0]]
      if isEqual { candidates.append(other) }
    }
    // Zeros at the end make a candidate longer with the least effect on the order.
    let padded = candidates.map { $0 + Array(repeating: 0, count: max(0, size.lower - $0.count)) }
    return padded.first { candidate in
      candidate.count <= size.upper && isInOrder(.bytes(candidate), with: members)
        && !forbidden.contains(ConstantKey(of: .bytes(candidate)))
    } ?? plain
  }

  /// Visits the determined values that the class is compared with.
  ///
  /// - Parameter visit: `isBelow` is true if the class comes first, `isEqual` if both may be equal.
  func forEachNeighbour(
    of members: [TermID], visit: (_ value: Value, _ isBelow: Bool, _ isEqual: Bool) -> Void
  ) {
    for term in index.orders {
      guard case .apply(_, let arguments) = terms[term] else { continue }
      let isFirst = members.contains { isSame($0, arguments[0]) }
      // A comparison with itself gives no bound.
      guard isFirst != members.contains(where: { isSame($0, arguments[1]) }),
        let other = known(isFirst ? arguments[1] : arguments[0])
      else { continue }
      // A true `x < c` puts the class below, a false one above or level; `c < x` the other way round.
      visit(other, isFirst == isTrue.contains(term), isFalse.contains(term))
    }
  }

  /// True if a value satisfies all comparisons of the class.
  private func isInOrder(_ value: Value, with members: [TermID]) -> Bool {
    index.orders.allSatisfy { term in
      guard case .apply(_, let arguments) = terms[term] else { return true }
      func side(_ argument: TermID) -> Value? {
        members.contains { isSame($0, argument) } ? value : known(argument)
      }
      guard let one = side(arguments[0]), let two = side(arguments[1]) else { return true }
      return (Value.order(of: one, and: two) == .less) == isTrue.contains(term)
    }
  }
}

extension [UInt8] {
  /// Larger bytes of equal length; with a zero appended if there are none.
  fileprivate var following: [UInt8] {
    guard let place = lastIndex(where: { $0 < .max }) else { return self + [0] }
    var result = self
    result[place] += 1
    return result
  }

  /// The previous bytes of equal length; unchanged if there are none.
  fileprivate var preceding: [UInt8] {
    guard let place = lastIndex(where: { $0 > 0 }) else { return self }
    var result = self
    result[place] -= 1
    for later in result.index(after: place)..<result.endIndex { result[later] = .max }
    return result
  }
}
