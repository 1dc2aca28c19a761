public import RulesLang

/// A place of a rules file that tests can cover, with its possible outcomes.
///
/// Counted are every `allow` statement once, as tried; its condition twice, as granting and as not
/// granting; every sub-expression that is a condition twice, as true and as false; every other
/// sub-expression once, as evaluated. A call of a declared function counts as evaluated: true and false are
/// outcomes of the function's result, once for all calls. Not counted are literals, parentheses, the inner
/// links of a chain such as `request.auth.uid`, and conditions that are constants.
public struct CoveragePlace: Sendable {
  /// The part of the rules that tests can cover.
  public enum Subject: Sendable, Hashable {
    /// A statement: whether it was tried.
    case statement(AllowID)
    /// The condition of a statement: whether it granted and whether it did not.
    case condition(AllowID)
    /// A sub-expression, or an expression of a function.
    case expression(ExprID)
  }

  /// An outcome that no test has shown.
  public enum Gap: String, Sendable, Hashable {
    case neverTried, neverGranted, neverRefused
    case neverEvaluated, neverTrue, neverFalse
    case neverCalled

    /// The words of reports.
    public var words: String {
      switch self {
      case .neverTried: "never tried"
      case .neverGranted: "never grants"
      case .neverRefused: "never denies"
      case .neverEvaluated: "never evaluated"
      case .neverTrue: "never true"
      case .neverFalse: "never false"
      case .neverCalled: "never called"
      }
    }
  }

  /// The statement, condition or expression.
  public var subject: Subject
  /// The source range.
  public var range: SourceRange
  /// The number of possible outcomes: 1 or 2.
  public var possible: Int
  /// The number of them that tests have shown.
  public var seen: Int
  /// The outcomes that no test has shown; empty for a covered place.
  public var gaps: [Gap]
}

extension RuleCoverage {
  /// Every place of a rules file, in source order: statements before their conditions.
  public func places(in rules: Checked) -> [CoveragePlace] {
    var collector = PlaceCollector(rules: rules, coverage: self)
    collector.collect()
    return collector.places.enumerated().sorted {
      ($0.element.range.start, $0.offset) < ($1.element.range.start, $1.offset)
    }.map { $0.element }
  }

  /// Returns the gaps worth reporting: of an expression that was never evaluated only the outermost part, of
  /// a function that was never called its name, of a statement that was never tried the statement; of a
  /// conjunction, disjunction or negation none that the gaps of its operands imply.
  public func gaps(in rules: Checked) -> [(range: SourceRange, gap: CoveragePlace.Gap)] {
    var gaps: [(range: SourceRange, gap: CoveragePlace.Gap)] = []
    var hidden = rules.ruleset.functions
      .filter { expressions[rules.ruleset.unparenthesized($0.result.root).index].total == 0 }
      .map { $0.range }
    for function in rules.ruleset.functions where hidden.contains(function.range) {
      gaps.append((function.name.range, .neverCalled))
    }
    for place in places(in: rules) {
      if hidden.contains(where: { $0.start <= place.range.start && place.range.end <= $0.end }) {
        continue
      }
      for gap in place.gaps where !isImplied(gap, of: place, in: rules) {
        gaps.append((place.range, gap))
        if gap == .neverTried || gap == .neverEvaluated { hidden.append(place.range) }
      }
    }
    return gaps.sorted { ($0.range.start, $1.range.end) < ($1.range.start, $0.range.end) }
  }
}

extension RuleCoverage {
  /// True if a gap of a junction or negation follows from the gaps of its parts.
  fileprivate func isImplied(
    _ gap: CoveragePlace.Gap, of place: CoveragePlace, in rules: Checked
  ) -> Bool {
    guard case .expression(let id) = place.subject else { return false }
    func lacks(_ operand: ExprID, being flag: Bool) -> Bool {
      let inner = rules.result(of: operand)
      let tally = expressions[inner.index]
      // A constant has no gaps of its own to report.
      if rules.ruleset.isConstant(inner) { return false }
      return flag ? tally.trues == 0 : tally.falses == 0
    }
    switch (rules.ruleset[id].kind, gap) {
    case (.binary(.and, let left, let right), .neverTrue),
      (.binary(.or, let left, let right), .neverTrue):
      return lacks(left, being: true) || lacks(right, being: true)
    case (.binary(.and, let left, let right), .neverFalse),
      (.binary(.or, let left, let right), .neverFalse):
      return lacks(left, being: false) || lacks(right, being: false)
    case (.not(let operand), .neverTrue): return lacks(operand, being: false)
    case (.not(let operand), .neverFalse): return lacks(operand, being: true)
    default: return false
    }
  }
}

extension Checked {
  /// Returns the result of the function that an expression calls, through calls of calls; other expressions
  /// themselves, without parentheses.
  fileprivate func result(of expression: ExprID) -> ExprID {
    var id = ruleset.unparenthesized(expression)
    // Ends: functions that call each other in a cycle do not compile.
    while case .call = ruleset[id].kind, case .function(let function) = binding(id) {
      id = ruleset.unparenthesized(ruleset[function].result.root)
    }
    return id
  }
}

private struct PlaceCollector {
  let rules: Checked
  let coverage: RuleCoverage
  var places: [CoveragePlace] = []

  private var ruleset: Ruleset { rules.ruleset }

  mutating func collect() {
    let isCondition = conditions()
    for (index, allow) in ruleset.allows.enumerated() {
      statement(AllowID(index), allow: allow)
      guard let condition = allow.condition else { continue }
      operands(of: ruleset.unparenthesized(condition.root), isCondition)
    }
    for function in ruleset.functions {
      for body in function.bodies {
        visit(body.root, isInsideChain: false, isCondition: isCondition)
      }
    }
  }

  private mutating func statement(_ id: AllowID, allow: Allow) {
    let tally = coverage.statements[Int(id.raw)]
    places.append(
      CoveragePlace(
        subject: .statement(id), range: allow.range, possible: 1, seen: tally.total > 0 ? 1 : 0,
        gaps: tally.total > 0 ? [] : [.neverTried]))
    guard let condition = allow.condition, !ruleset.isConstant(condition.root) else { return }
    var gaps: [CoveragePlace.Gap] = []
    if tally.granted == 0 { gaps.append(.neverGranted) }
    if tally.refused + tally.failed == 0 { gaps.append(.neverRefused) }
    places.append(
      CoveragePlace(
        subject: .condition(id), range: ruleset[condition.root].range, possible: 2,
        seen: 2 - gaps.count, gaps: gaps))
  }

  private mutating func visit(_ outer: ExprID, isInsideChain: Bool, isCondition: [Bool]) {
    let id = ruleset.unparenthesized(outer)
    if ruleset.isConstant(id) { return }
    if !isInsideChain { expression(id, isCondition: isCondition[id.index]) }
    operands(of: id, isCondition)
  }

  private mutating func operands(of id: ExprID, _ isCondition: [Bool]) {
    let node = ruleset[id]
    for operand in node.operands {
      visit(
        operand, isInsideChain: node.isChainLink && operand == node.receiver,
        isCondition: isCondition)
    }
  }

  private mutating func expression(_ id: ExprID, isCondition: Bool) {
    let tally = coverage.expressions[id.index]
    // True and false are outcomes of the function, which has them once, however many statements call it.
    let isCondition = isCondition && rules.result(of: id) == id
    var gaps: [CoveragePlace.Gap] = []
    if tally.total == 0 {
      gaps = [.neverEvaluated]
    } else if isCondition {
      if tally.trues == 0 { gaps.append(.neverTrue) }
      if tally.falses == 0 { gaps.append(.neverFalse) }
    }
    let possible = isCondition ? 2 : 1
    places.append(
      CoveragePlace(
        subject: .expression(id), range: ruleset[id].range, possible: possible,
        seen: tally.total == 0 ? 0 : possible - gaps.count, gaps: gaps))
  }

  /// Returns, by `ExprID`, which expressions are conditions: those that can only be a bool, and those in
  /// places that need one, also inside the functions that are called there.
  private func conditions() -> [Bool] {
    var isCondition = rules.types.map { $0 == TypeSet.bool }
    for allow in ruleset.allows {
      if let root = allow.condition?.root {
        isCondition[ruleset.unparenthesized(root).index] = true
      }
    }
    // Repeated until nothing new is found, since a function may be declared before or after its callers. The
    // depth of calls is limited.
    var isChanging = true
    while isChanging {
      isChanging = false
      for index in isCondition.indices.reversed() {
        for operand in operandsNeededAsConditions(ExprID(index), isWhole: isCondition[index]) {
          let place = ruleset.unparenthesized(operand).index
          if !isCondition[place] { isChanging = true }
          isCondition[place] = true
        }
      }
    }
    return isCondition
  }

  private func operandsNeededAsConditions(_ id: ExprID, isWhole: Bool) -> [ExprID] {
    switch ruleset[id].kind {
    case .binary(.and, let left, let right), .binary(.or, let left, let right): [left, right]
    case .not(let operand): [operand]
    case .conditional(let condition, let whenTrue, let whenFalse):
      isWhole ? [condition, whenTrue, whenFalse] : [condition]
    case .call:
      if isWhole, case .function(let function) = rules.binding(id) {
        [ruleset[function].result.root]
      } else {
        []
      }
    case .literal, .variable, .list, .map, .path, .parenthesized, .negate, .binary, .isType,
      .member, .index, .slice, .method, .invalid:
      []
    }
  }
}
