import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

/// The query of one kind of request in a script: its propositions, and axioms about its terms.
struct ScriptQuestion {
  /// The symbol of the proposition "a request contradicts the claim".
  let name: String
  private let number: Int
  private let problem: Problem
  private let asserted: [Ref]
  /// The cone of the assertions, parts first.
  private let nodes: [Int32]
  /// The terms of the atoms, arguments first.
  private let terms: [TermID]
  private var names: [TermID: String] = [:]

  /// Prepares the query of a goal.
  init(_ goal: Goal, number: Int) {
    let problem = goal.compiler.problem
    let asserted = goal.roots + problem.axioms
    var open = asserted.map { $0.node }
    var nodes: Set<Int32> = []
    while let node = open.popLast() {
      if nodes.insert(node).inserted {
        open += problem.graph.children(of: Int(node)).map { $0.node }
      }
    }
    var terms: Set<TermID> = []
    var inside = nodes.compactMap { problem.graph.atoms[Int($0)] }.flatMap { $0.terms }
    while let term = inside.popLast() {
      if terms.insert(term).inserted { inside += problem.terms.arguments(of: term) }
    }
    self.problem = problem
    self.asserted = asserted
    self.nodes = nodes.sorted()
    self.terms = terms.sorted()
    self.number = number
    name = "|\(number).question|"
  }

  /// Writes declarations, axioms and definitions.
  mutating func write(to script: inout ScriptWriter) {
    script.write("; " + "question \(number)")
    for term in terms { define(term, in: &script) }
    let atoms = nodes.compactMap { problem.graph.atoms[Int($0)] }
    for term in terms { stateTypes(of: term, in: &script) }
    for term in countedTerms(atoms) { stateCounts(of: term, in: &script) }
    for term in terms { stateSums(of: term, in: &script) }
    if needsDepth(atoms) { for term in terms { stateDepth(of: term, in: &script) } }
    stateTexts(of: atoms, in: &script)
    for node in nodes where node != 0 {
      let meaning =
        problem.graph.atoms[Int(node)].map { proposition($0, in: &script) }
        ?? ScriptWriter.all(
          "and", of: problem.graph.children(of: Int(node)).map { symbol($0) }, none: "true")
      script.write("(define-fun \(symbol(Ref(node: node))) () Bool \(meaning))")
    }
    let whole = ScriptWriter.all("and", of: asserted.map { symbol($0) }, none: "true")
    script.write("(define-fun \(name) () Bool \(whole))")
  }

  private func symbol(_ ref: Ref) -> String {
    let node = ref.node == 0 ? "true" : "|\(number).p\(ref.node)|"
    return ref.isNegated ? "(not \(node))" : node
  }

  // MARK: Terms

  private mutating func define(_ term: TermID, in script: inout ScriptWriter) {
    if let value = problem.terms.value(of: term) {
      names[term] = script.name(of: value)
      return
    }
    let isTruth = isTruth(term)
    let sort = isTruth ? "Bool" : "Value"
    switch problem.terms[term] {
    case .constant: break
    case .variable(let variable):
      let name = "|\(number).\(variable.word)|"
      script.declare(name, arguments: 0, result: sort)
      names[term] = name
    case .apply(let op, let arguments):
      let function = "|\(op.word)/\(arguments.count)|"
      script.declare(function, arguments: arguments.count, result: sort)
      let name = "|\(number).t\(term.raw)|"
      let values = arguments.map { value($0) }.joined(separator: " ")
      let meaning = arguments.isEmpty ? function : "(\(function) \(values))"
      script.write("(define-fun \(name) () \(sort) \(meaning))")
      names[term] = name
    }
  }

  /// True if a term is a Bool of the script rather than a Value.
  private func isTruth(_ term: TermID) -> Bool {
    switch problem.terms[term] {
    case .variable(.flag): true
    case .apply(let op, _): op.isPredicate
    case .variable, .constant: false
    }
  }

  /// Returns a term as a Value.
  private func value(_ term: TermID) -> String {
    let name = names[term] ?? "true"
    return isTruth(term) ? "(ite \(name) |k.true| |k.false|)" : name
  }

  private func has(_ term: TermID, type: ValueType) -> String {
    "(= (type \(value(term))) \(ScriptWriter.symbol(type)))"
  }

  // MARK: Propositions

  private func proposition(_ atom: Atom, in script: inout ScriptWriter) -> String {
    switch atom {
    case .same(problem.terms.yes, let term) where isTruth(term): return names[term] ?? "true"
    case .same(let one, let other): return "(= \(value(one)) \(value(other)))"
    case .type(let term, let type): return has(term, type: type)
    case .atMost(let term, let domain, let bound):
      return "(and \(has(term, type: domain.type)) "
        + "(<= (count \(value(term))) \(ScriptWriter.number(bound))))"
    case .difference(let one, let other, let domain, let bound):
      return "(and \(has(one, type: domain.type)) \(has(other, type: domain.type)) "
        + "(<= (- (count \(value(one))) (count \(value(other)))) \(ScriptWriter.number(bound))))"
    case .floatAtMost(let term, let bound):
      script.note(bound.value)
      let relation = bound.isStrict ? "<" : "<="
      return "(and \(has(term, type: .float)) (not (nan \(value(term)))) "
        + "(\(relation) (place \(value(term))) \(ScriptWriter.place(bound.value))))"
    case .matches(let term, let pattern):
      let source = problem.patterns[pattern].source
      guard let expression = ScriptPattern.expression(source) else {
        let name = "|matches \(ConstantText.escaped(source.bytes))|"
        script.declare(name, arguments: 1, result: "Bool")
        return "(and \(has(term, type: .string)) (\(name) \(value(term))))"
      }
      return "(and \(has(term, type: .string)) (str.in_re (text \(value(term))) \(expression)))"
    }
  }

  // MARK: What is true of all values

  private func stateTypes(of term: TermID, in script: inout ScriptWriter) {
    if problem.terms.value(of: term) != nil || isTruth(term) { return }
    let types = problem.terms.types(of: term)
    if types != .any {
      let choices = types.types.map { has(term, type: $0) }
      script.write("(assert \(ScriptWriter.all("or", of: choices, none: "false")))")
    }
    let name = value(term)
    if types.contains(.bool) {
      script.write(
        "(assert (=> \(has(term, type: .bool)) (or (= \(name) |k.true|) (= \(name) |k.false|))))")
    }
    if types.contains(.null) {
      script.write("(assert (=> \(has(term, type: .null)) (= \(name) |k.null|)))")
    }
  }

  /// Returns the terms whose counts matter.
  private func countedTerms(_ atoms: [Atom]) -> [TermID] {
    var counted: Set<TermID> = []
    for atom in atoms {
      switch atom {
      case .atMost, .difference: counted.formUnion(atom.terms)
      case .same, .type, .floatAtMost, .matches: break
      }
    }
    for term in terms {
      guard case .apply(let op, let arguments) = problem.terms[term] else { continue }
      if op == .size { counted.insert(term) }
      if case .plus = op { counted.formUnion([term, arguments[0]]) }
    }
    return counted.filter { problem.terms.value(of: $0) == nil }.sorted()
  }

  /// Writes that a value with the count of a constant is that constant.
  private func stateCounts(of term: TermID, in script: inout ScriptWriter) {
    let types = problem.terms.types(of: term)
    for domain in [Domain.int, .timestamp, .duration] where types.contains(domain.type) {
      for constant in script.counts(in: domain) {
        script.write(
          "(assert (=> (and \(has(term, type: domain.type)) (= (count \(value(term))) "
            + "\(ScriptWriter.number(constant.count)))) (= \(value(term)) \(constant.name))))")
      }
    }
  }

  private func stateSums(of term: TermID, in script: inout ScriptWriter) {
    guard case .apply(let op, let arguments) = problem.terms[term] else { return }
    if op == .size {
      let greatest = ScriptWriter.number(Theory.greatestSize)
      script.write("(assert (<= 0 (count \(value(term))) \(greatest)))")
    }
    if case .plus(let domain, let steps) = op {
      script.write(
        "(assert (=> (and \(has(term, type: domain.type)) \(has(arguments[0], type: domain.type))) "
          + "(= (count \(value(term))) (+ (count \(value(arguments[0]))) "
          + "\(ScriptWriter.number(Int128(steps)))))))")
    }
  }

  /// True if a containment cycle is conceivable.
  private func needsDepth(_ atoms: [Atom]) -> Bool {
    atoms.contains { atom in
      guard case .same(let one, let other) = atom else { return false }
      return [one, other].allSatisfy { problem.terms.value(of: $0) == nil && !isTruth($0) }
    }
  }

  private func stateDepth(of term: TermID, in script: inout ScriptWriter) {
    guard case .apply(let op, let arguments) = problem.terms[term],
      op == .field || op == .element
    else { return }
    script.write("(assert (< (depth \(value(term))) (depth \(value(arguments[0])))))")
  }

  // MARK: Texts

  private func stateTexts(of atoms: [Atom], in script: inout ScriptWriter) {
    var looked: Set<TermID> = []
    for atom in atoms { if case .matches(let term, _) = atom { looked.insert(term) } }
    for term in terms {
      guard case .apply(.size, let arguments) = problem.terms[term],
        problem.terms.types(of: arguments[0]).contains(.string)
      else { continue }
      looked.insert(arguments[0])
      script.write(
        "(assert (=> \(has(arguments[0], type: .string)) "
          + "(= (count \(value(term))) (str.len (text \(value(arguments[0])))))))")
    }
    if looked.isEmpty { return }
    script.noteTexts()
    for term in looked.sorted() where problem.terms.value(of: term) == nil {
      script.write("(assert (str.in_re (text \(value(term))) \(ScriptPattern.wellFormed)))")
    }
    // A value with the units of a constant string is that constant.
    for case .same(let one, let other) in atoms {
      for (term, constant) in [(one, other), (other, one)] where !isTruth(term) {
        guard case .string(let text) = problem.terms.value(of: constant),
          problem.terms.value(of: term) == nil
        else { continue }
        script.write(
          "(assert (=> (and \(has(term, type: .string)) (= (text \(value(term))) "
            + "\(ScriptWriter.literal(text)))) (= \(value(term)) \(value(constant)))))")
      }
    }
  }
}
