import RulesEval
import RulesLang

extension Checked {
  /// The statements that can take part in Firestore decisions, without those with the condition
  /// `false`.
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

  /// Returns the functions that statements can call, callers before callees, ignoring calls in
  /// removed ranges.
  func functions(reachedFrom statements: [AllowID], without cut: Patch = Patch()) -> [FunctionID] {
    var finished: [FunctionID] = []
    var seen: Set<FunctionID> = []
    func visit(_ body: Body) {
      for id in body.nodes {
        guard case .function(let function) = binding(id), !seen.contains(function),
          !cut.pieces.contains(where: { $0.range.swallows(ruleset[id].range) })
        else { continue }
        seen.insert(function)
        for inner in ruleset[function].bodies {
          visit(inner)
        }
        finished.append(function)
      }
    }
    for allow in statements { if let condition = ruleset[allow].condition { visit(condition) } }
    return finished.reversed()
  }

  /// Returns the statements among `some` that may match a request that one of `own` matches.
  func statements(_ some: [AllowID], sharingRequestsWith own: [AllowID]) -> [AllowID] {
    let wanted = own.map { allow in
      let facts = matches[ruleset[allow].match.index]
      return (
        methods: methods[allow.index],
        path: facts.overlap > 0 ? nil : ClaimPath(facts, in: database)
      )
    }
    return some.filter { allow in
      let facts = matches[ruleset[allow].match.index]
      return wanted.contains { each in
        !each.methods.isDisjoint(with: methods[allow.index])
          && (facts.overlap > 0 || each.path?.overlaps(facts.pattern, in: database) ?? true)
      }
    }
  }

  /// True if documents of the rules' database can match the block of a statement.
  func isOfDatabase(_ allow: AllowID) -> Bool { shape(of: ruleset[allow].match) != nil }
}

extension Checked {
  /// True if some expression reads the state after a commit.
  var looksAhead: Bool { bindings.contains { $0.looksAhead } }

  /// True if the expression itself reads the state after a commit.
  func looksAhead(_ id: ExprID) -> Bool { bindings[id.index].looksAhead }
}

extension Binding {
  /// True for `getAfter` and `existsAfter`.
  fileprivate var looksAhead: Bool { self == .builtin(.getAfter) || self == .builtin(.existsAfter) }
}
