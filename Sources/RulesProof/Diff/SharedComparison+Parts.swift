import RulesEncoding
import RulesLang
import RulesSolver

// The extent of an edit: the expressions and functions that contain or call the edited parts.

extension SharedComparison {
  /// The uses of expressions and functions in a rules file.
  struct Users {
    /// The expression that each expression is an operand of, by number; -1 for the root of a body.
    private var outer: [Int32]
    /// The function whose body's root an expression is; -1 for others.
    private var owner: [Int32]
    /// The calls of each function.
    private var calls: [[ExprID]]

    /// Collects the uses in a rules file.
    init(_ rules: Checked) {
      let count = rules.ruleset.expressions.count
      outer = Array(repeating: -1, count: count)
      owner = outer
      calls = Array(repeating: [], count: rules.ruleset.functions.count)
      for index in outer.indices {
        rules.ruleset.expressions[index].forEachOperand { outer[$0.index] = Int32(index) }
        if case .function(let function) = rules.binding(ExprID(index)) {
          calls[function.index].append(ExprID(index))
        }
      }
      for index in rules.ruleset.functions.indices {
        for body in rules.ruleset[FunctionID(index)].bodies {
          owner[body.root.index] = Int32(index)
        }
      }
    }

    /// Returns the given expressions with all expressions and functions that contain or call them.
    func parts(with changed: [ExprID]) -> ChangedParts {
      var parts = ChangedParts(expressions: [], functions: [])
      var isSeen = [Bool](repeating: false, count: outer.count)
      var left = changed
      while let next = left.popLast() {
        guard next.index < outer.count, !isSeen[next.index] else { continue }
        isSeen[next.index] = true
        parts.expressions.append(next)
        let function = FunctionID(Int(max(0, owner[next.index])))
        if outer[next.index] >= 0 {
          left.append(ExprID(Int(outer[next.index])))
        } else if owner[next.index] >= 0, !parts.functions.contains(function) {
          parts.functions.append(function)
          left += calls[function.index]
        }
      }
      return parts
    }
  }

  private func knownUsers() -> Users {
    let known = users ?? Users(rules)
    users = known
    return known
  }

  /// Returns the compiled half of a version for a request class. Parts that no reached edit changes are
  /// taken over from the unchanged file.
  func half(
    of version: Checked, meeting met: RelevantEdits, withErrors: Bool, others: OtherWrites,
    within budget: Budget?, compilingAnew: (Checked) -> Compiler
  ) -> DiffGoal.Half {
    if let known = compiled(met) {
      return withErrors ? known.copyWithErrors(within: budget) : known
    }
    let itself = RelevantEdits(kind: met.kind, edits: [], others: [])
    let known = compiled(itself)
    let tree = tree(of: met, version)
    let compiler =
      known?.compiler.version(
        tree, except: parts(changedBetween: Pair(old: itself, new: met)), within: budget)
      ?? compilingAnew(tree)
    compiler.keepParts(of: rules)
    var half = DiffGoal.Half(compiler, except: except(of: met))
    half.compile(inWords: false, withErrors: withErrors)
    if !met.others.isEmpty || !half.takeCommit(of: known) { half.askOthers(others, in: compiler) }
    if !withErrors, budget?.isSpent != true { note(half, as: met) }
    return half
  }

  /// Returns the expressions and functions affected by the reached edits in which two versions differ.
  func parts(changedBetween pair: Pair) -> ChangedParts {
    parts(changedBy: pair.old.edits.symmetricDifference(pair.new.edits))
  }

  /// Returns the expressions and functions that the edits affect.
  func parts(changedBy edits: Set<RulesEdit>) -> ChangedParts {
    var changed: [ExprID] = []
    for edit in edits {
      switch edit {
      case .constant(let id, _), .branch(let id, _): changed.append(id)
      case .condition(let allow, _), .unconditional(let allow):
        changed += [rules.ruleset[allow].condition?.root].compactMap { $0 }
      // The body is copied.
      case .rewritten(let id, _): changed += [owner(of: id)?.body.root].compactMap { $0 }
      case .replaced(let place, _): changed.append(rules.ruleset.body(at: place).root)
      case .methods: break
      }
    }
    return knownUsers().parts(with: changed)
  }
}
