import RulesEval
package import RulesLang

// What a proof depends on beside the conditions: that a path of any length is like those that were
// looked at, and that rules are not stopped by the limits of the engine.

extension Compiler {
  /// Whether statements, tried one after the other, could run out of budget. To be asked once they
  /// are compiled.
  package func costs(of statements: [Statement]) -> [Doubt] {
    var cost = Cost(rules)
    var tooDear: SourceRange?
    var tooCurious: SourceRange?
    for statement in statements {
      cost.add(statement.allow)
      let range = rules.ruleset[statement.allow].operationsRange
      if cost.expressions > Limits.expressions { tooDear = tooDear ?? range }
      if cost.lookups > Self.greatestLookups { tooCurious = tooCurious ?? range }
    }
    var doubts: [Doubt] = []
    if let tooDear {
      let reason = "the statements up to this one may evaluate more than 1000 expressions"
      doubts.append(Doubt(reason, at: tooDear))
    }
    if let tooCurious, greatestLookups(cost) > Self.greatestLookups {
      let reason = "the statements up to this one may look up more than 10 documents"
      doubts.append(Doubt(reason, at: tooCurious))
    }
    return doubts
  }

  /// At most so many steps it takes to decide a request, worked out already, by some statements.
  package func stepsToDecide(by statements: [Statement]) -> Int {
    var cost = Cost(rules)
    for statement in statements { cost.add(statement.allow) }
    // Each block is looked at.
    return 60 + rules.matches.count + 4 * min(cost.expressions, Limits.expressions)
  }

  /// No more lookups than this are paid for (Docs/Language.md §11.3): equal tests of existence once,
  /// reads each time, because the document may be missing.
  private func greatestLookups(_ cost: Cost) -> Int {
    // What was not compiled was not seen.
    if isOverwhelmed { return cost.lookups }
    // A read that is refused is an error like that of a missing document, so to repeat it takes away
    // only from others.
    if lookups.count < 2 { return min(cost.lookups, lookups.count) }
    let tests = lookups.filter { !$0.isRead }.count
    return cost.reads + min(cost.lookups - cost.reads, tests)
  }

  /// How many documents the statements for one document may look up.
  private static let greatestLookups = 10
}

/// The places where conditions use a path whose length is open.
package struct PathUses {
  /// Where they are, each once, in the order in which they were found.
  package private(set) var places: [SourceRange] = []
  private let rules: Checked
  private var seen: Set<Visit> = []

  /// A function, and what is bound to such a path in it.
  private struct Visit: Hashable {
    var function: FunctionID
    var globs: Set<UInt8>
    var local: UInt8?
  }

  /// Nothing is looked through yet.
  package init(_ rules: Checked) { self.rules = rules }

  /// Looks through a function and what it calls.
  package mutating func add(_ function: FunctionID, globs: Set<UInt8>, local: UInt8?) {
    // Functions that call each other twice are called as often as a power of two.
    let visit = Visit(function: function, globs: globs, local: local)
    guard seen.insert(visit).inserted else { return }
    for body in rules.ruleset[function].bodies { add(body, globs: globs, local: local) }
  }

  /// Looks through a body and the functions that it calls.
  package mutating func add(_ body: Body, globs: Set<UInt8>, local: UInt8?) {
    for index in body.first.index...body.root.index {
      switch (rules.bindings[index], rules.ruleset.expressions[index].kind) {
      case (.capture(let slot), _) where globs.contains(slot): note(index)
      case (.local(let slot), _) where slot == local: note(index)
      case (.function(let function), _): add(function, globs: globs, local: nil)
      case (_, .member(_, let name)) where name.text == "path" || name.text == "__name__":
        note(index)
      // The same members by an index: `resource['__name__']`.
      case (_, .literal(.string(let text))) where text == "path" || text == "__name__":
        note(index)
      default: break
      }
    }
  }

  private mutating func note(_ index: Int) {
    let range = rules.ruleset.expressions[index].range
    if !places.contains(range) { places.append(range) }
  }
}

extension MatchFacts {
  /// The slots of the captures that stand for any number of segments.
  package var globs: Set<UInt8> {
    Set(
      pattern.compactMap { step in
        if case .glob(let slot) = step { return slot }
        return nil
      })
  }
}

/// The greatest cost that conditions can have (Docs/Language.md §11).
struct Cost {
  private(set) var expressions = 0
  /// The lookups, and those among them that read a document.
  private(set) var lookups = 0
  private(set) var reads = 0
  private let rules: Checked
  private var known: [FunctionID: Sum] = [:]

  /// Expressions and lookups; no more of either than `greatest`.
  private struct Sum {
    static let greatest = 1 << 20
    var expressions = 0
    var lookups = 0
    var reads = 0

    static func + (left: Sum, right: Sum) -> Sum {
      Sum(
        expressions: min(left.expressions + right.expressions, greatest),
        lookups: min(left.lookups + right.lookups, greatest),
        reads: min(left.reads + right.reads, greatest))
    }
  }

  init(_ rules: Checked) { self.rules = rules }

  /// Adds what a statement costs if all of it is evaluated; one without a condition costs what `if true`
  /// does.
  mutating func add(_ allow: AllowID) {
    let condition = rules.ruleset[allow].condition
    let paid = Sum(expressions: expressions, lookups: lookups, reads: reads)
    let sum = paid + (condition.map { cost(of: $0.root) } ?? Sum(expressions: 1))
    (expressions, lookups, reads) = (sum.expressions, sum.lookups, sum.reads)
  }

  private mutating func cost(of id: ExprID) -> Sum {
    let operands = rules.ruleset[id].operands.map { cost(of: $0) }
    if case .conditional = rules.ruleset[id].kind {
      let (one, other) = (operands[1], operands[2] + Sum(expressions: 2))
      let worst = Sum(
        expressions: max(one.expressions, other.expressions),
        lookups: max(one.lookups, other.lookups), reads: max(one.reads, other.reads))
      return operands[0] + worst + Sum(expressions: 2)
    }
    return operands.reduce(own(id)) { $0 + $1 }
  }

  /// What an expression costs beside its operands.
  private mutating func own(_ id: ExprID) -> Sum {
    switch rules.ruleset[id].kind {
    case .parenthesized: return Sum()
    case .isType, .binary(.and, _, _), .binary(.or, _, _): return Sum(expressions: 2)
    case .slice(_, let start, let end):
      return Sum(expressions: 1 + (start == nil ? 1 : 0) + (end == nil ? 1 : 0))
    case .path(let parts):
      let literals = parts.filter { part in
        if case .literal = part.kind { return true }
        return false
      }
      return Sum(expressions: 1 + literals.count)
    case .call:
      switch rules.binding(id) {
      case .function(let function): return Sum(expressions: 1) + cost(of: function)
      case .builtin(.get), .builtin(.getAfter): return Sum(expressions: 1, lookups: 1, reads: 1)
      case .builtin(.exists), .builtin(.existsAfter): return Sum(expressions: 1, lookups: 1)
      default: return Sum(expressions: 1)
      }
    case .literal, .variable, .list, .map, .not, .negate, .binary, .conditional, .member, .index,
      .method, .invalid:
      return Sum(expressions: 1)
    }
  }

  private mutating func cost(of function: FunctionID) -> Sum {
    if let known = known[function] { return known }
    let declaration = rules.ruleset[function]
    var sum = cost(of: declaration.result.root)
    for binding in declaration.lets {
      sum = sum + cost(of: binding.value.root) + Sum(expressions: 1)
    }
    known[function] = sum
    return sum
  }
}
