import RulesEval
import RulesLang
import Testing

@testable import RulesSolver

/// What can hold together: equality and congruence, types, bounds, differences, patterns. A conflict
/// names exactly the facts that it needs.
@Suite struct TheoryTests {
  /// Facts about a few terms; each fact has its number as its source.
  private struct Facts {
    var problem = Problem()
    private var facts: [(atom: Atom, holds: Bool)] = []

    mutating func variable(_ number: Int, types: TypeSet = .any) -> TermID {
      problem.terms.variable(.unknown(number), types: types)
    }

    mutating func pattern(_ source: Text) throws -> PatternID {
      let pattern = problem.patterns.add(source)
      return try #require(pattern)
    }

    mutating func add(_ atom: Atom, _ holds: Bool = true) { facts.append((atom, holds)) }

    mutating func same(_ left: TermID, _ right: TermID, _ holds: Bool = true) {
      add(left < right ? .same(left, right) : .same(right, left), holds)
    }

    /// A theory about all terms.
    var theory: Theory {
      let used = (0..<problem.terms.count).map { TermID($0) }
      return Theory(problem.terms, patterns: problem.patterns, used: used)
    }

    /// The numbers of the facts of the first conflict, also of one that is only found at the end; nil
    /// if there is none.
    var conflict: [Int]? {
      var theory = theory
      for (number, fact) in facts.enumerated() {
        if let found = theory.assert(fact.atom, holds: fact.holds, source: Int32(number)) {
          return Set(found).sorted().map { Int($0) }
        }
      }
      let late = theory.differenceCycle() ?? theory.stringConflict()
      return late.map { Set($0).sorted().map { Int($0) } }
    }
  }

  // MARK: Equality

  @Test func equalityIsTransitiveAndAConflictNamesItsChain() {
    var facts = Facts()
    let terms = (0..<5).map { facts.variable($0) }
    facts.same(terms[0], terms[1])
    facts.same(terms[3], terms[4])
    facts.same(terms[1], terms[2])
    facts.same(terms[2], terms[3], false)
    #expect(facts.conflict == nil)
    facts.same(terms[0], terms[2], false)
    #expect(facts.conflict == [0, 2, 4])
  }

  @Test func equalArgumentsMakeEqualApplications() {
    var facts = Facts()
    let (x, y, z) = (facts.variable(0), facts.variable(1), facts.variable(2))
    let (one, other) = (
      facts.problem.terms.apply(.field, to: [x, z], types: .any),
      facts.problem.terms.apply(.field, to: [y, z], types: .any)
    )
    let (outer, otherOuter) = (
      facts.problem.terms.apply(.size, to: [one], types: .int),
      facts.problem.terms.apply(.size, to: [other], types: .int)
    )
    facts.same(z, x, false)
    facts.same(outer, otherOuter, false)
    #expect(facts.conflict == nil)
    facts.same(x, y)
    #expect(facts.conflict == [1, 2])
  }

  @Test func equalArgumentsInOtherPlacesMakeNoEqualApplications() {
    var facts = Facts()
    let (x, y) = (facts.variable(0), facts.variable(1))
    let one = facts.problem.terms.apply(.field, to: [x, y], types: .any)
    let other = facts.problem.terms.apply(.field, to: [y, x], types: .any)
    let third = facts.problem.terms.apply(.element, to: [x, y], types: .any)
    facts.same(one, other, false)
    facts.same(one, third, false)
    #expect(facts.conflict == nil)
    facts.same(x, y)
    #expect(facts.conflict == [0, 2])
  }

  @Test func twoConstantsAreNotOneValue() {
    var facts = Facts()
    let (x, y) = (facts.variable(0), facts.variable(1))
    facts.same(x, facts.problem.constant(.int(1)))
    facts.same(y, facts.problem.constant(.float(1)))
    #expect(facts.conflict == nil)
    facts.same(x, y)
    #expect(facts.conflict == [0, 1, 2])
  }

  @Test func aValueIsNotInsideItself() {
    var facts = Facts()
    let (x, y, key) = (facts.variable(0), facts.variable(1), facts.variable(2))
    let field = facts.problem.terms.apply(.field, to: [x, key], types: .any)
    let element = facts.problem.terms.apply(.element, to: [y, key], types: .any)
    facts.same(y, field)
    #expect(facts.conflict == nil)
    facts.same(element, x)
    #expect(facts.conflict == [0, 1])
  }

  @Test func aBoolThatIsNotTrueIsFalse() {
    var facts = Facts()
    let (x, y) = (facts.variable(0, types: .bool), facts.variable(1, types: .bool))
    let yes = facts.problem.terms.yes
    facts.same(x, yes, false)
    facts.same(y, yes, false)
    #expect(facts.conflict == nil)
    facts.same(x, y, false)
    #expect(facts.conflict == [0, 1, 2])
  }

  // MARK: Types

  @Test func aTermHasOneType() {
    var facts = Facts()
    let x = facts.variable(0, types: [.int, .float, .string])
    facts.add(.type(x, .int), false)
    facts.add(.type(x, .bool), false)
    facts.add(.type(x, .string), false)
    #expect(facts.conflict == nil)
    facts.add(.type(x, .float), false)
    #expect(facts.conflict == [0, 2, 3])
  }

  @Test func equalTermsShareTheirTypes() {
    var facts = Facts()
    let (x, y) = (facts.variable(0), facts.variable(1))
    facts.add(.type(x, .int))
    facts.same(x, y)
    facts.add(.type(y, .int))
    #expect(facts.conflict == nil)
    facts.add(.type(y, .timestamp))
    #expect(facts.conflict?.contains(3) == true)
    #expect(facts.conflict.map { Set($0).isSubset(of: [0, 1, 2, 3]) } == true)
  }

  @Test func aBoundImpliesItsType() {
    var facts = Facts()
    let x = facts.variable(0)
    facts.add(.atMost(x, .int, 5))
    #expect(facts.conflict == nil)
    facts.add(.floatAtMost(x, FloatBound(value: 9, isStrict: false)))
    #expect(facts.conflict == [0, 1])
  }

  // MARK: Bounds

  @Test func boundsLeaveAValueOrNone() {
    var facts = Facts()
    let x = facts.variable(0, types: .int)
    facts.add(.atMost(x, .int, 9))
    facts.add(.atMost(x, .int, 3))
    facts.add(.atMost(x, .int, 2), false)
    #expect(facts.conflict == nil)
    facts.same(x, facts.problem.constant(.int(3)), false)
    #expect(facts.conflict == [1, 2, 3])
  }

  @Test func boundsOfEqualTermsMeet() {
    var facts = Facts()
    let (x, y) = (facts.variable(0, types: .int), facts.variable(1, types: .int))
    facts.add(.atMost(x, .int, 3))
    facts.add(.atMost(y, .int, 3), false)
    #expect(facts.conflict == nil)
    facts.same(x, y)
    #expect(facts.conflict == [0, 1, 2])
  }

  @Test func aSizeIsNeverNegative() {
    var facts = Facts()
    let x = facts.variable(0)
    let size = facts.problem.terms.apply(.size, to: [x], types: .int)
    facts.add(.atMost(size, .int, 0))
    #expect(facts.conflict == nil)
    facts.add(.atMost(size, .int, -1))
    #expect(facts.conflict == [1])
  }

  @Test(arguments: [
    (1.0, true, 1.0, true, true), (1.0, false, 1.0, true, false), (1.0, true, 1.0, false, true),
    (2.0, true, 1.0, false, false), (1.0, false, 2.0, true, true),
  ])
  func floatBoundsMeet(
    _ upper: Double, _ isUpperStrict: Bool, _ lower: Double, _ isLowerStrict: Bool,
    _ isConflict: Bool
  ) {
    var facts = Facts()
    let x = facts.variable(0, types: .float)
    facts.add(.floatAtMost(x, FloatBound(value: upper, isStrict: isUpperStrict)))
    facts.add(.floatAtMost(x, FloatBound(value: lower, isStrict: isLowerStrict)), false)
    // The second fact says: not below, or not at most, the lower bound.
    let model = [upper, lower, 1.5, 0.5].contains { value in
      (isUpperStrict ? value < upper : value <= upper)
        && !(isLowerStrict ? value < lower : value <= lower)
    }
    #expect(model == !isConflict)
    #expect(facts.conflict == (isConflict ? [0, 1] : nil))
  }

  @Test func aNaNIsWithinNoBound() {
    var facts = Facts()
    let x = facts.variable(0, types: .float)
    facts.same(x, facts.problem.constant(.float(.nan)))
    facts.add(.floatAtMost(x, FloatBound(value: 1, isStrict: false)), false)
    #expect(facts.conflict == nil)
    facts.add(.floatAtMost(x, FloatBound(value: .infinity, isStrict: false)))
    #expect(facts.conflict == [0, 2])
  }

  // MARK: Differences

  @Test func differencesAddUpAroundACircle() {
    var facts = Facts()
    let terms = (0..<4).map { facts.variable($0, types: .int) }
    facts.add(.difference(terms[0], terms[1], .int, -1))
    facts.add(.difference(terms[3], terms[0], .int, 7))
    facts.add(.difference(terms[1], terms[2], .int, -1))
    facts.add(.difference(terms[2], terms[0], .int, 2))
    #expect(facts.conflict == nil)
    facts.add(.difference(terms[2], terms[0], .int, 1))
    #expect(facts.conflict == [0, 2, 4])
  }

  @Test func boundsAndSumsArePartsOfTheCircle() {
    var facts = Facts()
    let (x, y) = (facts.variable(0, types: .int), facts.variable(1, types: .int))
    let next = facts.problem.terms.apply(.plus(.int, 1), to: [y], types: .int)
    facts.same(x, next)
    facts.add(.atMost(y, .int, 4), false)
    facts.add(.difference(y, x, .int, 0))
    #expect(facts.conflict == nil)
    facts.add(.atMost(x, .int, 5))
    #expect(facts.conflict == [0, 1, 3])
  }

  @Test func differencesOfOtherDomainsDoNotMeet() {
    var facts = Facts()
    let (x, y) = (facts.variable(0), facts.variable(1))
    facts.add(.difference(x, y, .int, -1))
    facts.add(.difference(y, x, .timestamp, -1))
    #expect(facts.conflict == nil)
  }

  // MARK: Patterns

  @Test func aConstantMatchesOrDoesNot() throws {
    var facts = Facts()
    let x = facts.variable(0)
    let pattern = try facts.pattern("a+b?")
    facts.add(.matches(x, pattern))
    facts.same(x, facts.problem.text("aab"))
    #expect(facts.conflict == nil)
    facts = Facts()
    let y = facts.variable(0)
    let other = try facts.pattern("a+b?")
    facts.add(.matches(y, other))
    facts.same(y, facts.problem.text("ba"))
    #expect(facts.conflict == [0, 1])
  }

  @Test func patternsOfOneTextMeetAtTheEnd() throws {
    var facts = Facts()
    let (x, y) = (facts.variable(0, types: .string), facts.variable(1, types: .string))
    let letters = try facts.pattern("[a-c]+")
    let late = try facts.pattern("[c-e]+")
    let most = try facts.pattern("c*")
    facts.add(.matches(x, letters))
    facts.add(.matches(y, late))
    facts.same(x, y)
    #expect(facts.conflict == nil)
    facts.add(.matches(y, most), false)
    #expect(facts.conflict == [0, 1, 2, 3])
  }

  // MARK: Going back

  /// Whatever is taken back is as if it had never been said.
  @Test(arguments: 0..<20)
  func whatIsTakenBackLeavesNothing(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var facts = Facts()
    var terms = (0..<4).map { facts.variable($0) }
    terms += [0, 1].map { facts.problem.constant(.int($0)) }
    for _ in 0..<6 {
      let (one, other) = (terms[dice.roll(terms.count)], terms[dice.roll(terms.count)])
      terms.append(facts.problem.terms.apply(.field, to: [one, other], types: .any))
    }
    let pattern = try facts.pattern("a*")
    var theory = facts.theory
    for number in 0..<40 {
      let before = Self.state(of: theory)
      let mark = theory.mark
      for step in 0..<4 {
        let (one, other) = (terms[dice.roll(terms.count)], terms[dice.roll(terms.count)])
        let atom: Atom =
          switch dice.roll(6) {
          case 0: .type(one, dice.roll(2) == 0 ? .int : .string)
          case 1: .atMost(one, .int, Int128(dice.roll(3)))
          case 2: .matches(one, pattern)
          case 3: .difference(one, other, .int, Int128(dice.roll(3) - 1))
          default: .same(min(one, other), max(one, other))
          }
        let source = Int32(10 * number + step)
        if one == other { continue }
        if theory.assert(atom, holds: dice.roll(3) > 0, source: source) != nil { break }
      }
      // Every third time it stays.
      if number % 3 != 0 || theory.differenceCycle() != nil {
        theory.back(to: mark)
        #expect(Self.state(of: theory) == before)
      }
    }
  }

  /// All that can be seen of a theory.
  private static func state(of theory: Theory) -> [String] {
    (0..<theory.terms.count).map { index in
      let leader = theory.leader[index]
      let class_ = theory.members(of: leader).map { $0.raw }.sorted()
      let differences = Array(theory.differences[index]).map { "\($0.other.raw) \($0.source)" }
      let bounds = Array(theory.boundFacts[index]).map { "\($0.value) \($0.isUpper)" }
      return "\(class_) \(theory.classTypes[Int(leader)].rawValue) \(differences) \(bounds) "
        + "\(theory.constant(of: TermID(index))?.raw ?? -1) "
        + "\(Array(theory.patternFacts[index]).count) \(theory.differenceFacts.count)"
    }
  }
}
