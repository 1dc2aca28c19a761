import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// To the search a function that is not interpreted may give anything, so what its first models say of it
// is mostly wrong, and facts about single values lead to the right ones slowly: that the list of one
// document has an element of the list of another one, or that a text in capitals gives one that matches a
// pattern. Most requests that show something are plain, though: a text that has no capitals to lower, two
// lists that begin with the same element. So such are looked for first.

extension Goal {
  /// That nothing happens which few requests that are confirmed have.
  var usual: [Ref] { compiler.unlikely.map { !$0 }.distinct }

  /// What is usual, and what is likely of the values of functions that are not interpreted. A model with all
  /// of it is a good guess; that there is none says nothing.
  func likelihoods() -> [Ref] {
    var found = usual
    lazy var measured = self.measured()
    // What is added here is itself of no interest.
    for (term, builtin, arguments) in calls() {
      switch builtin {
      case .stringLower, .stringUpper, .stringTrim, .mathAbs, .mathFloor, .mathCeil, .mathRound:
        found.append(compiler.problem.same(term, arguments[0]))
      #if !hasFeature(Embedded)
        // A text without special characters matches itself, and most of what has some does, too.
        case .stringMatches: found.append(likelySame(arguments, where: term))
      #endif
      case .listHasAny: found.append(likelyElement(of: arguments, where: term))
      case .listHasAll, .listHasOnly, .setHasAll, .setHasOnly:
        // If both are counted they are mostly to be of different lengths.
        if !measured.isSuperset(of: arguments) { found.append(likelySame(arguments, where: term)) }
      default: break
      }
    }
    return found.filter { $0 != .no }
  }

  /// The terms that apply a built-in.
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

  /// What is asked for its size.
  private func measured() -> Set<TermID> {
    let terms = compiler.problem.terms
    var found: Set<TermID> = []
    for index in 0..<terms.count {
      if case .apply(.size, let arguments) = terms[TermID(index)] { found.formUnion(arguments) }
    }
    return found
  }

  /// Of two lists one of which has all elements of the other they have the same.
  private func likelySame(_ two: [TermID], where holds: TermID) -> Ref {
    guard two.count == 2 else { return .yes }
    let holds = compiler.problem.same(holds, compiler.problem.terms.yes)
    return compiler.problem.graph.implies(holds, compiler.problem.same(two[0], two[1]))
  }

  /// Two lists that have an element in common begin with it.
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
