import RulesLang

/// A removable part of rules.
enum Removal: Hashable {
  /// A whole statement.
  case statement(AllowID)
  /// Methods of a statement.
  case methods(AllowID, MethodSet)
  /// The whole condition of a statement, which then always grants.
  case condition(AllowID)
  /// An operand of a chain.
  case operand(chain: ExprID, index: Int)
  /// The question and one branch of a conditional expression.
  case branch(ExprID, keepsFirst: Bool)
  /// An unused parameter and its arguments.
  case parameter(FunctionID, Int)
}

/// Translates removals to overlays, and to patches of the text that is printed.
struct RemovalText {
  private let rules: Checked
  private let chains: [ExprID: OperandChain]

  /// Takes the rules with their chains.
  init(_ rules: Checked, chains: [OperandChain]) {
    self.rules = rules
    var table: [ExprID: OperandChain] = [:]
    for chain in chains { table[chain.id] = chain }
    self.chains = table
  }

  /// Returns the rules with removed parts neutralized in place.
  func inEffect(_ removals: [Removal]) -> TrialVersion {
    inEffect(removals, without: [])
  }

  /// Returns the rules with removals, and with other parts left out: neutralized for the requested
  /// document, and (if statements) always granting for the other writes of its commit.
  func inEffect(_ removals: [Removal], without parts: [Removal]) -> TrialVersion {
    var others = rules.looksAhead ? neutralized(removals) : nil
    for case .statement(let allow) in parts {
      others = others?.with(Overlay([.condition(allow, true)]), of: rules.ruleset)
    }
    return TrialVersion(neutralized(parts + removals), others: others)
  }

  private func neutralized(_ removals: [Removal]) -> Overlay {
    let edits = removals.merged.flatMap { removal -> [RulesEdit] in
      switch removal {
      case .statement(let allow): return [.condition(allow, false)]
      case .operand(let id, let index):
        guard let chain = chains[id] else { return [] }
        return [.constant(chain.operands[index], chain.isAnd)]
      case .methods(let allow, let methods):
        return [.methods(allow, rules.methods[allow.index].subtracting(methods))]
      case .condition(let allow):
        return rules.ruleset[allow].condition.map { [.constant($0.root, true)] } ?? []
      case .branch(let id, let keepsFirst): return [.branch(id, keepsFirst: keepsFirst)]
      case .parameter(let function, let index):
        return calls(of: function).map { .constant($0[index], true) }
      }
    }
    return Overlay(edits, of: rules.ruleset)
  }

  /// Returns the patch that deletes the parts.
  func asWritten(_ removals: [Removal]) -> Patch {
    var patch = Patch()
    var operands: [ExprID: Set<Int>] = [:]
    for removal in removals.merged {
      switch removal {
      case .operand(let id, let index): operands[id, default: []].insert(index)
      case .statement, .methods, .condition, .branch, .parameter: add(removal, to: &patch)
      }
    }
    for (id, removed) in operands.sorted(by: { $0.key.index < $1.key.index }) {
      chains[id]?.cut(removed, from: rules.ruleset, into: &patch)
    }
    return patch
  }

  private func add(_ removal: Removal, to patch: inout Patch) {
    switch removal {
    case .statement(let allow): patch.replace(rules.ruleset[allow].range, with: "")
    case .methods(let allow, let methods):
      let statement = rules.ruleset[allow]
      let words = statement.words(without: methods)
      patch.replace(statement.operationsRange, with: words.joined(separator: ", "))
    case .condition(let allow):
      guard let condition = rules.ruleset[allow].condition else { return }
      patch.replace(rules.ruleset[condition.root].range, with: "true")
    case .branch(let id, let keepsFirst):
      guard case .conditional(_, let one, let other) = rules.ruleset[id].kind else { return }
      let kept = rules.ruleset[keepsFirst ? one : other].range
      let (before, whole) = (kept.start, rules.ruleset[id].range)
      patch.replace(SourceRange(start: whole.start, end: before), with: "")
      patch.replace(SourceRange(start: kept.end, end: whole.end), with: "")
    case .parameter(let function, let index): cutParameter(of: function, at: index, in: &patch)
    case .operand: break
    }
  }

  private func cutParameter(of function: FunctionID, at index: Int, in patch: inout Patch) {
    let names = rules.ruleset[function].parameters.map { $0.range }
    patch.replace(listed(names, at: index), with: "")
    for arguments in calls(of: function) {
      patch.replace(listed(arguments.map { rules.ruleset[$0].range }, at: index), with: "")
    }
  }

  /// Returns the arguments of all calls of a function.
  private func calls(of function: FunctionID) -> [[ExprID]] {
    rules.ruleset.expressions.indices.compactMap { number in
      guard case .call(_, let arguments) = rules.ruleset.expressions[number].kind,
        case .function(function) = rules.binding(ExprID(number)),
        arguments.count == rules.ruleset[function].parameters.count
      else { return nil }
      return arguments
    }
  }

  /// Returns the range of a list element with its comma.
  private func listed(_ ranges: [SourceRange], at index: Int) -> SourceRange {
    if index > 0 { return SourceRange(start: ranges[index - 1].end, end: ranges[index].end) }
    return ranges.count > 1
      ? SourceRange(start: ranges[0].start, end: ranges[1].start) : ranges[0]
  }
}

extension [Removal] {
  /// The removals, with those of one statement's methods merged.
  fileprivate var merged: [Removal] {
    var result: [Removal] = []
    for removal in self {
      if case .methods(let allow, let methods) = removal,
        let place = result.firstIndex(where: { $0.isOfMethods(allow) }),
        case .methods(_, let others) = result[place]
      {
        result[place] = .methods(allow, others.union(methods))
      } else {
        result.append(removal)
      }
    }
    return result
  }
}

extension Removal {
  fileprivate func isOfMethods(_ allow: AllowID) -> Bool {
    if case .methods(allow, _) = self { return true }
    return false
  }
}
