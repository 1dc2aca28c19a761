import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A residual condition: the rest of a condition without the parts that are certain.
package indirect enum ResidualCondition: Sendable, Hashable {
  /// The condition is true.
  case nothing
  /// A part of the condition as source text, with the sources that it reads.
  ///
  /// - Parameter isTight: True if it needs no parentheses beside other parts.
  case text(String, isTight: Bool, reads: ConditionReads)
  /// Conjunction.
  case all([ResidualCondition])
  /// Disjunction.
  case any([ResidualCondition])

  /// The condition in the rules language; `true` if nothing is left.
  package var text: String {
    switch self {
    case .nothing: "true"
    case .text(let text, _, _): text
    case .all(let parts): parts.map { $0.tight(inside: .and) }.joined(separator: " && ")
    case .any(let parts): parts.map { $0.tight(inside: .or) }.joined(separator: " || ")
    }
  }

  /// True if it contains a disjunction.
  var hasChoice: Bool {
    switch self {
    case .nothing, .text: false
    case .any: true
    case .all(let parts): parts.contains { $0.hasChoice }
    }
  }

  /// The sources that the parts read.
  package var reads: ConditionReads {
    switch self {
    case .nothing: []
    case .text(_, _, let reads): reads
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.reads) }
    }
  }

  /// The conjuncts.
  var conjuncts: [ResidualCondition] {
    switch self {
    case .nothing: []
    case .text, .any: [self]
    case .all(let parts): parts.flatMap { $0.conjuncts }
    }
  }

  private func tight(inside op: BinaryOperator) -> String {
    switch self {
    case .nothing, .text(_, isTight: true, _): text
    case .all where op == .or: text
    case .text, .all, .any: "(\(text))"
    }
  }
}

/// Computes residual conditions.
///
/// Sound: a part is removed only if an unsatisfiable search proves it certain, so among the requests of
/// the goal's scope and of `clients`, the rest is true of exactly the same ones.
struct ConditionReducer {
  /// The result for a part.
  private enum Outcome {
    case always, never
    case open(ResidualCondition)
  }

  private let goal: Goal
  private var compiler: Compiler { goal.compiler }
  private var ruleset: Ruleset { compiler.rules.ruleset }

  private let finder: ReadsFinder
  /// Assertions about the clients, beside the goal's scope. A part that is never true of them is
  /// removed; one that is always true of them stays.
  private let clients: [Ref]

  init(_ goal: Goal, of clients: [Ref] = []) {
    (self.goal, self.clients) = (goal, clients)
    finder = ReadsFinder(goal.compiler.rules)
  }

  /// Returns the residual condition of a statement; nil if it does not apply to the goal's
  /// requests.
  func residual(of allow: AllowID) -> ResidualCondition? {
    goal.statements.first { $0.allow == allow }.map { residual(of: $0) }
  }

  /// Returns the statements that can grant requests in the goal's scope, with their residual
  /// conditions, without those that grant only what others grant.
  func alternatives() -> [AccessMatrix.Alternative] {
    var found: [(alternative: AccessMatrix.Alternative, grants: Ref)] = []
    for (statement, grants) in zip(goal.statements, goal.grants) {
      if isImpossible([goal.scope, grants]) { continue }
      let place = isImpossible([goal.scope, !statement.applies]) ? nil : place(of: statement)
      found.append(
        (
          AccessMatrix.Alternative(
            allow: statement.allow, residual: residual(of: statement), place: place),
          grants
        ))
    }
    for index in found.indices.reversed() {
      let others = found.enumerated().filter { $0.offset != index }.map { !$0.element.grants }
      if !others.isEmpty, isImpossible([goal.scope, found[index].grants] + others) {
        found.remove(at: index)
      }
    }
    return found.map { $0.alternative }
  }

  private func place(of statement: Compiler.Statement) -> String? {
    ClaimPath(
      compiler.rules.matches[ruleset[statement.allow].match.index], in: compiler.rules.database)?
      .text
  }

  private func residual(of statement: Compiler.Statement) -> ResidualCondition {
    guard let condition = ruleset[statement.allow].condition else { return .nothing }
    // Incomplete axioms prove little, and like cells would get different texts.
    if goal.unstated != nil {
      return text(of: condition.root, in: Place(frame: statement.frame))
    }
    let outcome = reduce(
      condition.root, in: Place(frame: statement.frame), given: [goal.scope, statement.applies])
    switch outcome {
    case .always: return .nothing
    case .open(let residual): return residual
    case .never: return text(of: condition.root, in: Place(frame: statement.frame))
    }
  }

  /// True if the roots are proved unsatisfiable.
  private func isImpossible(_ roots: [Ref]) -> Bool {
    if Self.contradicts(roots) { return true }
    if goal.budget.isSpent || goal.isKnownPossible(roots) { return false }
    let search = goal.search(
      for: roots, within: .brief)
    return search.result == .unsatisfiable
  }

  /// True if the roots contradict each other syntactically.
  private static func contradicts(_ roots: [Ref]) -> Bool {
    let numbers = roots.map { $0.raw }.sorted()
    // A literal and its negation differ in the lowest bit.
    return roots.contains(.no)
      || zip(numbers, numbers.dropFirst()).contains { $0 != $1 && $0 | 1 == $1 | 1 }
  }

  // MARK: Conditions

  /// The context of an expression: its symbolic frame, and substitutes for text.
  private struct Place {
    var frame: SymbolicFrame
    /// The substitutes for the locals of an inlined function.
    var locals: [ConditionText.Piece] = []
  }

  private func reduce(_ id: ExprID, in place: Place, given base: [Ref]) -> Outcome {
    let id = ruleset.unparenthesized(id)
    if goal.budget.isSpent { return .open(text(of: id, in: place)) }
    let rails = compiler.knownRails(of: id, in: place.frame)
    if isImpossible(base + clients + [rails.yes]) { return .never }
    if isImpossible(base + [!rails.yes]) { return .always }
    switch ruleset[id].kind {
    case .binary(.and, _, _):
      let left = open(parts(of: id, .and), of: .and, in: place, given: base)
      if !left.isEmpty { return .open(left.count == 1 ? left[0] : .all(left)) }
    case .binary(.or, _, _):
      let left = open(parts(of: id, .or), of: .or, in: place, given: base)
      if !left.isEmpty { return .open(left.count == 1 ? left[0] : .any(left)) }
    case .conditional(let condition, let one, let other):
      let chooses = compiler.knownRails(of: condition, in: place.frame)
      if isImpossible(base + [!chooses.yes]) { return reduce(one, in: place, given: base) }
      if isImpossible(base + [!chooses.no]) { return reduce(other, in: place, given: base) }
    case .call:
      if let opened = opened(id, in: place, given: base) { return opened }
    default: break
    }
    return .open(text(of: id, in: place))
  }

  /// Returns the parts of a conjunction or disjunction that are not certain.
  private func open(
    _ parts: [ExprID], of op: BinaryOperator, in place: Place, given base: [Ref]
  ) -> [ResidualCondition] {
    var residuals: [ResidualCondition] = []
    look(for: parts, op, in: place, given: base)
    for part in parts {
      guard case .open(let residual) = reduce(part, in: place, given: base) else { continue }
      if !residuals.contains(residual) { residuals.append(residual) }
    }
    return residuals
  }

  /// Looks for models that show many parts to be uncertain at once: all conjuncts not true, or all
  /// disjuncts true. Models of the whole condition and its negation are known already.
  private func look(
    for parts: [ExprID], _ op: BinaryOperator, in place: Place, given base: [Ref]
  ) {
    let wishes = parts.map { part in
      let isTrue = compiler.knownRails(of: part, in: place.frame).yes
      return op == .and ? !isTrue : isTrue
    }
    look(for: wishes[...], given: base)
  }

  /// Looks for a model of all propositions, or else of each half.
  private func look(for wishes: ArraySlice<Ref>, given base: [Ref]) {
    let unknown = wishes.filter { $0 != .no && !goal.isKnownPossible(base + [$0]) }
    guard unknown.count > 1, isImpossible(base + unknown) else { return }
    let middle = unknown.count / 2
    look(for: unknown[..<middle], given: base)
    look(for: unknown[middle...], given: base)
  }

  private func parts(of id: ExprID, _ op: BinaryOperator) -> [ExprID] {
    let id = ruleset.unparenthesized(id)
    guard case .binary(op, let left, let right) = ruleset[id].kind else { return [id] }
    return parts(of: left, op) + parts(of: right, op)
  }

  /// Inlines a call: returns the residual of the function's body, if that is short or a part of it
  /// is certain.
  private func opened(_ id: ExprID, in place: Place, given base: [Ref]) -> Outcome? {
    guard case .call(_, let arguments) = ruleset[id].kind,
      case .function(let function) = compiler.rules.binding(id)
    else { return nil }
    guard ruleset[function].parameters.count == arguments.count else { return nil }
    var inner = Place(
      frame: SymbolicFrame(
        captures: place.frame.captures,
        locals: arguments.map { compiler.cases(of: $0, in: place.frame) },
        seesDocument: place.frame.seesDocument),
      locals: arguments.map { piece(of: $0, in: place) })
    // Texts longer than any possible result are not substituted; nested substitution grows
    // exponentially.
    var isTooLong = inner.locals.contains { $0.text.utf8.count > Strategy.sentenceText }
    let body = compiler.rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      if isTooLong { return }
      let piece = piece(of: value.root, in: inner)
      inner.frame.locals.append(compiler.cases(of: value.root, in: inner.frame))
      inner.locals.append(piece)
      isTooLong = piece.text.utf8.count > Strategy.sentenceText
    }
    guard let body, !isTooLong else { return nil }
    let outcome = reduce(body.root, in: inner, given: base)
    guard case .open(let residual) = outcome else { return nil }
    return residual.text.utf8.count <= Strategy.sentenceText ? outcome : nil
  }

  // MARK: Text

  private func text(of id: ExprID, in place: Place) -> ResidualCondition {
    let piece = piece(of: id, in: place)
    return .text(piece.text, isTight: piece.isTight, reads: piece.reads)
  }

  private func piece(of id: ExprID, in place: Place) -> ConditionText.Piece {
    ConditionText(rules: compiler.rules, finder: finder, locals: place.locals).piece(id)
  }
}
