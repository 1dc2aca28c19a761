import RulesEncoding
import RulesLang
import RulesSolver

// The extent of an edit: the expressions that contain it, and the callers of these.

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

    /// The function whose body contains an expression; nil for the condition of a statement.
    func function(of id: ExprID) -> FunctionID? {
      var root = id.index
      while outer[root] >= 0 { root = Int(outer[root]) }
      return owner[root] >= 0 ? FunctionID(Int(owner[root])) : nil
    }

    /// True if nothing distinguishes "false" from an error of the function: all its callers only
    /// need it to be true.
    func isOnlyWanted(_ function: FunctionID, in rules: Ruleset) -> Bool {
      var isSeen = [Bool](repeating: false, count: calls.count)
      var left = [function]
      while let next = left.popLast() {
        if isSeen[next.index] { continue }
        isSeen[next.index] = true
        for call in calls[next.index] {
          guard let root = rootWanting(call, in: rules) else { return false }
          if owner[root.index] < 0 { continue }
          let caller = FunctionID(Int(owner[root.index]))
          // The value of a `let` may be used in any way.
          if rules[caller].result.root != root { return false }
          left.append(caller)
        }
      }
      return true
    }

    /// The functions that call the function; empty if a condition calls it.
    func functions(calling function: FunctionID) -> [FunctionID] {
      var found: [FunctionID] = []
      for call in calls[function.index] {
        guard let caller = self.function(of: call) else { return [] }
        if !found.contains(caller) { found.append(caller) }
      }
      return found
    }

    /// True if all arguments of the function are values that a field can have, or errors.
    func takesPlainValues(_ function: FunctionID, in rules: Checked) -> Bool {
      var isSeen = [Bool](repeating: false, count: calls.count)
      var left = [function]
      while let next = left.popLast() {
        if isSeen[next.index] || rules.ruleset[next].parameters.isEmpty { continue }
        isSeen[next.index] = true
        for call in calls[next.index] {
          guard case .call(_, let arguments) = rules.ruleset[call].kind else { return false }
          for argument in arguments where !rules.isOfField(argument) {
            // An argument may be a parameter of the caller.
            guard case .local(let slot) = rules.binding(rules.ruleset.unparenthesized(argument)),
              let caller = self.function(of: call), slot < rules.ruleset[caller].parameters.count
            else { return false }
            left.append(caller)
          }
        }
      }
      return true
    }

    /// The root of the body that contains the expression, if the body only needs the expression to
    /// be true.
    private func rootWanting(_ id: ExprID, in rules: Ruleset) -> ExprID? {
      var inner = id
      while outer[inner.index] >= 0 {
        let next = ExprID(Int(outer[inner.index]))
        switch rules[next].kind {
        case .parenthesized, .binary(.and, _, _), .binary(.or, _, _): break
        case .conditional(let question, _, _) where question != inner: break
        default: return nil
        }
        inner = next
      }
      return inner
    }

    /// The expressions given, those that contain them, and the callers of these.
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

  /// The function whose body contains all the edits; nil unless there is exactly one.
  func function(with edits: Set<TreeEdit>) -> FunctionID? {
    var found: FunctionID?
    for edit in edits {
      switch edit {
      case .constant(let id, _), .branch(let id, _):
        guard let function = knownUsers().function(of: id), found ?? function == function
        else { return nil }
        found = function
      case .condition, .methods: return nil
      }
    }
    return found
  }

  /// True if nothing distinguishes "false" from an error of the function, in any version of the
  /// file.
  func isOnlyWanted(_ function: FunctionID) -> Bool {
    knownUsers().isOnlyWanted(function, in: rules.ruleset)
  }

  /// The functions that call the function; empty if a condition calls it.
  func functions(calling function: FunctionID) -> [FunctionID] {
    knownUsers().functions(calling: function)
  }

  /// True if all arguments of the function are values that a field can have, in any version of the
  /// file.
  func takesPlainValues(_ function: FunctionID) -> Bool {
    knownUsers().takesPlainValues(function, in: rules)
  }

  /// Compiles a version for a request class. Parts on which it agrees with the unchanged file, as
  /// far as the requests reach, are not compiled again.
  func half(
    of version: Checked, meeting met: Met, withErrors: Bool, others: OtherWrites,
    within budget: Budget?, compilingAnew: (Checked) -> Compiler
  ) -> DiffGoal.Half {
    if let known = compiled(met) {
      return withErrors ? known.copyWithErrors(within: budget) : known
    }
    let itself = Met(kind: met.kind, edits: [], others: [])
    let known = compiled(itself)
    let tree = tree(of: met, version)
    let compiler =
      known?.compiler.version(
        tree, except: parts(changedBetween: Pair(old: itself, new: met)), within: budget)
      ?? compilingAnew(tree)
    compiler.keepParts()
    var half = DiffGoal.Half(compiler, except: except(of: met))
    half.compile(inWords: false, withErrors: withErrors)
    if !met.others.isEmpty || !half.takeCommit(of: known) { half.askOthers(others, in: compiler) }
    if !withErrors, budget?.isSpent != true { note(half, as: met) }
    return half
  }

  /// The parts that requests of a class reach and that differ between two versions.
  func parts(changedBetween pair: Pair) -> ChangedParts {
    parts(changedBy: pair.old.edits.symmetricDifference(pair.new.edits))
  }

  /// The parts that the edits affect.
  func parts(changedBy edits: Set<TreeEdit>) -> ChangedParts {
    var changed: [ExprID] = []
    for edit in edits {
      switch edit {
      case .constant(let id, _), .branch(let id, _): changed.append(id)
      case .condition(let allow, _):
        changed += [rules.ruleset[allow].condition?.root].compactMap { $0 }
      case .methods: break
      }
    }
    return parts(with: changed)
  }

  /// The expressions given, those that contain them, and the callers of these.
  func parts(with changed: [ExprID]) -> ChangedParts { knownUsers().parts(with: changed) }
}

extension Checked {
  /// True if an expression evaluates only to values that a field of a document or a claim of a
  /// token can have, or to an error.
  fileprivate func isOfField(_ id: ExprID) -> Bool {
    let id = ruleset.unparenthesized(id)
    switch ruleset[id].kind {
    case .literal: return true
    case .conditional(_, let one, let other): return isOfField(one) && isOfField(other)
    case .member(let base, let name): return isRecord(base, with: name.text) || isOfField(base)
    case .variable:
      if case .capture = binding(id) { return true }
      return false
    default: return false
    }
  }

  /// True if the expression is a document whose `data` is read, or the client's authentication.
  private func isRecord(_ base: ExprID, with name: Text) -> Bool {
    let base = ruleset.unparenthesized(base)
    switch ruleset[base].kind {
    case .variable: return binding(base) == .resource && name == "data"
    case .call: return binding(base) == .builtin(.get) && name == "data"
    case .member(let outer, let part):
      guard binding(ruleset.unparenthesized(outer)) == .request else { return false }
      return part.text == "resource" ? name == "data" : part.text == "auth"
    default: return false
    }
  }
}
