import RulesEncoding
import RulesLang
import RulesSolver

// What a change to the tree makes different: what it is in, and what calls that.

extension SharedComparison {
  /// Where expressions and functions are used.
  struct Users {
    /// What each expression is an operand of, by its number; -1 for the root of a body.
    private var outer: [Int32]
    /// The function in whose body an expression is a root.
    private var owner: [ExprID: FunctionID] = [:]
    /// The calls of each function.
    private var calls: [FunctionID: [ExprID]] = [:]

    /// Looks through the rules.
    init(_ rules: Checked) {
      outer = Array(repeating: -1, count: rules.ruleset.expressions.count)
      for index in outer.indices {
        rules.ruleset.expressions[index].forEachOperand { outer[$0.index] = Int32(index) }
        if case .function(let function) = rules.binding(ExprID(index)) {
          calls[function, default: []].append(ExprID(index))
        }
      }
      for index in rules.ruleset.functions.indices {
        for body in rules.ruleset[FunctionID(index)].bodies { owner[body.root] = FunctionID(index) }
      }
    }

    /// Adds expressions, what they are in, and what calls that.
    func add(_ id: ExprID, to changed: inout ChangedParts) {
      var left = [id]
      while let next = left.popLast() {
        guard next.index < outer.count, changed.expressions.insert(next).inserted else { continue }
        if outer[next.index] >= 0 {
          left.append(ExprID(Int(outer[next.index])))
        } else if let function = owner[next], changed.functions.insert(function).inserted {
          left += calls[function] ?? []
        }
      }
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
    var changed = ChangedParts(expressions: [], functions: [])
    for edit in pair.old.edits.symmetricDifference(pair.new.edits) {
      switch edit {
      case .constant(let id, _), .branch(let id, _): users.add(id, to: &changed)
      case .condition(let allow, _):
        if let condition = rules.ruleset[allow].condition {
          users.add(condition.root, to: &changed)
        }
      case .methods: break
      }
    }
    return changed
  }
}
