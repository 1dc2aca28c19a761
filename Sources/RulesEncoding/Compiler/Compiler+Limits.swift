import RulesEval
package import RulesLang

// The limits of a proof: evaluation limits, and conditions that inspect a path of any length.

extension Compiler {
  /// Returns the reasons why the statements, tried in order, could exceed an evaluation limit.
  ///
  /// - Requires: Their conditions are compiled.
  package func costs(of statements: [Statement]) -> [OpenReason] {
    cost.begin()
    var tooDear: SourceRange?
    var tooCurious: SourceRange?
    for statement in statements {
      cost.add(statement.allow)
      let range = rules.ruleset[statement.allow].operationsRange
      if cost.expressions > Limits.expressions { tooDear = tooDear ?? range }
      if cost.lookups > Self.greatestLookups { tooCurious = tooCurious ?? range }
    }
    var openReasons: [OpenReason] = []
    if let tooDear {
      let reason = "the statements up to this one may evaluate more than 1000 expressions"
      openReasons.append(OpenReason(reason, at: tooDear))
    }
    if let tooCurious, greatestLookups(cost) > Self.greatestLookups {
      let reason = "the statements up to this one may look up more than 10 documents"
      openReasons.append(OpenReason(reason, at: tooCurious))
    }
    return openReasons
  }

  /// Returns an upper bound of the steps to decide one request, once it is prepared, by some statements.
  package func stepsToDecide(by statements: [Statement]) -> Int {
    cost.begin()
    for statement in statements { cost.add(statement.allow) }
    // Each match block is tried.
    return 60 + rules.matches.count + 4 * min(cost.expressions, Limits.expressions)
  }

  /// Returns an upper bound of the lookups that are charged (Docs/Language.md §11.3): equal existence tests
  /// once, reads each time, since the document may be missing.
  private func greatestLookups(_ cost: Cost) -> Int {
    // If compilation was cut short, `lookups` is incomplete.
    if isOverwhelmed { return cost.lookups }
    // With only one lookup, a read beyond the limit is an error exactly where a read of the missing document
    // is one, so repetition changes nothing.
    if lookups.count < 2 { return min(cost.lookups, lookups.count) }
    let tests = lookups.filter { !$0.isRead }.count
    return cost.reads + min(cost.lookups - cost.reads, tests)
  }

  /// Maximum documents that the statements for one document may look up.
  package static let greatestLookups = 10
}

/// The places where conditions inspect a path of any length.
package struct PathUses {
  /// The places, without repetition, in the order in which they were found.
  package private(set) var places: [SourceRange] = []
  private let rules: Checked
  private var seen: Set<Visit> = []

  /// A function with the captures and the parameter that are bound to such paths.
  private struct Visit: Hashable {
    var function: FunctionID
    var globs: Set<UInt8>
    var local: UInt8?
  }

  /// Creates an empty collection.
  package init(_ rules: Checked) { self.rules = rules }

  /// Inspects a function and the functions that it calls.
  package mutating func add(_ function: FunctionID, globs: Set<UInt8>, local: UInt8?) {
    // Without this, a chain of functions that each call the next one twice takes exponential time.
    let visit = Visit(function: function, globs: globs, local: local)
    guard seen.insert(visit).inserted else { return }
    for body in rules.ruleset[function].bodies { add(body, globs: globs, local: local) }
  }

  /// Inspects a body and the functions that it calls.
  package mutating func add(_ body: Body, globs: Set<UInt8>, local: UInt8?) {
    var plain: Set<ExprID> = []
    for id in body.nodes { plain.formUnion(operandsOfPlainTests(id)) }
    func isOpen(_ id: ExprID) -> Bool {
      switch rules.binding(id) {
      case .capture(let slot): globs.contains(slot)
      case .local(let slot): slot == local
      default: false
      }
    }
    for id in body.nodes {
      let passed = passed(by: id).enumerated().filter { isOpen($0.element) }
      // A single such path that is passed to a function is inspected in that function.
      if case .function(let function) = rules.binding(id), passed.count == 1,
        let slot = UInt8(exactly: passed[0].offset)
      {
        plain.insert(passed[0].element)
        add(function, globs: globs, local: slot)
      }
    }
    for index in body.first.index...body.root.index {
      switch (rules.bindings[index], rules.ruleset.expressions[index].kind) {
      case (.capture, _), (.local, _):
        if isOpen(ExprID(index)), !plain.contains(ExprID(index)) { note(index) }
      case (.function(let function), _): add(function, globs: globs, local: nil)
      case (_, .member(_, let name)) where name.text == "path" || name.text == "__name__":
        note(index)
      // An index reads these members, too: `resource['__name__']`.
      case (_, .literal(.string(let text))) where text == "path" || text == "__name__":
        note(index)
      default: break
      }
    }
  }

  /// Returns the operands of an expression that gives the same result for every path: no path is a string,
  /// number or null, or has their methods.
  private func operandsOfPlainTests(_ id: ExprID) -> [ExprID] {
    let tree = rules.ruleset
    switch tree[id].kind {
    case .isType(let operand, _): return [tree.unparenthesized(operand)]
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right):
      let sides = [tree.unparenthesized(left), tree.unparenthesized(right)]
      return sides.contains { isLiteral($0) } ? sides : []
    case .binary(.in, let element, let list):
      guard case .list(let elements) = tree[tree.unparenthesized(list)].kind,
        elements.allSatisfy({ isLiteral(tree.unparenthesized($0)) })
      else { return [] }
      return [tree.unparenthesized(element)]
    case .method(let base, let name, _):
      let isOfPaths = Builtins.methods(named: name.text).contains { $0.receiver == .path }
      return isOfPaths ? [] : [tree.unparenthesized(base)]
    default: return []
    }
  }

  private func isLiteral(_ id: ExprID) -> Bool {
    if case .literal = rules.ruleset[id].kind { return true }
    return false
  }

  /// Returns the arguments of a call.
  private func passed(by id: ExprID) -> [ExprID] {
    guard case .call(_, let arguments) = rules.ruleset[id].kind else { return [] }
    return arguments.map { rules.ruleset.unparenthesized($0) }
  }

  private mutating func note(_ index: Int) {
    let range = rules.ruleset.expressions[index].range
    if !places.contains(range) { places.append(range) }
  }
}

extension MatchFacts {
  /// The slots of the captures that are bound to any number of segments.
  package var globs: Set<UInt8> {
    Set(
      pattern.compactMap { step in
        if case .glob(let slot) = step { return slot }
        return nil
      })
  }
}
