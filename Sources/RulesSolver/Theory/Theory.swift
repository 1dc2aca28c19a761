import RulesEval
package import RulesLang

// Decides whether a set of atoms, each true or false, can hold together.
//
// Terms that are the same value are in one *class*. A class knows its constant, if it has one, the
// types that are left for it, and what it must differ from. Merging two classes makes applications
// of the same operator to the same arguments the same value too (congruence); a merge that leaves no
// type, joins two constants, or joins what must differ is a conflict.
//
// Every fact carries the node of the graph whose value asserted it, so a conflict comes out as a set
// of nodes whose present values cannot be. Facts are undone in the reverse order, by a log.
//
// What is not decided while searching (strings, differences) is checked at the end: `Strings`,
// `Differences`. What is not decided at all only makes more requests seem possible, so a proof stays
// a proof; a model is replayed on the evaluator before anybody sees it.

/// The node of a graph whose value asserted something.
package typealias Source = Int32

/// The state of the theories during a search.
package struct Theory {
  /// The terms that the atoms speak about.
  package let terms: TermTable
  /// The patterns that the atoms speak about.
  package let patterns: PatternTable
  /// What the question may cost, for what can take long by itself; nil for no limit.
  package internal(set) var budget: Budget?
  /// The steps since they were taken last.
  private var steps = 0

  /// Why two terms are one value.
  package enum Reason {
    /// An atom says so.
    case asserted(Source)
    /// They apply one operator to arguments that are the same.
    case congruence(TermID, TermID)
    /// Nothing else is left: some facts together.
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

  /// No value has more parts: a document has at most 2^20 octets, and what is computed fits into a machine.
  /// So sums with sizes do not overflow, and a float is equal to a size only if it is exactly that.
  package static let greatestSize: Int128 = 1 << 48

  /// A bound of a float.
  package struct FloatFact {
    /// Whether the atom said that the bound holds.
    package var holds: Bool
    /// The bound.
    package var bound: FloatBound
    /// The node that says so.
    package var source: Source
  }

  /// Something that a term must differ from.
  package struct Difference {
    /// What it differs from.
    package var other: TermID
    /// The node that says so.
    package var source: Source
  }

  /// A pattern that a string must or must not match.
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
    /// The one before with the same term on the right; -1 if there is none.
    var before: Int32
  }

  // By term.
  /// The term that stands for the class of each.
  package var leader: [Int32]
  var nextInClass: [Int32]
  var proofParent: [Int32]
  var proofReason: [Reason?]
  var typeFacts: Chains<TypeFact>
  var boundFacts: Chains<BoundFact>
  /// The bounds of floats, each at the term that its atom speaks about.
  package var floatFacts: Chains<FloatFact>
  var patternFacts: Chains<PatternFact>
  /// What each term must differ from.
  package var differences: Chains<Difference>
  // By leader.
  var classSize: [Int32]
  /// The types that are left for each class.
  package var classTypes: [TypeSet]
  var classConstant: [Int32]
  var classUses: Uses
  /// By term, the last fact that bounds how much greater another one is; -1 if there is none.
  var lastDifference: [Int32]

  /// The applications, by their operator and the leaders of their arguments' classes.
  private var signatures = HashIndex()
  var differenceFacts: [DifferenceFact] = []
  /// The terms that are another one and a number.
  let sums: [TermID]
  /// What was done, to be taken back from its end.
  package private(set) var log: [Undo] = []
  private var pending: [(TermID, TermID, Reason)] = []

  /// A step to take back.
  package enum Undo {
    case merge(small: Int32, large: Int32, uses: Int32, types: TypeSet, constant: Int32)
    case proof(Int32, Int32)
    case signature
    case typeFact(Int32), boundFact(Int32), floatFact(Int32), patternFact(Int32)
    case difference(Int32, Int32)
    case differenceFact
    case types(Int32, TypeSet)
  }

  /// Makes the state in which nothing is asserted. Only `used` terms take part.
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
    typeFacts = Chains(count: count)
    boundFacts = Chains(count: count)
    floatFacts = Chains(count: count)
    patternFacts = Chains(count: count)
    differences = Chains(count: count)
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

  /// The hash of an application with its arguments replaced by the leaders of their classes.
  private func signature(of op: Operator, to arguments: [TermID]) -> Hash {
    var hash = op.hash
    for argument in arguments { hash.add(leader[argument.index]) }
    return hash
  }

  /// The application that is known to be the same as one of an operator to some arguments.
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

  /// The steps done since this was asked last.
  mutating func takeSteps() -> Int {
    defer { steps = 0 }
    return steps
  }

  /// The present length of the log, to go back to.
  package var mark: Int { log.count }

  /// Takes back everything since a mark.
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

  /// Writes down how to take back what is being done.
  package mutating func note(_ undo: Undo) { log.append(undo) }

  // MARK: Asserting

  /// Takes an atom to be true or false, on the word of a node. Returns the nodes of a conflict, or
  /// nil.
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
    // "Not at most 3" is a lower bound only for what is of the type; `check` sees to that.
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
    // The negation is a bound the other way round only if both are of the type, which the compiler
    // asserts beside every use; a difference that is not used this way constrains nothing.
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

  /// Leaves a class only some types.
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

  /// Makes two terms one value, and everything that follows from it.
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
    // Looking for what follows goes through the smaller class and what its members occur in.
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
    // A plain value that is known is checked in no time, however large its class is.
    if left.isSubset(of: Self.plain), classConstant[Int(large)] >= 0 { return nil }
    steps += Int(classSize[Int(large)])
    return occursConflict(large) ?? check(large)
  }

  /// Values of these types have nothing inside and only one of few constants.
  private static let plain: TypeSet = [.bool, .null]

  /// Records in the proof forest that `from` is `to`.
  private mutating func link(_ from: TermID, to: TermID, because why: Reason) {
    // Turn the path from `from` to its root around, so that `from` becomes the root.
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

  /// Takes a link back. A later link may have turned it around; which way the rest of a path points
  /// does not matter.
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
    // The members of the smaller class were spliced in right after the larger leader, and both sides of a
    // difference know it.
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

  /// Looks for applications that have become the same.
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
