import RulesEval
import RulesLang

// The words for functors and unknowns in certificates. The mapping is injective.

extension Unknown {
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
    case .request(let number): "request.\(number)"
    case .query: "query"
    case .signedOut: "signed-out"
    case .stored: "stored"
    case .run(let start, let end): "run.\(start).\(end)"
    case .part(let start, let end): "part.\(start).\(end)"
    case .named(let number): "named.\(number)"
    }
  }
}

extension Functor {
  var word: String {
    switch self {
    case .field: "field"
    case .element: "element"
    case .size: "size"
    case .plus(let scale, let steps): "plus.\(scale.type.word).\(steps)"
    case .list: "list"
    case .record(let names):
      "record" + names.map { "(" + ConstantText.escaped($0.bytes) + ")" }.joined()
    case .path: "path"
    case .document(let isAfter): isAfter ? "document.after" : "document.before"
    case .data: "data"
    case .value(let act): "value." + act.word
    case .defined(let act): "defined." + act.word
    case .has: "has"
    case .exists: "exists"
    case .member: "member"
    case .odd: "odd"
    case .close: "close"
    case .alike: "alike"
    case .precedes: "precedes"
    case .only: "only"
    case .unnamed(let fate): "unnamed." + fate.word
    case .unnamedKey: "unnamed.key"
    }
  }
}

extension Fate {
  fileprivate var word: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .kept: "kept"
    }
  }
}

extension Act {
  fileprivate var word: String {
    switch self {
    case .builtin(let builtin):
      Builtins.entry(builtin).receiver.map {
        "method." + $0.word + "." + Builtins.entry(builtin).fullName
      } ?? "function." + Builtins.entry(builtin).fullName
    case .binary(let op): "operator.\(op.rawValue)"
    case .negate: "negate"
    case .index: "index"
    case .slice: "slice"
    case .compose(let shape): "compose." + ConstantText.escaped(shape.bytes)
    }
  }
}

extension Scale {
  /// Returns the scale that a word names.
  static func named(_ word: Text) -> Scale? { allCases.first { Text($0.type.word) == word } }
}

extension ValueType {
  /// Returns the type that a word names.
  static func named(_ word: Text) -> ValueType? { allCases.first { Text($0.word) == word } }
}

extension Question {
  /// Returns the definition of a term with numbered arguments, such as `apply has 0 3`.
  package func definition(of term: Term, _ number: (Term) -> Int) -> String {
    switch self[term] {
    case .constant: "constant " + (value(of: term).map { ConstantText.word($0) } ?? "null")
    case .unknown(let unknown): "variable " + unknown.word
    case .apply(let functor, let arguments):
      arguments.reduce("apply " + functor.word) { $0 + " \(number($1))" }
    }
  }
}
