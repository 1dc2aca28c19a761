import RulesEval
import RulesLang

// Operators, and the literals that have operands, by the type that they give.

extension ExpressionMaker {
  /// Returns an expression of a type whose outermost form is an operator or a literal with operands.
  mutating func operation(_ type: ValueType, size: Int) -> Phrase {
    switch type {
    case .bool: return bool(size)
    case .int, .float: return number(type, size: size)
    case .string: return string(size)
    case .list: return dice.chance(70) ? list(size) : slice(.list, size: size)
    case .map: return dice.chance(65) ? map(size) : lookup(size)
    case .path: return dice.chance(70) ? path(size) : slice(.path, size: size)
    case .timestamp, .duration: return time(type, size: size)
    case .set:
      return Phrase("\(make(.list, size: size - 1).held(Phrase.postfix)).toSet()")
    case .mapDiff:
      let after = make(.map, size: size - 1).held(Phrase.postfix)
      return Phrase("\(after).diff(\(make(.map, size: size - 1).text))")
    case .null, .bytes, .latlng, .vector, .constraint: return builtin(type, size: size)
    }
  }

  // MARK: bool

  private mutating func bool(_ size: Int) -> Phrase {
    switch dice.roll(100) {
    case 0..<26: return comparison(size)
    case 26..<40: return membership(size)
    case 40..<50:
      let operand = make(dice.pick(Self.types), size: size - 1)
      return .isType(operand, dice.pick(TypeWord.allCases))
    case 50..<60:
      let operand = make(.bool, size: size - 1)
      return Phrase("!" + operand.held(Phrase.unary), level: Phrase.unary)
    default: return junction(size)
    }
  }

  private mutating func junction(_ size: Int) -> Phrase {
    let op: BinaryOperator = dice.chance(50) ? .and : .or
    return absorbing { maker in
      let left = maker.dice.chance(15) ? maker.failure(size - 1) : maker.make(.bool, size: size - 1)
      let right =
        maker.dice.chance(10) ? maker.failure(size - 1) : maker.make(.bool, size: size - 1)
      return .binary(left, op, right)
    }
  }

  private static let orderedTypes: [ValueType] = [
    .int, .float, .string, .bytes, .timestamp, .duration, .int,
  ]

  private mutating func comparison(_ size: Int) -> Phrase {
    let isOrder = dice.chance(40)
    let operators: [BinaryOperator] =
      isOrder ? [.less, .lessEqual, .greater, .greaterEqual] : [.equal, .notEqual]
    let type = dice.pick(isOrder ? Self.orderedTypes : Self.types)
    let other = dice.chance(80) ? type : dice.pick(Self.types)
    let (left, right) = (make(type, size: size - 1), make(other, size: size - 1))
    return .binary(left, dice.pick(operators), right)
  }

  private mutating func membership(_ size: Int) -> Phrase {
    let container = dice.pick([ValueType.list, .list, .set, .map])
    let type = container == .map && dice.chance(85) ? .string : dice.pick(Self.types)
    let collection = make(dice.chance(94) ? container : dice.pick(Self.types), size: size - 1)
    return .binary(make(type, size: size - 1), .in, collection)
  }

  // MARK: Numbers, strings, times

  private static let arithmetic: [BinaryOperator] = [
    .add, .subtract, .multiply, .divide, .remainder, .add,
  ]

  private mutating func number(_ type: ValueType, size: Int) -> Phrase {
    if dice.chance(15) {
      let operand = make(type, size: size - 1)
      // A minus before a minus would be one token.
      return Phrase("-" + apartFromMinus(operand), level: Phrase.unary)
    }
    let other: ValueType = type == .float && dice.chance(40) ? .int : type
    var operands = [make(type, size: size - 1), make(other, size: size - 1)]
    if dice.chance(30) { operands.reverse() }
    return .binary(operands[0], dice.pick(Self.arithmetic), operands[1])
  }

  private func apartFromMinus(_ operand: Phrase) -> String {
    operand.level < Phrase.postfix ? "(\(operand.text))" : operand.text
  }

  private mutating func string(_ size: Int) -> Phrase {
    switch dice.roll(10) {
    case 0..<5: return .binary(make(.string, size: size - 1), .add, make(.string, size: size - 1))
    case 5..<8: return slice(.string, size: size)
    default:
      let text = make(.string, size: size - 1).held(Phrase.postfix)
      return Phrase("\(text)[\(make(.int, size: size - 2).text)]")
    }
  }

  private mutating func time(_ type: ValueType, size: Int) -> Phrase {
    if type == .duration {
      switch dice.roll(3) {
      case 0:
        return .binary(
          make(.timestamp, size: size - 1), .subtract, make(.timestamp, size: size - 1))
      case 1:
        return Phrase("-" + apartFromMinus(make(.duration, size: size - 1)), level: Phrase.unary)
      default: break
      }
    }
    let op: BinaryOperator = dice.chance(60) ? .add : .subtract
    var operands = [make(type, size: size - 1), make(.duration, size: size - 1)]
    if dice.chance(20) { operands.reverse() }
    return .binary(operands[0], op, operands[1])
  }

  private mutating func slice(_ type: ValueType, size: Int) -> Phrase {
    let base = make(type, size: size - 1).held(Phrase.postfix)
    let bounds = [0, 1].map { _ -> String in
      if dice.chance(30) { return "" }
      return dice.chance(80)
        ? dice.pick(["0", "1", "2", "3", "-1"]) : make(.int, size: size - 2).text
    }
    return Phrase("\(base)[\(bounds[0]):\(bounds[1])]")
  }

  // MARK: Literals with operands

  private mutating func list(_ size: Int) -> Phrase {
    let count = dice.pick([0, 1, 1, 2, 2, 3, 4])
    let type = dice.pick(Self.types)
    let parts = (0..<count).map { place in
      let own = dice.chance(70) ? type : dice.pick(Self.types)
      return part(own, size: size - 1, isLast: place == count - 1).text
    }
    let comma = !parts.isEmpty && dice.chance(3) ? "," : ""
    return Phrase("[\(parts.joined(separator: ", "))\(comma)]")
  }

  private mutating func map(_ size: Int) -> Phrase {
    let entries = absorbing { maker in
      (0..<maker.dice.pick([0, 1, 1, 2, 3])).map { _ -> String in
        let key =
          maker.dice.chance(92)
          ? "'\(maker.dice.pick(Templates.keys))'"
          : maker.make(maker.dice.pick([.string, .int]), size: size - 2).text
        return "\(key): \(maker.make(maker.dice.pick(Self.types), size: size - 1).text)"
      }
    }
    return Phrase("{\(entries.joined(separator: ", "))}")
  }

  private mutating func path(_ size: Int) -> Phrase {
    let count = dice.roll(1...3)
    let text = (0..<count).reduce("") { text, place in
      let segment: String
      switch dice.roll(10) {
      case 0..<5: segment = "/" + dice.pick(["a", "b", "t", "x.y", "a%2Fb"])
      case 5..<6: segment = dice.pick(["/{x}", "/{y=**}", "/{z=*}"])
      default:
        let types: [ValueType] = [.string, .string, .int, .path, .bool, .float, .null]
        let inner = part(dice.pick(types), size: size - 1, isLast: place == count - 1)
        segment = "/$(\(inner.text))"
      }
      return text + segment
    }
    return .path(text)
  }

  /// Returns a lookup, or the data of its result.
  private mutating func lookup(_ size: Int) -> Phrase {
    guard !scope.lookups.isEmpty else { return map(size) }
    let name = dice.pick(["get", "get", "getAfter"])
    let call = "\(name)(\(dice.pick(scope.lookups)))"
    return Phrase(dice.chance(70) ? call + ".data" : call)
  }
}
