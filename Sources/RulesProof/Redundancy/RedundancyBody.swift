import RulesEval
import RulesLang

/// A condition, or an expression in a function, with its chains.
struct RedundancyBody {
  /// The statement or function of a body.
  enum Owner: Hashable {
    case statement(AllowID)
    case function(FunctionID)
  }

  /// The statement or function.
  var owner: Owner
  /// The expression.
  var body: Body
  /// The chains, outer ones first, later ones before earlier ones.
  var chains: [OperandChain]
  /// The conditional expressions.
  var conditionals: [ExprID]

  /// A node with separately removable parts.
  enum Unit {
    case chain(OperandChain)
    case conditional(ExprID)

    /// The node.
    var id: ExprID {
      switch self {
      case .chain(let chain): chain.id
      case .conditional(let id): id
      }
    }
  }

  /// The chains and conditional expressions, outer ones first, later ones before earlier ones.
  var units: [Unit] {
    (chains.map { Unit.chain($0) } + conditionals.map { Unit.conditional($0) })
      .sorted { $0.id.index > $1.id.index }
  }

  private init(of owner: Owner, body: Body, in rules: Ruleset) {
    self.owner = owner
    self.body = body
    chains = rules.chains(in: body)
    conditionals = body.nodes.filter {
      if case .conditional = rules[$0].kind { return true }
      return false
    }
  }

  /// Returns the bodies of a file, in order.
  static func all(_ rules: Checked) -> [RedundancyBody] {
    var found: [RedundancyBody] = []
    for allow in rules.grantingStatements {
      guard let condition = rules.ruleset[allow].condition else { continue }
      found.append(RedundancyBody(of: .statement(allow), body: condition, in: rules.ruleset))
    }
    for (index, function) in rules.ruleset.functions.enumerated() {
      for body in function.bodies {
        found.append(
          RedundancyBody(of: .function(FunctionID(index)), body: body, in: rules.ruleset))
      }
    }
    return found.sorted { $0.body.root.index < $1.body.root.index }
  }

  /// Returns the outermost node without parentheses.
  func root(_ rules: Ruleset) -> ExprID { rules.unparenthesized(body.root) }

  /// Returns the other operands of the chains around a removal: the adjacent ones, on which it
  /// usually depends, and all others.
  func neighbours(of removal: Removal, _ rules: Ruleset) -> (near: [Removal], far: [Removal]) {
    guard case .operand(let id, let index) = removal,
      let own = chains.first(where: { $0.id == id })
    else { return ([], []) }
    let place = rules[own.operands[index]].range
    var (near, far): ([Removal], [Removal]) = ([], [])
    for chain in chains where rules[chain.id].range.swallows(place) {
      for other in chain.operands.indices
      where !rules[chain.operands[other]].range.swallows(place) {
        let operand = Removal.operand(chain: chain.id, index: other)
        if chain.id == id, abs(other - index) == 1 {
          near.append(operand)
        } else {
          far.append(operand)
        }
      }
    }
    return (near, far)
  }
}

extension Checked {
  /// Returns the uses of a function's local.
  func reads(of slot: UInt8, in function: FunctionID) -> [ExprID] {
    ruleset[function].bodies.flatMap { body in
      body.nodes.filter { binding($0) == .local(slot) }
    }
  }
}
