import RulesEval
package import RulesLang

// The combined theory solver: decides whether a set of literals is consistent.
//
// Congruence closure. Terms that are the same value are in one *class*, which knows its constant
// (if any), its remaining types, and the terms that it must differ from. Merging two classes also
// merges applications of one operator to equal arguments. A merge that leaves no type, joins two
// constants, or joins terms that must differ is a conflict.
//
// Every fact carries its source, the graph node whose value asserted it, so a conflict is a set of
// nodes whose values are inconsistent. Facts are undone in the reverse order, by a log.
//
// Strings are checked at the end of a search (`Theory+Strings`), differences also when one is asserted
// (`Theory+Differences`).
//
// Sound: the facts of a reported conflict have no common model. Incomplete: a conflict may go undetected.
// Then more requests seem possible, which refutes no proof; and the evaluator decides the request of a model
// before it is reported.

/// The graph node whose value asserted a fact.
package typealias Source = Int32

/// The state of the theories during a search.
package struct Theory {
  /// The terms of the atoms.
  package let terms: TermTable
  /// The patterns of the atoms.
  package let patterns: PatternTable
  /// The budget of the query, for expensive checks; nil if unlimited.
  package internal(set) var budget: Budget?
  /// The steps since the last `takeSteps`.
  private var steps = 0

  /// The reason for the equality of two terms.
  package enum Reason {
    /// An atom asserts it.
    case asserted(Source)
    /// Both apply one operator to equal arguments.
    case congruence(TermID, TermID)
    /// Several facts together imply it.
    case facts([Source])
  }

  /// A restriction of the types of a term.
  struct TypeFact {
    var allowed: TypeSet
    var source: Source?
  }

  /// A bound of a term in a domain.
  struct BoundFact {
    var domain: Domain
    var isUpper: Bool
    var value: Int128
    var source: Source?
  }

  /// Maximum size of a value. A document has at most 2^20 octets, and computed values fit into memory. So
  /// sums with sizes do not overflow, and a float represents every size exactly.
  package static let greatestSize: Int128 = 1 << 48

  /// A float bound that holds or does not hold.
  package struct FloatFact {
    /// True if the atom asserts that the bound holds.
    package var holds: Bool
    /// The bound.
    package var bound: FloatBound
    /// The node that asserted it.
    package var source: Source
  }

  /// A disequality.
  package struct Difference {
    /// The term that it differs from.
    package var other: TermID
    /// The node that asserted it.
    package var source: Source
  }

  /// A pattern that a string must match, or must not match.
  struct PatternFact {
    var pattern: PatternID
    var matches: Bool
    var source: Source
  }

  /// A bound on the difference of two terms.
  struct DifferenceFact {
    var left: TermID
    var right: TermID
    var domain: Domain
    var bound: Int128
    var source: Source?
    /// The index of the previous fact with this term on the right; -1 if there is none.
    var before: Int32
  }

  // Arrays indexed by term.
  /// The leader of each term's class.
  package var leader: [Int32]
  var nextInClass: [Int32]
  var proofParent: [Int32]
  var proofReason: [Reason?]
  var typeFacts: UndoableMultimap<TypeFact>
  var boundFacts: UndoableMultimap<BoundFact>
  /// The bounds of floats, stored at the term of the atom.
  package var floatFacts: UndoableMultimap<FloatFact>
  var patternFacts: UndoableMultimap<PatternFact>
  /// The terms that each term must differ from.
  package var differences: UndoableMultimap<Difference>
  // Arrays indexed by class leader.
  var classSize: [Int32]
  /// The remaining types of each class.
  package var classTypes: [TypeSet]
  var classConstant: [Int32]
  var classUses: Uses
  /// For each term, the index of the last difference fact with this term on the right; -1 if there
  /// is none.
  var lastDifference: [Int32]

  /// Congruence table: the applications, by operator and leaders of the arguments.
  private var signatures = HashIndex()
  var differenceFacts: [DifferenceFact] = []
  /// The terms "other term plus constant".
  let sums: [TermID]
  /// The undo log.
  package private(set) var log: [Undo] = []
  private var pending: [(TermID, TermID, Reason)] = []

  /// An entry of the undo log.
  package enum Undo {
    case merge(small: Int32, large: Int32, uses: Int32, types: TypeSet, constant: Int32)
    case proof(Int32, Int32)
    case signature
    case typeFact(Int32), boundFact(Int32), floatFact(Int32), patternFact(Int32)
    case difference(Int32, Int32)
    case differenceFact
    case types(Int32, TypeSet)
  }

  /// Creates the state without facts.
  ///
  /// - Parameter used: The terms that take part in congruence closure.
  package init(
    _ terms: TermTable, patterns: PatternTable, used: [TermID], budget: Budget? = nil
  ) {
    self.terms = terms
    self.patterns = patterns
    self.budget = budget
    let count = terms.count
    leader = (0..<Int32(count)).map { $0 }
    nextInClass = leader
    proofParent = Array(repeating: -1, count: count)
    proofReason = Array(repeating: nil, count: count)
    typeFacts = UndoableMultimap(count: count)
    boundFacts = UndoableMultimap(count: count)
    floatFacts = UndoableMultimap(count: count)
    patternFacts = UndoableMultimap(count: count)
    differences = UndoableMultimap(count: count)
    classSize = Array(repeating: 1, count: count)
    classTypes = terms.types
    classConstant = Array(repeating: -1, count: count)
    classUses = Uses(count: count)
    lastDifference = Array(repeating: -1, count: count)
    sums = terms.sums
    for term in used { prepare(term) }
  }

  private mutating func prepare(_ term: TermID) {
    if terms.isConstant(term) { classConstant[term.index] = term.raw }
    guard case .apply(let op, let arguments) = terms[term] else { return }
    for (place, argument) in arguments.enumerated()
    where !arguments[..<place].contains(argument) {
      classUses.append(term, to: argument.index)
    }
    signatures.add(term.index, hash: signature(of: op, to: arguments))
    if case .size = op {
      for (value, isUpper) in [(Int128(0), false), (Self.greatestSize, true)] {
        boundFacts.append(
          BoundFact(domain: .int, isUpper: isUpper, value: value, source: nil), to: term.index)
      }
    }
  }

  /// Returns the hash of an application modulo the classes of its arguments.
  private func signature(of op: Operator, to arguments: [TermID]) -> Hash {
    var hash = op.hash
    for argument in arguments { hash.add(leader[argument.index]) }
    return hash
  }

  /// Returns an application of the operator to equal arguments, if there is one.
  private func application(of op: Operator, to arguments: [TermID], hash: Hash) -> TermID? {
    let found = signatures.first(hash) { place in
      guard case .apply(op, let others) = terms[TermID(place)] else { return false }
      return areSame(arguments, others)
    }
    return found.map { TermID($0) }
  }

  private func areSame(_ one: [TermID], _ other: [TermID]) -> Bool {
    guard one.count == other.count else { return false }
    for place in one.indices where leader[one[place].index] != leader[other[place].index] {
      return false
    }
    return true
  }

  // MARK: Going back

  /// Returns the steps since the last call.
  mutating func takeSteps() -> Int {
    defer { steps = 0 }
    return steps
  }

  /// The length of the log, a position to go `back` to.
  package var mark: Int { log.count }

  /// Undoes everything since a mark.
  package mutating func back(to mark: Int) {
    pending = []
    while log.count > mark {
      switch log.removeLast() {
      case .merge(let small, let large, let uses, let types, let constant):
        unmerge(small, from: large, uses: uses, types: types, constant: constant)
      case .proof(let one, let other): cut(one, from: other)
      case .signature: signatures.removeLast()
      case .typeFact(let term): typeFacts.removeLast(of: Int(term))
      case .boundFact(let term): boundFacts.removeLast(of: Int(term))
      case .floatFact(let term): floatFacts.removeLast(of: Int(term))
      case .patternFact(let term): patternFacts.removeLast(of: Int(term))
      case .difference(let one, let other):
        differences.removeLast(of: Int(other))
        differences.removeLast(of: Int(one))
      case .differenceFact:
        let fact = differenceFacts.removeLast()
        lastDifference[fact.right.index] = fact.before
      case .types(let leader, let types): classTypes[Int(leader)] = types
      }
    }
  }

  /// Appends to the undo log.
  package mutating func note(_ undo: Undo) { log.append(undo) }

  // MARK: Asserting

  /// Asserts a literal.
  ///
  /// - Returns: The sources of a conflict, or nil.
  package mutating func assert(_ atom: Atom, holds: Bool, source: Source) -> [Source]? {
    switch atom {
    case .same(let left, let right):
      return holds
        ? merge(left, with: right, because: .asserted(source))
        : differ(left, from: right, source: source)
    case .type(let term, let type):
      let allowed = holds ? TypeSet(type) : TypeSet.any.subtracting(TypeSet(type))
      return restrict(term, to: TypeFact(allowed: allowed, source: source))
    case .atMost(let term, let domain, let bound):
      return assertBound(of: term, in: domain, bound: bound, holds: holds, source: source)
    case .floatAtMost(let term, let bound):
      floatFacts.append(FloatFact(holds: holds, bound: bound, source: source), to: term.index)
      note(.floatFact(term.raw))
      if holds, let conflict = restrict(term, to: TypeFact(allowed: .float, source: source)) {
        return conflict
      }
      return check(leader[term.index])
    case .matches(let term, let pattern):
      patternFacts.append(
        PatternFact(pattern: pattern, matches: holds, source: source), to: term.index)
      note(.patternFact(term.raw))
      if holds, let conflict = restrict(term, to: TypeFact(allowed: .string, source: source)) {
        return conflict
      }
      return checkConstantPatterns(leader[term.index])
    case .difference(let left, let right, let domain, let bound):
      return assertDifference(
        of: left, from: right, in: domain, bound: bound, holds: holds, source: source)
    }
  }

  private mutating func assertBound(
    of term: TermID, in domain: Domain, bound: Int128, holds: Bool, source: Source
  ) -> [Source]? {
    // `!(x <= 3)` is a lower bound only if x has the domain's type; `check` sees to that.
    boundFacts.append(
      BoundFact(
        domain: domain, isUpper: holds, value: holds ? bound : bound + 1, source: source),
      to: term.index)
    note(.boundFact(term.raw))
    steps += 4 * Int(classSize[Int(leader[term.index])])
    if holds,
      let conflict = restrict(
        term, to: TypeFact(allowed: TypeSet(domain.type), source: source))
    {
      return conflict
    }
    return check(leader[term.index])
  }

  private mutating func assertDifference(
    of left: TermID, from right: TermID, in domain: Domain, bound: Int128, holds: Bool,
    source: Source
  ) -> [Source]? {
    // The negation is the opposite bound only if both terms have the domain's type, which the
    // encoder asserts beside every use; a difference used otherwise constrains nothing.
    let (less, greater) = holds ? (left, right) : (right, left)
    let fact = DifferenceFact(
      left: less, right: greater, domain: domain, bound: holds ? bound : -bound - 1,
      source: source, before: lastDifference[greater.index])
    lastDifference[greater.index] = Int32(differenceFacts.count)
    differenceFacts.append(fact)
    note(.differenceFact)
    var cost = 0
    let conflict = closedCycle(steps: &cost)
    steps += cost
    return conflict
  }

  private mutating func differ(_ left: TermID, from right: TermID, source: Source) -> [Source]? {
    if leader[left.index] == leader[right.index] { return explain(left, equals: right) + [source] }
    differences.append(Difference(other: right, source: source), to: left.index)
    differences.append(Difference(other: left, source: source), to: right.index)
    note(.difference(left.raw, right.raw))
    steps += Int(classSize[Int(leader[left.index])]) + Int(classSize[Int(leader[right.index])])
    return check(leader[left.index]) ?? check(leader[right.index])
  }

  private mutating func restrict(_ term: TermID, to fact: TypeFact) -> [Source]? {
    steps += 4 + Int(classSize[Int(leader[term.index])])
    typeFacts.append(fact, to: term.index)
    note(.typeFact(term.raw))
    return narrow(leader[term.index], to: fact.allowed)
  }

  /// Restricts the types of a class.
  private mutating func narrow(_ leader: Int32, to allowed: TypeSet) -> [Source]? {
    let old = classTypes[Int(leader)]
    let new = old.intersection(allowed)
    if new == old { return nil }
    note(.types(leader, old))
    classTypes[Int(leader)] = new
    if new.isEmpty { return typeConflict(TermID(Int(leader)), for: new) }
    return check(leader)
  }

  // MARK: Merging

  /// Merges the classes of two terms, and all classes that become congruent.
  ///
  /// - Returns: The sources of a conflict, or nil.
  package mutating func merge(_ left: TermID, with right: TermID, because reason: Reason)
    -> [Source]?
  {
    pending.append((left, right, reason))
    while let (one, other, why) = pending.popLast() {
      if let conflict = mergeClasses(of: one, and: other, because: why) {
        pending = []
        return conflict
      }
    }
    return nil
  }

  private mutating func mergeClasses(of one: TermID, and other: TermID, because why: Reason)
    -> [Source]?
  {
    var (small, large) = (leader[one.index], leader[other.index])
    if small == large { return nil }
    var (from, to) = (one, other)
    if classSize[Int(small)] > classSize[Int(large)] {
      (small, large) = (large, small)
      (from, to) = (to, from)
    }
    // The cost of a merge is that of the smaller class and its uses.
    steps += 8 + 4 * Int(classSize[Int(small)])
    link(from, to: to, because: why)
    join(small, to: large)
    if let conflict = constantConflict(of: small, and: large) { return conflict }
    if let conflict = differenceConflict(small) { return conflict }
    let left = classTypes[Int(small)].intersection(classTypes[Int(large)])
    if left != classTypes[Int(large)] {
      note(.types(large, classTypes[Int(large)]))
      classTypes[Int(large)] = left
      if left.isEmpty { return typeConflict(TermID(Int(large)), for: left) }
    }
    congruent(small)
    // A known bool or null needs no further check, however large its class is.
    if left.isSubset(of: Self.plain), classConstant[Int(large)] >= 0 { return nil }
    steps += Int(classSize[Int(large)])
    return occursConflict(large) ?? check(large)
  }

  /// The types whose values contain nothing and are one of few constants.
  private static let plain: TypeSet = [.bool, .null]

  /// Adds the edge `from` → `to` to the proof forest.
  private mutating func link(_ from: TermID, to: TermID, because why: Reason) {
    // Reverse the path from `from` to its root, so that `from` becomes the root.
    var node = from.raw
    var parent = proofParent[Int(node)]
    var reason = proofReason[Int(node)]
    proofParent[Int(node)] = -1
    proofReason[Int(node)] = nil
    while parent >= 0 {
      let next = proofParent[Int(parent)]
      let nextReason = proofReason[Int(parent)]
      proofParent[Int(parent)] = node
      proofReason[Int(parent)] = reason
      (node, parent, reason) = (parent, next, nextReason)
    }
    proofParent[from.index] = to.raw
    proofReason[from.index] = why
    note(.proof(from.raw, to.raw))
  }

  /// Removes an edge of the proof forest. A later link may have reversed it; the direction of the
  /// other edges of a path does not matter.
  private mutating func cut(_ one: Int32, from other: Int32) {
    let child = proofParent[Int(one)] == other ? one : other
    proofParent[Int(child)] = -1
    proofReason[Int(child)] = nil
  }

  private mutating func join(_ small: Int32, to large: Int32) {
    let uses = classUses.join(Int(small), to: Int(large))
    note(
      .merge(
        small: small, large: large, uses: uses, types: classTypes[Int(large)],
        constant: classConstant[Int(large)]))
    var member = small
    repeat {
      leader[Int(member)] = large
      member = nextInClass[Int(member)]
    } while member != small
    nextInClass.swapAt(Int(small), Int(large))
    classSize[Int(large)] += classSize[Int(small)]
  }

  private mutating func unmerge(
    _ small: Int32, from large: Int32, uses: Int32, types: TypeSet, constant: Int32
  ) {
    classUses.part(Int(large), at: uses)
    classTypes[Int(large)] = types
    classConstant[Int(large)] = constant
    classSize[Int(large)] -= classSize[Int(small)]
    nextInClass.swapAt(Int(small), Int(large))
    var member = small
    repeat {
      leader[Int(member)] = small
      member = nextInClass[Int(member)]
    } while member != small
  }

  private mutating func constantConflict(of small: Int32, and large: Int32) -> [Source]? {
    let (one, other) = (classConstant[Int(small)], classConstant[Int(large)])
    if one >= 0, other >= 0 { return explain(TermID(Int(one)), equals: TermID(Int(other))) }
    if other < 0 { classConstant[Int(large)] = one }
    return nil
  }

  private func differenceConflict(_ small: Int32) -> [Source]? {
    // The members of the smaller class were spliced in right after the larger leader, and both
    // sides of a disequality store it.
    let large = leader[Int(small)]
    var next = large
    repeat {
      next = nextInClass[Int(next)]
      let member = TermID(Int(next))
      for difference in differences[member.index] where leader[difference.other.index] == large {
        return explain(member, equals: difference.other) + [difference.source]
      }
    } while next != small
    return nil
  }

  /// Enqueues merges of applications that have become congruent.
  private mutating func congruent(_ small: Int32) {
    for use in classUses[Int(small)] {
      steps += 4
      guard case .apply(let op, let arguments) = terms[use] else { continue }
      let hash = signature(of: op, to: arguments)
      if let other = application(of: op, to: arguments, hash: hash) {
        if leader[other.index] != leader[use.index] {
          pending.append((use, other, .congruence(use, other)))
        }
      } else {
        signatures.add(use.index, hash: hash)
        note(.signature)
      }
    }
  }
}
