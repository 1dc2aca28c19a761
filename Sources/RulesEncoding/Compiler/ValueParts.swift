import RulesEval
package import RulesLang

// `[x, x]` shares its parts, so a few calls of functions make a value that takes as long to look through as
// thousands of expressions. Evaluators count the parts of lists and maps as these are made and compared, so
// that is what deciding a request costs beside its expressions.

/// The parts of values that conditions make and compare at most, as far as their text tells.
package struct ValueParts {
  /// A number for arguments that have so many parts: `base`, and `factors` times the parts of each.
  private struct Sum {
    /// No sum is greater; products of two fit into 64 bits.
    static let greatest: Int64 = 1 << 30
    var base: Int64 = 0
    var factors: [Int64] = []

    static func + (left: Sum, right: Sum) -> Sum {
      var sum = left
      sum.base = min(left.base + right.base, greatest)
      for (place, factor) in right.factors.enumerated() {
        if place < sum.factors.count {
          sum.factors[place] = min(sum.factors[place] + factor, greatest)
        } else {
          sum.factors.append(factor)
        }
      }
      return sum
    }

    /// The sum for arguments that are sums themselves.
    func applied(to arguments: [Sum]) -> Sum {
      var sum = Sum(base: base)
      for (argument, factor) in zip(arguments, factors) where factor > 0 {
        sum = sum + argument.times(factor)
      }
      return sum
    }

    private func times(_ factor: Int64) -> Sum {
      Sum(
        base: min(base * factor, Self.greatest),
        factors: factors.map { min($0 * factor, Self.greatest) })
    }

    /// The sum of a parameter's parts.
    static func parameter(_ slot: Int) -> Sum {
      Sum(factors: Array(repeating: 0, count: slot) + [1])
    }
  }

  /// The parts of a value, and those that were counted while it was made.
  private struct Measure {
    var weight = Sum(base: 1)
    var work = Sum()
  }

  private let rules: Checked
  private var known: [FunctionID: Measure] = [:]

  /// Nothing is measured yet.
  package init(_ rules: Checked) { self.rules = rules }

  /// Smaller values cost no more than their expressions do.
  private static let least: Int64 = 1000

  /// The parts that an evaluator counts for the condition of a statement; 0 if these are few.
  package mutating func count(of allow: AllowID) -> Int {
    guard let condition = rules.ruleset[allow].condition else { return 0 }
    let work = measure(condition.root, []).work.base
    // What has more parts than a value may have ends the evaluation.
    let greatest = Int64(Limits.expressions) * Int64(Value.greatestWeight)
    return work < Self.least ? 0 : Int(clamping: min(work, greatest))
  }

  private mutating func measure(_ id: ExprID, _ locals: [Sum]) -> Measure {
    switch rules.ruleset[id].kind {
    case .literal, .invalid: return Measure()
    case .variable:
      guard case .local(let slot) = rules.binding(id), Int(slot) < locals.count else {
        return Measure()
      }
      return Measure(weight: locals[Int(slot)])
    case .parenthesized(let inner): return measure(inner, locals)
    case .list, .map: return made(of: id, locals)
    case .conditional(let condition, let one, let other):
      let (asked, left, right) = (
        measure(condition, locals), measure(one, locals), measure(other, locals)
      )
      return Measure(weight: left.weight + right.weight, work: asked.work + left.work + right.work)
    case .call(_, let arguments):
      let measures = arguments.map { measure($0, locals) }
      var found = Measure()
      for measure in measures { found.work = found.work + measure.work }
      guard case .function(let function) = rules.binding(id) else { return found }
      let body = self.body(of: function)
      let weights = measures.map { $0.weight }
      found.weight = body.weight.applied(to: weights)
      found.work = found.work + body.work.applied(to: weights)
      return found
    case .method, .index, .slice: return looked(through: id, isKept: true, locals)
    case .binary, .isType, .not, .negate, .member, .path:
      return looked(through: id, isKept: false, locals)
    }
  }

  /// A list or map that is made of its elements.
  private mutating func made(of id: ExprID, _ locals: [Sum]) -> Measure {
    var found = Measure()
    for element in rules.ruleset[id].operands {
      let measure = measure(element, locals)
      found.weight = found.weight + measure.weight
      found.work = found.work + measure.work
    }
    found.work = found.work + found.weight
    return found
  }

  /// An operation that may look through its operands, whose parts the result may have.
  private mutating func looked(through id: ExprID, isKept: Bool, _ locals: [Sum]) -> Measure {
    var found = Measure()
    for operand in rules.ruleset[id].operands {
      let measure = measure(operand, locals)
      found.work = found.work + measure.work + measure.weight
      if isKept { found.weight = found.weight + measure.weight }
    }
    return found
  }

  private mutating func body(of function: FunctionID) -> Measure {
    if let known = known[function] { return known }
    let declaration = rules.ruleset[function]
    var locals = declaration.parameters.indices.map { Sum.parameter($0) }
    var work = Sum()
    for binding in declaration.lets {
      let value = measure(binding.value.root, locals)
      work = work + value.work
      locals.append(value.weight)
    }
    var found = measure(declaration.result.root, locals)
    found.work = found.work + work
    known[function] = found
    return found
  }
}
