import RulesEncoding
import RulesLang
import RulesSolver

// What a change to the tree makes different: what it is in, and what calls that.

extension SharedComparison {
  /// Where expressions and functions are used.
  struct Users {
    /// What each expression is an operand of, by its number; -1 for the root of a body.
    private var outer: [Int32]
    /// The function in whose body an expression is a root; -1 for others.
    private var owner: [Int32]
    /// The calls of each function.
    private var calls: [[ExprID]]

    /// Looks through the rules.
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

    /// What expressions are in, and what calls that, with themselves.
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

  /// A compiler of a version that has what the file itself says, as far as requests of a kind meet the same;
  /// nil if that was not compiled.
  func compiler(of version: Checked, like met: Met?, within budget: Budget?) -> Compiler? {
    guard let met else { return nil }
    let itself = Met(kind: met.kind, edits: [])
    guard let known = compiled(itself)?.compiler else { return nil }
    let compiler = Compiler(version, continuing: known)
    compiler.problem.budget = budget
    compiler.adoptParts(
      of: known, except: parts(changedBetween: Pair(old: itself, new: met)))
    return compiler
  }

  /// What requests of a kind meet that is not the same in two versions.
  func parts(changedBetween pair: Pair) -> ChangedParts {
    let users = users ?? Users(rules)
    self.users = users
    var changed: [ExprID] = []
    for edit in pair.old.edits.symmetricDifference(pair.new.edits) {
      switch edit {
      case .constant(let id, _), .branch(let id, _): changed.append(id)
      case .condition(let allow, _):
        changed += [rules.ruleset[allow].condition?.root].compactMap { $0 }
      case .methods: break
      }
    }
    return users.parts(with: changed)
  }
}
