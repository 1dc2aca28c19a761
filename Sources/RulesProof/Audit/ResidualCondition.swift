import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// A residual condition: what is left of one once everything that is certain is taken away.
package indirect enum ResidualCondition: Sendable, Hashable {
  /// Nothing: the condition is true.
  case nothing
  /// A part of the condition in the rules' own text, with what it reads; `isTight` says that it needs no
  /// parentheses beside other parts.
  case text(String, isTight: Bool, reads: ConditionReads)
  /// All of these.
  case all([ResidualCondition])
  /// One of these.
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

  /// True if one of several parts is enough somewhere.
  var hasChoice: Bool {
    switch self {
    case .nothing, .text: false
    case .any: true
    case .all(let parts): parts.contains { $0.hasChoice }
    }
  }

  /// The data that the parts read, together.
  package var reads: ConditionReads {
    switch self {
    case .nothing: []
    case .text(_, _, let reads): reads
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.reads) }
    }
  }

  /// The parts all of which must hold.
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

/// Takes away what is certain of conditions. What is taken away was shown to be certain by a search
/// without result, so what is left is true of exactly the same requests.
struct ConditionReducer {
  /// What came of a part.
  private enum Outcome {
    case always, never
    case open(ResidualCondition)
  }

  private let goal: Goal
  private var compiler: Compiler { goal.compiler }
  private var ruleset: Ruleset { compiler.rules.ruleset }

  private let finder: ReadsFinder
  /// Propositions that hold of the clients that are meant, beside the goal's scope: a part that is never true
  /// of them goes, and one that is always true of them stays.
  private let clients: [Ref]

  init(_ goal: Goal, of clients: [Ref] = []) {
    (self.goal, self.clients) = (goal, clients)
    finder = ReadsFinder(goal.compiler.rules)
  }

  /// Returns what must hold for a statement to grant, if it can be for the goal's requests.
  func residual(of allow: AllowID) -> ResidualCondition? {
    goal.statements.first { $0.allow == allow }.map { residual(of: $0) }
  }

  /// The statements that can grant requests in the goal's scope, each with what must hold for it;
  /// none that only grants what another one grants.
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
    for index in found.indices.reversed() where !isKnownAlone(found[index].grants) {
      let others = found.enumerated().filter { $0.offset != index }.map { !$0.element.grants }
      if !others.isEmpty, isImpossible([goal.scope, found[index].grants] + others) {
        found.remove(at: index)
      }
    }
    return found.map { $0.alternative }
  }

  /// Whether a statement is known to grant some request that no other one grants.
  private func isKnownAlone(_ grants: Ref) -> Bool {
    goal.neighbours.isLonely.map { goal.isKnownPossible([goal.scope, grants, $0]) } ?? false
  }

  private func place(of statement: Compiler.Statement) -> String? {
    ClaimPath(
      compiler.rules.matches[ruleset[statement.allow].match.index], in: compiler.rules.database)?
      .text
  }

  private func residual(of statement: Compiler.Statement) -> ResidualCondition {
    guard let condition = ruleset[statement.allow].condition else { return .nothing }
    // Where not all is stated little is certain, and what would be said of like cells would differ.
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

  /// Whether no request satisfies all of these.
  private func isImpossible(_ roots: [Ref]) -> Bool {
    if Self.contradicts(roots) { return true }
    if goal.budget.isSpent || goal.isKnownPossible(roots) { return false }
    let search = goal.search(
      for: roots, within: SearchBudget(conflicts: 2000), wishing: goal.neighbours.rows)
    return search.result == .unsatisfiable
  }

  /// Whether propositions deny each other by what they are.
  private static func contradicts(_ roots: [Ref]) -> Bool {
    let numbers = roots.map { $0.raw }.sorted()
    // A proposition and its negation have numbers that differ in the lowest bit.
    return roots.contains(.no)
      || zip(numbers, numbers.dropFirst()).contains { $0 != $1 && $0 | 1 == $1 | 1 }
  }

  // MARK: Conditions

  /// Where an expression stands: what its variables are, for the prover and as text.
  private struct Place {
    var frame: SymbolicFrame
    /// What the parameters and lets of an opened function are in the text around its call.
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

  /// The parts of a junction that are not certain either way.
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

  /// Looks for requests that show of many parts at once that they are not certain: a request of which all
  /// parts of a conjunction are not true, or all of a disjunction true. Requests of which the whole is true,
  /// or not, are known already.
  private func look(
    for parts: [ExprID], _ op: BinaryOperator, in place: Place, given base: [Ref]
  ) {
    let wishes = parts.map { part in
      let isTrue = compiler.knownRails(of: part, in: place.frame).yes
      return op == .and ? !isTrue : isTrue
    }
    look(for: wishes[...], given: base)
  }

  /// When the parts are true that the conditions of all statements are conjunctions of.
  func topmostParts() -> [Ref] {
    goal.statements.flatMap { statement -> [Ref] in
      guard let condition = ruleset[statement.allow].condition else { return [] }
      return parts(of: condition.root, .and).map {
        compiler.knownRails(of: $0, in: statement.frame).yes
      }
    }
  }

  /// The same for propositions: for all of them, or else for each half.
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

  /// A call of the rules' own function: what is left of the function's body, if that is short or if
  /// a part of it is certain.
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
    // What is longer than what comes of it may be cannot be put into it; and what is put into each other
    // again and again is soon too long for any memory.
    var isTooLong = inner.locals.contains { $0.text.utf8.count > Self.greatestResidual }
    let body = compiler.rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      if isTooLong { return }
      let piece = piece(of: value.root, in: inner)
      inner.frame.locals.append(compiler.cases(of: value.root, in: inner.frame))
      inner.locals.append(piece)
      isTooLong = piece.text.utf8.count > Self.greatestResidual
    }
    guard let body, !isTooLong else { return nil }
    let outcome = reduce(body.root, in: inner, given: base)
    guard case .open(let residual) = outcome else { return nil }
    let isWhole = residual == text(of: body.root, in: inner)
    let limit = isWhole ? Self.greatestBody : Self.greatestResidual
    return residual.text.utf8.count <= limit ? outcome : nil
  }

  /// A function is not opened if that makes more text than this.
  private static let greatestBody = 120
  /// The same for one of which a part is certain.
  private static let greatestResidual = 400

  // MARK: Text

  private func text(of id: ExprID, in place: Place) -> ResidualCondition {
    let piece = piece(of: id, in: place)
    return .text(piece.text, isTight: piece.isTight, reads: piece.reads)
  }

  private func piece(of id: ExprID, in place: Place) -> ConditionText.Piece {
    ConditionText(rules: compiler.rules, finder: finder, locals: place.locals).piece(id)
  }
}
