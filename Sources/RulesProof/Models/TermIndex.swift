import RulesEval
import RulesLang
import RulesSolver

/// An index of terms by operator, each list in the order of the terms.
///
/// The term table covers a whole rules file: scanning it for every value would dominate model
/// construction.
struct TermIndex {
  /// The constant strings.
  private(set) var texts: Set<Text> = []
  /// Applications of built-ins, by their first argument.
  private(set) var builtins: [TermID: [TermID]] = [:]
  /// `precedes` terms with an asserted truth.
  private(set) var orders: [TermID] = []
  /// Field accesses.
  private(set) var fields: [TermID] = []
  /// Element accesses.
  private(set) var elements: [TermID] = []
  /// Sizes.
  private(set) var sizes: [TermID] = []

  /// Adds the next term of the table.
  ///
  /// - Parameter isDecided: True for a predicate with an asserted truth.
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
