import RulesEval
import RulesLang

/// A condition, or an expression of a function, with its chains.
struct IdleBody {
  /// What it belongs to.
  enum Owner: Hashable {
    case statement(AllowID)
    case function(FunctionID)
  }

  /// What it belongs to.
  var owner: Owner
  /// The expression.
  var body: Body
  /// Its chains, outer ones first, later ones before earlier ones.
  var chains: [Chain]
  /// Its expressions of the form `question ? answer : answer`.
  var conditionals: [ExprID]

  private init(_ owner: Owner, _ body: Body, _ rules: Ruleset) {
    self.owner = owner
    self.body = body
    chains = rules.chains(in: body)
    conditionals = (body.first.index...body.root.index).map { ExprID($0) }.filter {
      if case .conditional = rules[$0].kind { return true }
      return false
    }
  }

  /// The bodies of a file, in order.
  static func all(_ rules: Checked) -> [IdleBody] {
    var found: [IdleBody] = []
    for allow in rules.grantingStatements {
      guard let condition = rules.ruleset[allow].condition else { continue }
      found.append(IdleBody(.statement(allow), condition, rules.ruleset))
    }
    for (index, function) in rules.ruleset.functions.enumerated() {
      for body in function.lets.map({ $0.value }) + [function.result] {
        found.append(IdleBody(.function(FunctionID(index)), body, rules.ruleset))
      }
    }
    return found.sorted { $0.body.root.index < $1.body.root.index }
  }

  /// The outermost node below parentheses.
  func root(_ rules: Ruleset) -> ExprID { rules.unparenthesized(body.root) }

  /// The other operands of the chains around what is removed.
  func neighbours(of removal: Removal, _ rules: Ruleset) -> [Removal] {
    guard case .operand(let id, let index) = removal,
      let own = chains.first(where: { $0.id == id })
    else { return [] }
    let place = rules[own.operands[index]].range
    var found: [Removal] = []
    for chain in chains where rules[chain.id].range.swallows(place) {
      for other in chain.operands.indices
      where !rules[chain.operands[other]].range.swallows(place) {
        found.append(.operand(chain: chain.id, index: other))
      }
    }
    return found
  }
}

extension Checked {
  /// The statements that take part in Firestore's decisions, without those that say `if false`
  /// themselves.
  var grantingStatements: [AllowID] {
    ruleset.allows.indices.map { AllowID($0) }.filter { id in
      let allow = ruleset[id]
      let service = ruleset.services[ruleset[allow.match].service]
      guard service.name.text == Ruleset.firestoreService, !methods[id.index].isEmpty,
        matches[allow.match.index].isReachable
      else { return false }
      guard let condition = allow.condition else { return true }
      return ruleset[ruleset.unparenthesized(condition.root)].kind != .literal(.bool(false))
    }
  }

  /// The functions that deciding statements can call, callers before what they call. What lies in
  /// places that are taken out is not called.
  func functions(reachedFrom statements: [AllowID], without cut: Patch = Patch()) -> [FunctionID] {
    var finished: [FunctionID] = []
    var seen: Set<FunctionID> = []
    func visit(_ body: Body) {
      for index in body.first.index...body.root.index {
        let id = ExprID(index)
        guard case .function(let function) = binding(id), !seen.contains(function),
          !cut.pieces.contains(where: { $0.range.swallows(ruleset[id].range) })
        else { continue }
        seen.insert(function)
        for inner in ruleset[function].lets.map({ $0.value }) + [ruleset[function].result] {
          visit(inner)
        }
        finished.append(function)
      }
    }
    for allow in statements { if let condition = ruleset[allow].condition { visit(condition) } }
    return finished.reversed()
  }

  /// Whether a statement depends on which database it is: its block names one, or its condition
  /// asks, other than to look a document up. Requests are made to one database only, so nothing that
  /// is proved of them holds of such a statement.
  func asksForDatabase(_ allow: AllowID) -> Bool {
    let facts = matches[ruleset[allow].match.index]
    for (step, text) in zip(facts.pattern, DocumentPath.root) {
      if case .literal(let wanted) = step, wanted != text { return true }
    }
    let slots = facts.pattern.prefix(DocumentPath.root.count).compactMap { $0.slot }
    var bodies = [ruleset[allow].condition].compactMap { $0 }
    for function in functions(reachedFrom: [allow]) {
      bodies += ruleset[function].lets.map { $0.value } + [ruleset[function].result]
    }
    return bodies.contains { body in
      let ids = (body.first.index...body.root.index).map { ExprID($0) }
      let inPaths = Set(ids.flatMap { ruleset[$0].interpolated })
      return ids.contains { id in
        guard case .capture(let slot) = binding(id) else { return false }
        return slots.contains(slot) && !inPaths.contains(id)
      }
    }
  }

  /// The places where a function reads one of its names.
  func reads(of slot: UInt8, in function: FunctionID) -> [ExprID] {
    let declaration = ruleset[function]
    let bodies = declaration.lets.map { $0.value } + [declaration.result]
    return bodies.flatMap { body in
      (body.first.index...body.root.index).map { ExprID($0) }.filter {
        binding($0) == .local(slot)
      }
    }
  }
}

extension PatternStep {
  /// The slot that it binds.
  fileprivate var slot: UInt8? {
    switch self {
    case .literal: nil
    case .capture(let slot), .glob(let slot): slot
    }
  }
}

extension Expression {
  /// What stands in `$(…)` of a path.
  fileprivate var interpolated: [ExprID] {
    guard case .path(let parts) = kind else { return [] }
    return parts.compactMap {
      if case .interpolation(let id) = $0.kind { return id }
      return nil
    }
  }
}
