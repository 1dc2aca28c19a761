import RulesLang

// Hashes of terms and atoms. Looking these up dominates the cost of building a query.

extension TermKind {
  /// The tag of the hash of a constant string.
  static let constantHash: UInt64 = 1

  /// A hash, equal for equal terms.
  package var hash: Hash {
    switch self {
    case .constant(let key):
      var hash = Hash(2)
      hash.add(key.bytes)
      return hash
    case .variable(let variable): return variable.hash
    case .apply(let op, let arguments):
      var hash = op.hash
      for argument in arguments { hash.add(argument.raw) }
      return hash
    }
  }
}

extension RequestVariable {
  fileprivate var hash: Hash {
    switch self {
    case .segment(let place): Hash(3, UInt64(bitPattern: Int64(place)))
    case .uid: Hash(4)
    case .token: Hash(5)
    case .time: Hash(6)
    case .before: Hash(7)
    case .after: Hash(8)
    case .promise: Hash(9)
    case .limit: Hash(10)
    case .offset: Hash(11)
    case .flag(.signedOut): Hash(12)
    case .flag(.stored): Hash(13)
    case .flag(.defined(let number)): Hash(14, UInt64(bitPattern: Int64(number)))
    case .unknown(let number): Hash(15, UInt64(bitPattern: Int64(number)))
    }
  }
}

extension Operator {
  /// A hash, equal for equal operators.
  package var hash: Hash {
    switch self {
    case .field: Hash(20)
    case .element: Hash(21)
    case .size: Hash(22)
    case .document(let snapshot): Hash(23, snapshot == .before ? 0 : 1)
    case .data: Hash(24)
    case .plus(let domain, let steps):
      Hash(25 + UInt64(domain.rawValue) << 8, UInt64(bitPattern: steps))
    case .path: Hash(26)
    case .builtin(let builtin): Hash(27, UInt64(builtin.rawValue))
    case .operation(let op): Hash(28, UInt64(op.rawValue))
    case .negate: Hash(29)
    case .has: Hash(30)
    case .exists: Hash(31)
    case .member: Hash(32)
    case .odd: Hash(33)
    case .close: Hash(34)
    case .nearly: Hash(35)
    case .unnamed(let fate): Hash(36, UInt64(fate.rawValue))
    case .unnamedKey: Hash(37)
    case .unnamedFew(let code): Hash(38, UInt64(bitPattern: Int64(code)))
    case .partlyNamed: Hash(44)
    case .onlyElements: Hash(39)
    case .definedBuiltin(let builtin): Hash(40, UInt64(builtin.rawValue))
    case .definedOperation(let op): Hash(41, UInt64(op.rawValue))
    case .precedes: Hash(42)
    case .witness(let builtin): Hash(45, UInt64(builtin.rawValue))
    case .foreign(let number): Hash(43, UInt64(bitPattern: Int64(number)))
    }
  }
}

extension Atom {
  /// A hash, equal for equal atoms.
  package var hash: Hash {
    var hash: Hash
    switch self {
    case .same(let one, let other):
      hash = Hash(1)
      hash.add(one.raw)
      hash.add(other.raw)
    case .type(let term, let type):
      hash = Hash(2, UInt64(type.rawValue))
      hash.add(term.raw)
    case .atMost(let term, let domain, let bound):
      hash = Hash(3, UInt64(domain.rawValue))
      hash.add(term.raw)
      hash.add(bound)
    case .floatAtMost(let term, let bound):
      // 0.0 and -0.0 are equal bounds.
      hash = Hash(bound.isStrict ? 4 : 5, bound.value == 0 ? 0 : bound.value.bitPattern)
      hash.add(term.raw)
    case .difference(let one, let other, let domain, let bound):
      hash = Hash(6, UInt64(domain.rawValue))
      hash.add(one.raw)
      hash.add(other.raw)
      hash.add(bound)
    case .matches(let term, let pattern):
      hash = Hash(7)
      hash.add(term.raw)
      hash.add(pattern.raw)
    }
    return hash
  }
}
