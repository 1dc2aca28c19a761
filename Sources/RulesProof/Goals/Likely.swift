import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Heuristic phases. To the search an uninterpreted function may return anything, so its first
// models are usually wrong about it, and facts about single values converge slowly. Most witnesses
// are simple, though: a string without capitals to lower, two lists with the same first element. So
// these are tried first.

extension Goal {
  /// The assumptions that exclude unlikely features.
  var usual: [Ref] { compiler.unlikely.map { !$0 }.distinct }

  /// Returns assumptions about likely values of uninterpreted functions, including `usual`. A model
  /// with all of them is a good candidate; UNSAT means nothing.
  func likelihoods() -> [Ref] {
    var found = usual
    lazy var measured = self.measured()
    // Terms that are added here need no assumptions.
    for (term, builtin, arguments) in calls() {
      switch builtin {
      case .stringLower, .stringUpper, .stringTrim, .mathAbs, .mathFloor, .mathCeil, .mathRound:
        found.append(compiler.problem.same(term, arguments[0]))
      // A string without special characters matches itself, and most others do, too.
      case .stringMatches: found.append(likelySame(arguments, where: term))
      case .listHasAny: found.append(likelyElement(of: arguments, where: term))
      case .listHasAll, .listHasOnly, .setHasAll, .setHasOnly:
        // Two lists whose sizes are both used usually differ in length.
        if !measured.isSuperset(of: arguments) { found.append(likelySame(arguments, where: term)) }
      default: break
      }
    }
    return found.filter { $0 != .no }
  }

  /// Returns the applications of built-ins.
  private func calls() -> [(term: TermID, builtin: Builtin, arguments: [TermID])] {
    let terms = compiler.problem.terms
    var found: [(term: TermID, builtin: Builtin, arguments: [TermID])] = []
    for index in 0..<terms.count {
      guard case .apply(.builtin(let builtin), let arguments) = terms[TermID(index)] else {
        continue
      }
      found.append((TermID(index), builtin, arguments))
    }
    return found
  }

  /// Returns the terms whose size is used.
  private func measured() -> Set<TermID> {
    let terms = compiler.problem.terms
    var found: Set<TermID> = []
    for index in 0..<terms.count {
      if case .apply(.size, let arguments) = terms[TermID(index)] { found.formUnion(arguments) }
    }
    return found
  }

  /// Returns "both values are the same, if the comparison holds".
  private func likelySame(_ two: [TermID], where holds: TermID) -> Ref {
    guard two.count == 2 else { return .yes }
    let holds = compiler.problem.same(holds, compiler.problem.terms.yes)
    return compiler.problem.graph.implies(holds, compiler.problem.same(two[0], two[1]))
  }

  /// Returns "both lists begin with one string, if the comparison holds".
  private func likelyElement(of lists: [TermID], where isShared: TermID) -> Ref {
    guard lists.count == 2 else { return .yes }
    let first = compiler.problem.constant(.int(0))
    var elements: [TermID] = []
    var parts: [Ref] = []
    for list in lists {
      let types = compiler.problem.terms.partTypes(of: list)
      elements.append(compiler.problem.terms.apply(.element, to: [list, first], types: types))
      parts.append(compiler.problem.reaches(list, place: 0, asked: nil))
    }
    parts.append(compiler.problem.same(elements[0], elements[1]))
    parts.append(compiler.problem.isType(of: elements[0], in: .string))
    let holds = compiler.problem.same(isShared, compiler.problem.terms.yes)
    return compiler.problem.graph.implies(holds, compiler.problem.graph.and(parts))
  }
}
