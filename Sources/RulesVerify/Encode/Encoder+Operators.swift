import RulesEval
import RulesLang

// Operators and postfix expressions (Docs/Language.md §7).

extension Encoder {
  /// Returns the rails of `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`.
  func compare(_ op: BinaryOperator, left: Term, right: Term) -> Rails {
    switch op {
    case .greater: return compare(.less, left: right, right: left)
    case .greaterEqual: return compare(.lessEqual, left: right, right: left)
    case .in: return membership(of: left, in: right)
    default: break
    }
    // A comparison with a promise is true if the filters imply it, and otherwise an error.
    let bound = question.any([
      question.isType(of: left, in: .constraint), question.isType(of: right, in: .constraint),
    ])
    let promised =
      bound == .no
      ? .no : question.all([bound, question.holds(.defined(.binary(op)), of: [left, right])])
    if op == .less || op == .lessEqual {
      let rails = order(of: left, and: right, isStrict: op == .less)
      return Rails(yes: question.any([rails.yes, promised]), no: rails.no)
    }
    let equal = isEqual(left, to: right)
    let (yes, no) = op == .equal ? (equal, !equal) : (!equal, equal)
    return Rails(
      yes: question.any([question.all([!bound, yes]), promised]), no: question.all([!bound, no]))
  }

  private func order(of left: Term, and right: Term, isStrict: Bool) -> Rails {
    var (yes, no): ([Prop], [Prop]) = ([], [])
    func add(when both: Prop, _ holds: () -> Prop) {
      if both == .no { return }
      let holds = holds()
      yes.append(question.all([both, holds]))
      no.append(question.all([both, !holds]))
    }
    for scale in Scale.allCases {
      add(when: are(left, right, in: TypeSet(scale.type))) {
        question.isLess(left, than: right, on: scale, isStrict: isStrict)
      }
    }
    let hasFloat = question.any([
      question.isType(of: left, in: .float), question.isType(of: right, in: .float),
    ])
    add(when: question.all([are(left, right, in: Question.numbers), hasFloat])) {
      question.isLessNumber(left, than: right, isStrict: isStrict)
    }
    for type in [TypeSet.string, .bytes] {
      add(when: are(left, right, in: type)) {
        question.isOrdered(left, before: right, isStrict: isStrict)
      }
    }
    return Rails(yes: question.any(yes), no: question.any(no))
  }

  private func are(_ left: Term, _ right: Term, in types: TypeSet) -> Prop {
    question.all([question.isType(of: left, in: types), question.isType(of: right, in: types)])
  }

  // MARK: Equality

  /// Returns `left == right`, where neither is a promise.
  private func isEqual(_ left: Term, to right: Term) -> Prop {
    let (one, other) = (question.types(of: left), question.types(of: right))
    let numbers = Question.numbers
    if one.isDisjoint(with: other), one.isDisjoint(with: numbers) || other.isDisjoint(with: numbers)
    {
      return .no
    }
    if question.types(of: left) == .set || question.types(of: right) == .set,
      let one = keySet(left), let other = keySet(right), let same = areSame(one, other)
    {
      return same
    }
    for (keys, list) in [(left, right), (right, left)] {
      if let same = isList(ofKeys: keys, list) { return same }
    }
    return isWritten(left, like: right) ?? question.equal(left, right)
  }

  /// Returns "the keys of a map equal a literal list". `keys()` is ordered, so only a sorted list
  /// is equal.
  private func isList(ofKeys keys: Term, _ list: Term) -> Prop? {
    guard case .apply(.value(.builtin(.mapKeys)), _) = question[keys],
      case .list(let values)? = question.value(of: list), let one = keySet(keys),
      let other = keySet(list)
    else { return nil }
    let texts = values.compactMap { value -> Text? in
      if case .string(let text) = value { return text }
      return nil
    }
    let isSorted = zip(texts, texts.dropFirst()).allSatisfy { Text.precedesByCodePoint($0, $1) }
    return isSorted ? areSame(one, other) : .no
  }

  /// Returns equality with a literal list or map, part by part; nil if neither side is a literal.
  private func isWritten(_ left: Term, like right: Term) -> Prop? {
    for (one, other) in [(left, right), (right, left)] {
      guard case .apply(let functor, let parts) = question[one] else { continue }
      if case .list = functor {
        // The elements of a set are represented as those of a list.
        guard question.types(of: other).contains(.list) else { return .no }
        if question.types(of: other) == .list, let others = elements(of: other) {
          return areParts(parts, like: others)
        }
        return isList(other, of: parts)
      }
      if case .record(let names) = functor, let fields = fields(of: other) {
        guard fields.count == names.count else { return .no }
        let others = names.compactMap { name in fields.first { $0.name == name }?.value }
        return others.count == parts.count ? areParts(parts, like: others) : .no
      }
      if case .record = functor {
        return isComputed("equal", of: one, and: other)
      }
    }
    return nil
  }

  private func isList(_ term: Term, of parts: [Term]) -> Prop {
    guard question.types(of: term).contains(.list), question.isData(term) else {
      return question.types(of: term).contains(.list)
        ? isComputed("equal", of: term, and: question.apply(.list, to: parts)) : .no
    }
    let size = question.apply(.size, to: [term])
    let count = question.constant(.int(Int64(parts.count)))
    var props = [question.isType(of: term, in: .list), question.same(size, count)]
    for (place, part) in parts.enumerated() {
      let index = question.constant(.int(Int64(place)))
      props.append(isPart(question.apply(.element, to: [term, index]), like: part))
    }
    return question.all(props)
  }

  private func areParts(_ one: [Term], like other: [Term]) -> Prop {
    guard one.count == other.count else { return .no }
    return question.all(zip(one, other).map { isPart($0.0, like: $0.1) })
  }

  /// Returns equality of two parts of collections: type, value and sign of zero.
  private func isPart(_ one: Term, like other: Term) -> Prop {
    effort += 1
    if isOverwhelmed { return .no }
    if let same = isWritten(one, like: other) { return same }
    let strange: TypeSet = [.set, .path, .mapDiff, .constraint, .list, .map]
    let shared = question.types(of: one).intersection(question.types(of: other))
    if shared.isDisjoint(with: strange) || question.isData(one) && question.isData(other) {
      return question.identical(one, other)
    }
    return isComputed("part", of: one, and: other)
  }

  /// Returns an uninterpreted symmetric relation of two values.
  private func isComputed(_ name: Text, of one: Term, and other: Term) -> Prop {
    question.holds(.defined(.compose(name)), of: [min(one, other), max(one, other)])
  }

  // MARK: Parts

  /// Returns the elements of a list that is a literal or constant, or of the set of one; nil for other terms.
  func elements(of term: Term) -> [Term]? {
    switch question.value(of: term) {
    case .list(let values)?: return values.map { question.constant($0) }
    case .set(let set)?: return set.elements.map { question.constant($0) }
    default: break
    }
    switch question[term] {
    case .apply(.list, let elements): return elements
    case .apply(.value(.builtin(.listToSet)), let list): return elements(of: list[0])
    case .apply, .constant, .unknown: return nil
    }
  }

  /// Returns the fields of a map that is a literal or constant; nil for other terms.
  private func fields(of term: Term) -> [(name: Text, value: Term)]? {
    if case .map(let map)? = question.value(of: term) {
      return map.keys.map { ($0, question.constant(map[$0] ?? .null)) }
    }
    guard case .apply(.record(let names), let values) = question[term] else { return nil }
    return zip(names, values).map { (name: $0.0, value: $0.1) }
  }

  /// Returns "the map has the key".
  func has(_ map: Term, key: Term) -> Prop {
    guard let fields = fields(of: map) else { return question.holds(.has, of: [map, key]) }
    var cases: [Prop] = []
    for field in fields { cases.append(question.same(key, question.text(field.name))) }
    return question.any(cases)
  }

  /// Returns the value of a map's key; an error if the term is not a map or lacks the key.
  func field(of map: Term, at key: Term) -> Cases {
    if let name = question.text(of: key), let known = special(of: map, named: name) { return known }
    if let fields = fields(of: map) {
      return fields.reduce(.error) {
        $0 + Cases($1.value, when: question.same(key, question.text($1.name)))
      }
    }
    let isThere = question.all([
      question.isType(of: map, in: .map), question.isType(of: key, in: .string), has(map, key: key),
    ])
    if isThere == .no { return .error }
    return Cases(question.apply(.field, to: [map, key]), when: isThere)
  }

  /// Returns `base.name`, where the base is a map or a path with captures.
  func member(of base: Term, named name: Text) -> Cases {
    let key = question.text(name)
    let found = field(of: base, at: key)
    if question.isData(base) { return found }
    return found + computed(.index, of: [base, key], when: question.isType(of: base, in: .path))
  }

  /// Returns `base[key]`.
  func index(_ base: Term, by key: Term) -> Cases {
    var found = field(of: base, at: key)
    let isListed = question.all([
      question.isType(of: base, in: .list), question.isType(of: key, in: .int),
    ])
    if case .int(let place)? = question.value(of: key), isListed != .no {
      if let elements = elements(of: base) {
        found =
          found
          + (elements.indices.contains(Int(clamping: place)) ? Cases(elements[Int(place)]) : .error)
      } else if place >= 0 {
        let size = question.apply(.size, to: [base])
        let isInside = question.all([
          isListed, !question.most(size, on: .int, bound: Int128(place)),
        ])
        let element = question.apply(.element, to: [base, key])
        found = found + Cases(element, when: isInside)
        if question.isData(base), !question.types(of: element).contains(.constraint) {
          // An element at an index is a member of its list, except NaN.
          let isMember = question.holds(.member, of: [base, element])
          question.require(
            isInside,
            implies: question.any([isMember, question.isOdd(element, beside: element)]))
        }
        statePiece(element, of: base, at: place, when: isInside)
      }
    } else {
      found = found + computed(.index, of: [base, key], when: isListed)
    }
    if case .apply(.path, let segments) = question[base],
      case .int(let place)? = question.value(of: key)
    {
      return segments.indices.contains(Int(clamping: place)) ? Cases(segments[Int(place)]) : .error
    }
    let others = question.any([
      question.all([
        question.isType(of: base, in: [.string, .path]), question.isType(of: key, in: .int),
      ]),
      question.all([question.isType(of: base, in: .path), question.isType(of: key, in: .string)]),
    ])
    return found + computed(.index, of: [base, key], when: others)
  }

  /// Adds axioms about `text.split(c)[place]` for a single character `c`: the piece does not
  /// contain `c`, and a piece after the first one exists only if the text contains `c`.
  private func statePiece(_ piece: Term, of pieces: Term, at place: Int64, when isInside: Prop) {
    guard case .apply(.value(.builtin(.stringSplit)), let split) = question[pieces],
      let source = question.text(of: split[1]),
      let point = (try? Pattern.syntax(of: source))?.onlyCharacter
    else { return }
    let letter = PatternSyntax.literal(point)
    question.require(isInside, implies: question.isType(of: piece, in: .string))
    if let lacks = question.matches(piece, pattern: "[^" + letter + "]*") {
      question.require(isInside, implies: lacks)
    }
    if place > 0, let has = question.matches(split[0], pattern: "(?s).*" + letter + ".*") {
      question.require(isInside, implies: has)
    }
  }

  // MARK: Arithmetic

  /// Returns `-term`, which has the type of its operand.
  func negate(_ term: Term) -> Cases {
    let types: [TypeSet] = [.int, .float, .duration]
    var fits: [Prop] = []
    let value = question.apply(.value(.negate), to: [term])
    for type in types {
      let isOf = question.isType(of: term, in: type)
      fits.append(isOf)
      let isDefined = question.holds(.defined(.negate), of: [term])
      question.require(
        question.all([isOf, isDefined]), implies: question.isType(of: value, in: type))
    }
    return computed(.negate, of: [term], when: question.any(fits))
  }

  /// Returns the result of `+`, `-`, `*`, `/` or `%`.
  func arithmetic(_ op: BinaryOperator, left: Term, right: Term) -> Cases {
    let rows = ArithmeticTypes.of(op)
    var fits: [Prop] = []
    let value = question.apply(.value(.binary(op)), to: [left, right])
    let isDefined = question.holds(.defined(.binary(op)), of: [left, right])
    for row in rows {
      let isOf = question.all([
        question.isType(of: left, in: row.left), question.isType(of: right, in: row.right),
      ])
      fits.append(isOf)
      question.require(
        question.all([isOf, isDefined]),
        implies: question.isType(of: value, in: TypeSet(row.result)))
    }
    let fit = question.any(fits)
    guard question.value(of: value) == nil, let (base, steps) = shift(op, of: left, by: right)
    else {
      return computed(.binary(op), of: [left, right], when: fit)
    }
    // Int plus or minus a constant is arithmetic; the rest is uninterpreted.
    let isInt = question.isType(of: base, in: .int)
    let (least, greatest) = Scale.int.range
    let fitsInt =
      steps >= 0
      ? question.most(base, on: .int, bound: greatest - Int128(steps))
      : !question.most(base, on: .int, bound: least - Int128(steps) - 1)
    let sum = steps == 0 ? base : question.apply(.plus(.int, steps), to: [base])
    let others = question.all([fit, !isInt])
    return Cases(sum, when: question.all([isInt, fitsInt]))
      + computed(.binary(op), of: [left, right], when: others)
  }

  private func shift(
    _ op: BinaryOperator, of left: Term, by right: Term
  ) -> (base: Term, steps: Int64)? {
    switch (op, question.value(of: left), question.value(of: right)) {
    case (.add, nil, .int(let number)?): (left, number)
    case (.add, .int(let number)?, nil): (right, number)
    case (.subtract, nil, .int(let number)?) where number != .min: (left, -number)
    default: nil
    }
  }
}

/// A row of an arithmetic operator's type table (Docs/Language.md §7).
private struct ArithmeticTypes {
  var left: TypeSet
  var right: TypeSet
  var result: ValueType

  static func of(_ op: BinaryOperator) -> [ArithmeticTypes] {
    let numbers = [
      ArithmeticTypes(left: .int, right: .int, result: .int),
      ArithmeticTypes(left: .float, right: [.int, .float], result: .float),
      ArithmeticTypes(left: .int, right: .float, result: .float),
    ]
    let times = [
      ArithmeticTypes(left: .duration, right: .duration, result: .duration),
      ArithmeticTypes(left: .timestamp, right: .duration, result: .timestamp),
    ]
    switch op {
    case .add:
      return numbers + times + [
        ArithmeticTypes(left: .string, right: .string, result: .string),
        ArithmeticTypes(left: .duration, right: .timestamp, result: .timestamp),
      ]
    case .subtract:
      return numbers + times + [
        ArithmeticTypes(left: .timestamp, right: .timestamp, result: .duration)
      ]
    case .multiply, .divide, .remainder: return numbers
    case .or, .and, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in: return []
    }
  }
}
