import RulesEval
import RulesLang
import RulesSolver

/// The terms that a model looks for again and again, by what they apply, each list in the order of the
/// terms.
///
/// The table is of a whole rules file: going through it for every value would cost most of a model.
struct TermIndex {
  /// The texts that are constants.
  private(set) var texts: Set<Text> = []
  /// Built-in functions, by their first argument.
  private(set) var builtins: [TermID: [TermID]] = [:]
  /// Comparisons by order that were asserted, or their opposite.
  private(set) var orders: [TermID] = []
  /// Values of keys of maps.
  private(set) var fields: [TermID] = []
  /// Elements of lists.
  private(set) var elements: [TermID] = []
  /// Sizes of what has one.
  private(set) var sizes: [TermID] = []

  /// Adds the next term of the table; `isDecided` if it is a predicate of which something was asserted.
  mutating func add(_ term: TermID, of terms: TermTable, isDecided: Bool) {
    if case .string(let text) = terms.value(of: term) { texts.insert(text) }
    guard case .apply(let op, let arguments) = terms[term] else { return }
    switch op {
    case .builtin: if let first = arguments.first { builtins[first, default: []].append(term) }
    case .precedes: if isDecided { orders.append(term) }
    case .field: fields.append(term)
    case .element: elements.append(term)
    case .size: sizes.append(term)
    default: break
    }
  }
}
