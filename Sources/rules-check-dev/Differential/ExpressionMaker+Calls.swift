import RulesEval
import RulesLang

// Calls of built-in functions and methods, from the same table that everything else is made of.

extension ExpressionMaker {
  private static let rows: [ValueType: [Builtin.Entry]] = {
    var rows: [ValueType: [Builtin.Entry]] = [:]
    for type in ValueType.allCases {
      rows[type] = Builtins.table.filter { entry in
        entry.result != .any && entry.result.contains(type) && !entry.isLookupOfDocument
          && entry.receiver != .constraint
      }
    }
    return rows
  }()

  /// Returns a call of a built-in with a result type.
  mutating func builtin(_ type: ValueType, size: Int) -> Phrase {
    let rows = Self.rows[type] ?? []
    if rows.isEmpty || dice.chance(2) {
      return Phrase("debug(\(make(type, size: size - 1).text))")
    }
    return call(dice.pick(rows), size: size)
  }

  private mutating func call(_ entry: Builtin.Entry, size: Int) -> Phrase {
    if entry.isLookup { return existence(entry, size: size) }
    if entry.builtin == .latlngDistance {
      // The last digits of distances differ (Docs/Language.md §8).
      let points = [
        make(.latlng, size: size - 1).held(Phrase.postfix), make(.latlng, size: size - 1).text,
      ]
      return Phrase("math.floor(\(points[0]).distance(\(points[1])))")
    }
    let list = arguments(for: entry, size: size).joined(separator: ", ")
    guard let receiver = entry.receiver else { return Phrase("\(entry.fullName)(\(list))") }
    let base = receiverText(for: entry, type: receiver, size: size)
    return Phrase("\(base).\(entry.fullName)(\(list))")
  }

  private mutating func receiverText(
    for entry: Builtin.Entry, type receiver: ValueType, size: Int
  ) -> String {
    switch entry.builtin {
    case .mapValues:
      // The order of stored maps is open (Docs/Language.md §8).
      return Literals.make(.map, using: &dice)?.text ?? "{}"
    case .stringSplit, .stringReplace:
      // Plain letters only: see `Templates`.
      return dice.pick(["'abcab'", "'a,b,,'", "''", "'xaxb'", "'a b'", "string(101)"])
    default:
      let type = dice.chance(96) ? receiver : dice.pick(Self.types)
      return make(type, size: size - 1).held(Phrase.postfix)
    }
  }

  private mutating func arguments(for entry: Builtin.Entry, size: Int) -> [String] {
    var parameters = dice.pick(entry.overloads)
    switch dice.roll(100) {
    case 0: parameters.append(.type(.int))
    case 1 where !parameters.isEmpty: parameters.removeLast()
    default: break
    }
    return parameters.enumerated().map { place, parameter in
      if dice.chance(93), let special = special(for: entry.builtin, at: place, parameter: parameter)
      {
        return special
      }
      switch parameter {
      case .any: return any(size - 1).text
      case .type(let type):
        return make(dice.chance(96) ? type : dice.pick(Self.types), size: size - 1).text
      }
    }
  }

  /// Returns an argument for parameters that need texts or numbers of a certain form.
  private mutating func special(
    for builtin: Builtin, at place: Int, parameter: Builtin.Parameter
  ) -> String? {
    let isText = parameter == .type(.string)
    switch builtin {
    case .stringMatches: return pattern()
    case .stringSplit: return pattern()
    case .stringReplace:
      return place == 0
        ? pattern() : "'\(dice.pick(Templates.replacements))'"
    case .durationValue: return isText ? "'\(dice.pick(Templates.units))'" : nil
    case .int, .float: return isText ? "'\(dice.pick(Templates.numbers))'" : nil
    case .timestampValue: return isText ? "'\(dice.pick(Templates.times))'" : nil
    case .timestampDate:
      return place == 0 ? dice.pick(["2020", "2019", "1", "0", "9999", "10000"]) : smallInt()
    case .durationTime: return smallInt()
    case .latlngValue: return dice.pick(["0", "1.5", "-90", "90.1", "180", "-180.0", "45.25"])
    case .mathPow: return dice.pick(["0", "1", "2", "-1", "0.5", "-0.0", "3", "10", "1.5"])
    case .path: return "'\(dice.pick(Templates.paths))'"
    case .vector:
      return dice.pick([
        "[1.0, 2.0]", "[]", "[1.0, 2]", "[0.0 / 0]", "[-0.0]", "['a', {'k': [null]}]", "[/a/{x}]",
      ])
    case .mapGet: return place == 0 ? keys(isText) : nil
    case .pathBind:
      return dice.pick(["{'x': 'p'}", "{'x': 1, 'y': true}", "{}", "{'x': /p/q}", "{'q': 1}"])
    default: return nil
    }
  }

  private mutating func pattern() -> String {
    if dice.chance(4) { return "('' + '\(dice.pick(Templates.brokenPatterns))')" }
    let text = Templates.pattern(&dice)
    return dice.chance(85) ? "'\(text)'" : "('' + '\(text)')"
  }

  private mutating func smallInt() -> String { dice.pick(["1", "2", "12", "29", "31", "0", "-5"]) }

  private mutating func keys(_ isText: Bool) -> String {
    if isText { return "'\(dice.pick(Templates.keys))'" }
    return dice.pick(["['a']", "['a', 'b']", "[]", "['m', 'k']", "['x', 'y']", "[1]", "['a', 2]"])
  }

  private mutating func existence(_ entry: Builtin.Entry, size: Int) -> Phrase {
    guard !scope.lookups.isEmpty else { return leaf(.bool) }
    let path = dice.chance(95) ? dice.pick(scope.lookups) : make(.path, size: size - 1).text
    return Phrase("\(entry.fullName)(\(path))")
  }

  // MARK: Errors

  /// The operators that evaluate both operands and absorb nothing.
  private static let strict = BinaryOperator.allCases.filter { $0 != .and && $0 != .or }

  /// Returns an expression that mostly fails.
  mutating func failure(_ size: Int) -> Phrase {
    switch dice.roll(16) {
    case 0: return Phrase("null.x")
    case 1: return Phrase("1 / 0", level: BinaryOperator.divide.precedence)
    case 2: return Phrase("{'a': 1}.missing")
    case 3: return Phrase("unknownVariable")
    case 4 where dice.chance(30): return Phrase("value(/databases/(default)/documents/t)")
    case 4: return Phrase("unknownFunction(\(make(.int, size: size - 1).text))")
    case 5: return Phrase("\(any(size - 1).held(Phrase.postfix)).nope()")
    case 6: return Phrase("\(any(size - 1).held(Phrase.postfix)).field")
    case 7: return Phrase("[1, 2][\(dice.pick(["2", "-1", "'a'", "1.0"]))]")
    case 8: return Phrase("\(any(size - 1).held(Phrase.postfix))[\(any(size - 1).text)]")
    case 9: return Phrase("math.nope(1)")
    case 10: return Phrase("9223372036854775807 + 1", level: BinaryOperator.add.precedence)
    case 11: return Phrase("\(any(size - 1).held(Phrase.postfix))[1:]")
    case 12: return Phrase("get(/databases/(default)/documents/t/$('missing'))")
    case 13: return .binary(any(size - 1), dice.pick(Self.strict), any(size - 1))
    case 14: return Phrase("-" + any(size - 1).held(Phrase.postfix), level: Phrase.unary)
    default: return Phrase("!" + any(size - 1).held(Phrase.unary), level: Phrase.unary)
    }
  }
}

extension Builtin.Entry {
  /// True if the built-in reads stored documents.
  fileprivate var isLookup: Bool {
    switch builtin {
    case .get, .exists, .getAfter, .existsAfter, .value: true
    default: false
    }
  }

  /// True if the built-in returns a stored document.
  fileprivate var isLookupOfDocument: Bool { builtin.meaning == .get || builtin == .getAfter }
}
