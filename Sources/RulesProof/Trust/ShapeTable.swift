package import RulesLang

/// Exhaustive expressions for checking the encoding against the evaluator, on one request of each
/// method: every shape of value under every operation.
///
/// The compiler has special encodings for some values: keys of a map, list literals, sizes of sets.
/// Operations on these are easily forgotten, so nothing is chosen by hand. The order is fixed.
package struct ShapeTable: Sendable {
  /// The method of the request; `D` and `N` stand for its data before and after.
  package let method: Method
  /// The expressions.
  package let expressions: [String]

  /// Generates the expressions for a method.
  package init(_ method: Method) {
    self.method = method
    let (old, new) = ("resource.data", "request.resource.data")
    expressions = Self.all(method).map { Self.replaced(in: $0, old: old, new: new) }
  }

  /// Substitutes the data for `D` and `N`.
  private static func replaced(in text: String, old: String, new: String) -> String {
    var result = ""
    var isInWord = false
    for character in text {
      let isLetter = character.isLetter || character.isNumber || character == "_"
      switch character {
      case "D" where !isInWord: result += old
      case "N" where !isInWord: result += new
      default: result.append(character)
      }
      isInWord = isLetter || character == "'"
    }
    return result
  }

  // MARK: Shapes

  private static let stored = "/databases/(default)/documents/t/a"

  private static let literals = [
    "null", "true", "1", "-1", "0", "1.5", "1.0", "'a'", "''", "b'ab'", "[]", "[1]", "['a', 'n']",
    "{}", "{'k': 1}", "['a', 'n'].toSet()", "[1, 1.0].toSet()", "/a/b", "path('/a/{x}')",
    "path('/a/{x}').bind({'x': 'y'})", "timestamp.date(2020, 1, 1)", "duration.value(1, 'h')",
    "latlng.value(1, 2)", "[['a']]", "{'a': 1, 'b': 2, 'a': 3}",
  ]

  private static let written = [
    "[D.n, 'a']", "[D.zz]", "{'a': D.n}", "{'a': D.zz, 'a': 2}", "{'a': 2, 'a': D.zz}",
    "{D.s: 1}", "[D.s].toSet()", "[D.n, 1.0].toSet()",
    "/databases/$(database)/documents/t/$(D.s)", "/a/$(D.n)/b", "(D.b ? D.n : 'x')",
    "(D.b ? D.size() : 5)", "(D.b ? [1] : D.l)", "(D.b ? D.keys() : D.keys().toSet())",
    "(D.n == 1)",
  ]

  private static let keys = [
    "D.keys()", "D.keys().toSet()", "D.size()", "D.keys().size()", "D.m.keys()",
    "N.diff(D).affectedKeys()", "N.diff(D).unchangedKeys()", "N.diff(D).addedKeys().size()",
    "N.diff(D)", "D.diff({'n': 1})",
  ]

  private static let requests = [
    "request", "request.auth", "request.auth.token", "request.auth.uid", "request.auth.token.email",
    "request.auth.token.zz", "request.time", "request.path", "request.method", "request.resource",
    "request.query", "request.query.limit", "request.writeFields", "resource", "id", "database",
  ]

  private static let fields =
    ["D", "N", "N.n", "N.l"]
    + [
      "n", "z", "f", "one", "nan", "mz", "s", "e", "b", "nul", "l", "le", "ls", "m", "by", "ts",
      "geo", "ref", "vec", "big", "zz",
    ].map { "D." + $0 }
    + [
      "D.get('n', 0)", "D.get('zz', null)", "D.get(['m', 'k'], 0)", "D.get(['zz', 'b'], {'b': 5})",
      "D.get('n', D.zz)", "D.l[0]", "D.m.k", "get(\(stored)).data", "get(\(stored)).data.x",
      "get(\(stored))", "getAfter(request.path)", "exists(\(stored))", "same(D.n)",
      "first(D.n, D.zz)",
    ]

  private static let shapes = literals + written + keys + requests + fields

  /// The operands and arguments: one of each type, known and unknown, and special cases of keys.
  private static let operands = [
    "1", "1.0", "'a'", "null", "D.n", "D.s", "D.l", "D", "['a', 'n']", "['a', 'n'].toSet()",
    "[D.s]", "[D.s].toSet()", "D.keys()", "D.keys().toSet()", "D.size()", "{'n': 1}", "{'a': D.n}",
    "/a/b", "D.ts", "duration.value(1, 'h')", "D.zz", "[1, D.zz]", "true",
  ]

  // MARK: Operations

  private static let words = [
    "bool", "bytes", "duration", "float", "int", "latlng", "list", "vector", "set", "number", "map",
    "string", "timestamp", "path", "map_diff", "constraint",
  ]
  private static let operators = [
    "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%", "&&", "||",
  ]
  private static let unaryFunctions = [
    "int", "float", "string", "path", "math.abs", "math.ceil", "math.round", "math.isNaN",
    "math.isInfinity", "vector", "value",
    "timestamp.value", "duration.abs", "hashing.md5", "get", "exists", "getAfter", "existsAfter",
    "debug", "same",
  ]

  /// The methods without arguments, and those with one.
  private static let methods: (none: [String], one: [String]) = {
    var none: [String] = []
    var one: [String] = []
    for entry in Builtins.table where entry.receiver != nil {
      let name = String(entry.name)
      for overload in entry.overloads {
        if overload.isEmpty, !none.contains(name) { none.append(name) }
        if overload.count == 1, !one.contains(name) { one.append(name) }
      }
    }
    return (none, one)
  }()

  private static func all(_ method: Method) -> [String] {
    var found: [String] = []
    for (place, shape) in shapes.enumerated() {
      found += conditions(shape)
      found += observed(["-\(shape)", "-(\(shape))"], from: place)
      found.append("!\(shape)")
      found.append("!(\(shape))")
      found += words.map { "\(shape) is \($0)" }
      found += observed([".a", ".k", ".x", ".data", ".size"].map { shape + $0 }, from: place)
      found += observed(
        ["0", "1", "'a'", "'k'", "D.n", "D.s", "D.size()", "'data'"].map { "\(shape)[\($0)]" },
        from: place)
      found += observed(["[0:1]", "[:]", "[:D.n]", "['a':1]"].map { shape + $0 }, from: place)
      found += observed(methods.none.map { "\(shape).\($0)()" }, from: place)
      found += observed(unaryFunctions.map { "\($0)(\(shape))" }, from: place)
      found += observed(
        [
          "get('n', 1)", "get('k', D.zz)", "get(['a'], 1)", "get(['k', 1], 2)", "get([], 3)",
          "get(D.s, 1)", "get(D.l, 1)", "matches('[')", "replace('a', 'b')",
        ].map { "\(shape).\($0)" }, from: place)
      found += observed(
        ["/x/$(\(shape))", "(true ? \(shape) : 1)", "(D.b ? 1 : \(shape))"], from: place)
      for (number, operand) in operands.enumerated() {
        for symbol in operators {
          found += observed(
            ["\(shape) \(symbol) \(operand)"], from: place + number, isTruth: symbol)
        }
        found += observed(
          ["\(operand) in \(shape)", "\(operand) < \(shape)"], from: number, isTruth: "in")
        found += observed(
          methods.one.map { "\(shape).\($0)(\(operand))" }, from: place + number, isTruth: nil)
      }
    }
    return found
  }

  /// Returns a shape as conditions, also passed through a function.
  private static func conditions(_ shape: String) -> [String] {
    [
      shape, "same(\(shape))", "\(shape) == \(shape)", "\(shape) in [\(shape)]",
      "[\(shape)] == [\(shape)]",
    ]
  }

  /// Returns expressions as conditions: boolean ones as they are, others with their value tested.
  private static func observed(
    _ expressions: [String], from number: Int, isTruth symbol: String? = nil
  ) -> [String] {
    if let symbol, !["+", "-", "*", "/", "%"].contains(symbol) { return expressions }
    return expressions.enumerated().map { place, expression in
      switch (number + place) % 6 {
      case 0: "[\(expression)].size() == 1"
      case 1: "(\(expression)) == 1"
      case 2: "(\(expression)) != 'a'"
      case 3: "(\(expression)) is list"
      case 4: "[\(expression)] != [D.n]"
      default: expression
      }
    }
  }
}
