import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// A function that dozens of statements call is met by requests of hundreds of kinds. Where a change leaves
// what it says the same for every document, it does so for each of them.

extension RulesComparison {
  /// Whether the one function in whose body two versions of one file differ, or each of those that call it,
  /// says the same in both to all requests that statements with it are for; false if that is not known.
  ///
  /// Where nobody can tell an error from "false", it need be true to the same requests only. What is passed
  /// may be anything that a document can have in a field.
  func isFunctionAlike(
    for callers: [AllowID], withErrors: Bool, among shared: SharedComparison
  ) -> Bool {
    guard let edits, let function = shared.function(with: changes(edits)),
      callers.allSatisfy({ usesOfGlobs($0).isEmpty })
    else { return false }
    if isAlike(function, for: callers, withErrors: withErrors, among: shared) { return true }
    let outer = shared.functions(calling: function)
    return !outer.isEmpty && outer.count <= Self.greatestFunctions
      && outer.allSatisfy { isAlike($0, for: callers, withErrors: withErrors, among: shared) }
  }

  /// Of more functions that call one it is not asked.
  private static let greatestFunctions = 8

  private func isAlike(
    _ function: FunctionID, for callers: [AllowID], withErrors: Bool, among shared: SharedComparison
  ) -> Bool {
    guard shared.takesPlainValues(function) else { return false }
    var vocabulary = Vocabulary(shared.rules)
    var methods: MethodSet = []
    var isCaller = [Bool](repeating: false, count: old.rules.ruleset.allows.count)
    for allow in callers {
      isCaller[allow.index] = true
      vocabulary.add(allow)
      methods.formUnion(old.rules.methods[allow.index].union(new.rules.methods[allow.index]))
    }
    let question = FunctionQuestion(
      function: function, isCaller: isCaller, keys: vocabulary.sorted,
      withErrors: withErrors || !shared.isOnlyWanted(function))
    let lengths = (1...old.rules.extent.greatestLength).filter { $0.isMultiple(of: 2) }
    let paths = lengths.map { [Text?](repeating: nil, count: $0) }
    // A path that stands for longer ones, too, is none of which more is known.
    return [nil, lengths.last].allSatisfy { open in
      Scenario.all(
        with: methods.methods, on: open == nil ? paths : [paths[paths.count - 1]], open: open,
        rules: old.rules
      ).allSatisfy { isAlike(question, in: $0) }
    }
  }

  /// A function that may say the same in two versions.
  private struct FunctionQuestion {
    /// The function.
    var function: FunctionID
    /// Whether a statement can come to it, by its number.
    var isCaller: [Bool]
    /// The names that the conditions of these statements mention.
    var keys: [Text]
    /// Whether it is to be false to the same requests, too.
    var withErrors: Bool
  }

  private func isAlike(_ question: FunctionQuestion, in scenario: Scenario) -> Bool {
    if budget.isSpent { return false }
    var problem = Problem()
    problem.budget = budget
    budget.charge(3000 + 6 * old.rules.matches.count)
    let scene = ScenarioTerms(of: scenario, in: &problem)
    let first = Compiler(old.rules, in: scene, keys: question.keys, problem: problem)
    var frames: [SymbolicFrame] = []
    for statement in first.statements()
    where question.isCaller[statement.allow.index] && !frames.contains(statement.frame) {
      frames.append(statement.frame)
    }
    let arguments = first.anyArguments(of: question.function)
    let before = frames.map { first.call(question.function, with: arguments, in: $0) }
    let were = before.map { first.rails(of: $0) }
    let second = Compiler(new.rules, continuing: first)
    second.problem.budget = budget
    let after = frames.map { second.call(question.function, with: arguments, in: $0) }
    let are = after.map { second.rails(of: $0) }
    guard first.unmodelledPlaces.isEmpty, second.unmodelledPlaces.isEmpty,
      (before + after).allSatisfy({ $0.isTruth })
    else { return false }
    let goal = Goal(scenario, compiler: second)
    return zip(were, are).allSatisfy { one, other in
      var differences = [[one.yes, !other.yes], [other.yes, !one.yes]]
      if question.withErrors {
        differences += [[one.no, !other.no], [other.no, !one.no]]
      }
      return differences.allSatisfy { isImpossible($0, in: goal) }
    }
  }
}

extension Compiler {
  /// Values of which nothing is known, not even whether they are errors, one for each parameter.
  fileprivate func anyArguments(of function: FunctionID) -> [Cases] {
    rules.ruleset[function].parameters.indices.map { place in
      opaque(
        number: -3_000_000 - place, at: rules.ruleset[function].result.root,
        reason: "what is passed is not known")
    }
  }
}

extension Cases {
  /// Whether it is true, false or an error.
  fileprivate var isTruth: Bool {
    cases.allSatisfy {
      if case .truth = $0.shape { return true }
      return false
    }
  }
}
