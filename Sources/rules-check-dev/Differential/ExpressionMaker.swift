import RulesEval
import RulesLang

// Expressions made up at random, guided by types: an expression of a wanted type is made of operands
// of the types that an operator or built-in takes, so that most evaluate to something; and at every
// step there is a small chance of something else of another type, of an argument too many, of an
// error, so that every pair of types and every path to an error comes up too.

/// Generates expressions.
struct ExpressionMaker {
  /// The random number generator.
  var dice: Dice
  /// The names that expressions may use.
  var scope: Scope
  /// True inside an `&&`, `||`, branch, map, argument or `let`.
  ///
  /// There the emulator answers wrongly, or crashes, after an error in a list or path, unless it was in the
  /// last element (Docs/Language.md §16); a stored value that it has not read yet counts as an error. So all
  /// elements but the last are generated so that they cannot fail.
  var isAbsorbed = false

  /// Creates a generator for a scope.
  init(_ dice: Dice, in scope: Scope) {
    self.dice = dice
    self.scope = scope
  }

  /// The types of generated expressions; common ones are repeated.
  static let types: [ValueType] = [
    .bool, .bool, .bool, .int, .int, .float, .string, .string, .list, .list, .map, .map, .set,
    .null, .bytes, .timestamp, .duration, .latlng, .path, .mapDiff, .vector,
  ]

  /// Returns an expression of any type.
  mutating func any(_ size: Int) -> Phrase {
    let type = dice.pick(Self.types)
    return make(type, size: size)
  }

  /// Returns an expression that mostly has a type; `size` bounds its depth.
  mutating func make(_ type: ValueType, size: Int) -> Phrase {
    let phrase = unwrapped(type, size: size)
    return dice.chance(3) ? phrase.wrapped : phrase
  }

  private mutating func unwrapped(_ type: ValueType, size: Int) -> Phrase {
    if size <= 0 { return leaf(type) }
    switch dice.roll(100) {
    case 0..<3: return any(size - 1)
    case 3..<5: return failure(size)
    case 5..<8: return conditional(type, size: size)
    case 8..<11: return routine(type, size: size)
    case 11..<16: return extraction(type, size: size)
    case 16..<26: return leaf(type)
    case 26..<55: return builtin(type, size: size)
    default: return operation(type, size: size)
    }
  }

  // MARK: Leaves

  /// Returns a constant or a variable.
  mutating func leaf(_ type: ValueType, isSure: Bool = false) -> Phrase {
    let known = scope.variables.filter { $0.type == type && ($0.isSure || !isSure) }
    if !known.isEmpty, dice.chance(60) { return Phrase(dice.pick(known).text) }
    if let literal = Literals.make(type, using: &dice) { return literal }
    return known.isEmpty ? Phrase("null") : Phrase(dice.pick(known).text)
  }

  /// Returns an element of a list or path; all but the last must not fail if an error would be absorbed.
  mutating func part(_ type: ValueType, size: Int, isLast: Bool) -> Phrase {
    isAbsorbed && !isLast ? leaf(type, isSure: true) : make(type, size: size)
  }

  // MARK: Forms of any type

  private mutating func conditional(_ type: ValueType, size: Int) -> Phrase {
    let condition = make(.bool, size: size - 1)
    let (one, other) = absorbing { ($0.make(type, size: size - 1), $0.make(type, size: size - 1)) }
    return Phrase("\(condition.held(1)) ? \(one.text) : \(other.text)", level: Phrase.conditional)
  }

  private mutating func routine(_ type: ValueType, size: Int) -> Phrase {
    let fitting = scope.routines.filter { $0.result == type }
    guard let chosen = fitting.isEmpty ? scope.routines.first : dice.pick(fitting) else {
      return operation(type, size: size)
    }
    var types = chosen.parameters
    if dice.chance(4) { types.append(.int) }
    if dice.chance(4), !types.isEmpty { types.removeLast() }
    let arguments = absorbing { maker in types.map { maker.make($0, size: size - 1).text } }
    return Phrase("\(chosen.name)(\(arguments.joined(separator: ", ")))")
  }

  /// Generates a part in which errors may be absorbed.
  mutating func absorbing<Result>(_ body: (inout Self) -> Result) -> Result {
    let before = isAbsorbed
    isAbsorbed = true
    defer { isAbsorbed = before }
    return body(&self)
  }

  /// Returns an element of a list or a value of a map.
  private mutating func extraction(_ type: ValueType, size: Int) -> Phrase {
    let place = dice.roll(6)
    let inner = place < 2 ? make(type, size: size - 1) : absorbing { $0.make(type, size: size - 1) }
    let key = dice.pick(["a", "b", "k"])
    switch place {
    case 0:
      let index = dice.chance(85) ? Phrase("0") : make(.int, size: size - 1)
      return Phrase("[\(inner.text)][\(index.text)]")
    case 1:
      let first = part(dice.pick(Self.types), size: size - 2, isLast: false)
      return Phrase("[\(first.text), \(inner.text)][1]")
    case 2: return Phrase("{'\(key)': \(inner.text)}.\(dice.pick([key, key, "a"]))")
    case 3: return Phrase("{'\(key)': \(inner.text)}['\(dice.pick([key, key, "a"]))']")
    case 4:
      return Phrase("{'\(key)': \(inner.text)}.get('\(key)', \(make(type, size: size - 2).text))")
    default:
      let map = make(.map, size: size - 1)
      return Phrase("\(map.held(Phrase.postfix)).get('\(key)', \(inner.text))")
    }
  }
}
