import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// The words for variables and operators in certificates and SMT-LIB scripts. Independent of term
// numbers.

extension RequestVariable {
  /// The word of the variable. Injective.
  var word: String {
    switch self {
    case .segment(let place): "segment.\(place)"
    case .uid: "uid"
    case .token: "token"
    case .time: "time"
    case .before: "before"
    case .after: "after"
    case .promise: "promise"
    case .limit: "limit"
    case .offset: "offset"
    case .flag(.signedOut): "signed-out"
    case .flag(.stored): "stored"
    case .flag(.defined(let number)): "defined.\(number)"
    case .unknown(let number): "unknown.\(number)"
    }
  }
}

extension Operator {
  /// The word of the operator. Injective.
  var word: String {
    switch self {
    case .field: "field"
    case .element: "element"
    case .size: "size"
    case .document(.before): "document.before"
    case .document(.after): "document.after"
    case .data: "data"
    case .plus(let domain, let steps): "plus.\(domain.type.word).\(steps)"
    case .path: "path"
    case .builtin(let builtin): "value." + builtin.word
    case .operation(let op): "value." + op.word
    case .negate: "negate"
    case .witness(let builtin): "witness." + builtin.word
    case .has: "has"
    case .exists: "exists"
    case .member: "member"
    case .odd: "odd"
    case .close: "close"
    case .nearly: "nearly"
    case .unnamed(let fate): "unnamed." + fate.word
    case .unnamedKey: "unnamed.key"
    case .unnamedFew(let code): "unnamed.few.\(code)"
    case .partlyNamed: "partly.named"
    case .onlyElements: "only"
    case .definedBuiltin(let builtin): "defined." + builtin.word
    case .definedOperation(let op): "defined." + op.word
    case .precedes: "precedes"
    case .foreign(let number): "foreign.\(number)"
    }
  }
}

extension KeyFate {
  /// The word for the fate.
  fileprivate var word: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .kept: "kept"
    }
  }
}

extension Builtin {
  /// The word of the built-in, qualified by its receiver type.
  fileprivate var word: String {
    let entry = Builtins.entry(self)
    return entry.receiver.map { "method." + $0.word + "." + entry.fullName }
      ?? "function." + entry.fullName
  }
}

extension BinaryOperator {
  /// The word of the operator, in letters.
  fileprivate var word: String {
    switch self {
    case .or: "or"
    case .and: "and"
    case .in: "in"
    case .equal: "equal"
    case .notEqual: "not-equal"
    case .less: "less"
    case .lessEqual: "less-equal"
    case .greater: "greater"
    case .greaterEqual: "greater-equal"
    case .add: "add"
    case .subtract: "subtract"
    case .multiply: "multiply"
    case .divide: "divide"
    case .remainder: "remainder"
    }
  }
}

extension Scenario {
  /// The kind of request as a line: `update document /users/*`.
  var line: String {
    let reach =
      switch access {
      case .document: "document"
      case .query: "query"
      case .namedQuery: "named-query"
      case .group(let below): "group.\(below)"
      }
    let path = self.path.map { "/" + ($0.map { ConstantText.escaped($0.bytes) } ?? "*") }
    return method.word + " " + reach + " " + path.joined()
  }
}

extension TermTable {
  /// Returns the definition of a term with numbered arguments, such as `apply has 0 3`.
  func definition(of term: TermID, _ number: (TermID) -> Int) -> String {
    switch self[term] {
    case .constant: "constant " + (value(of: term).map { ConstantText.word($0) } ?? "null")
    case .variable(let variable): "variable " + variable.word
    case .apply(let op, let arguments):
      arguments.reduce("apply " + op.word) { $0 + " \(number($1))" }
    }
  }
}
