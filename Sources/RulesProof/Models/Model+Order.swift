import RulesEval
import RulesLang
import RulesSolver

// Values before or after others. Texts and bytes have no theory of their own, so they are tried.

extension Model {
  /// Texts before or after those that the class was compared with.
  func orderHints(_ members: [TermID]) -> [Text] {
    var hints: [Text] = []
    forEachNeighbour(of: members) { value, isBelow, isEqual in
      guard case .string(let other) = value else { return }
      hints += isBelow ? [Text("A"), Text()] : [other + Text("a")]
      if isEqual { hints.append(other) }
    }
    return hints.filter { isInOrder(.string($0), with: members) }
  }

  /// Bytes of a class: of a length that was asked for, before and after what they were compared with.
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
    // What is too short has zeros behind it, as little as can be.
    let padded = candidates.map { $0 + Array(repeating: 0, count: max(0, size.lower - $0.count)) }
    return padded.first { candidate in
      candidate.count <= size.upper && isInOrder(.bytes(candidate), with: members)
        && !forbidden.contains(ConstantKey(of: .bytes(candidate)))
    } ?? plain
  }

  /// Visits what the class was compared with and is known: whether the class comes before it, and whether
  /// it may be the same.
  func forEachNeighbour(
    of members: [TermID], visit: (_ value: Value, _ isBelow: Bool, _ isEqual: Bool) -> Void
  ) {
    for term in index.orders {
      guard case .apply(_, let arguments) = terms[term] else { continue }
      let isFirst = members.contains { isSame($0, arguments[0]) }
      // What is compared with itself has no place of its own.
      guard isFirst != members.contains(where: { isSame($0, arguments[1]) }),
        let other = known(isFirst ? arguments[1] : arguments[0])
      else { continue }
      // `x < c`, `x <= c`, `x > c` and `x >= c` in turn.
      visit(other, isFirst == isTrue.contains(term), isFalse.contains(term))
    }
  }

  /// Whether a value is in order with all that the class was compared with.
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
  /// The next bytes of the same length; with one more if there are none.
  fileprivate var following: [UInt8] {
    guard let place = lastIndex(where: { $0 < .max }) else { return self + [0] }
    var result = self
    result[place] += 1
    return result
  }

  /// Bytes of the same length before these; the same if there are none.
  fileprivate var preceding: [UInt8] {
    guard let place = lastIndex(where: { $0 > 0 }) else { return self }
    var result = self
    result[place] -= 1
    for later in result.index(after: place)..<result.endIndex { result[later] = .max }
    return result
  }
}
