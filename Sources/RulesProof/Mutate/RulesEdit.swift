package import RulesLang

/// A change to the text of rules.
package struct RulesEdit: Sendable {
  /// What is replaced.
  package var range: SourceRange
  /// What takes its place.
  package var replacement: String
  /// The kind of change.
  package var mutator: Mutator
  /// What it does, for people: "`&&` becomes `||`".
  package var summary: String

  /// The text with the change made.
  package func applied(to source: SourceText) -> SourceText {
    let bytes =
      source.bytes[..<Int(range.start)] + Array(replacement.utf8)
      + source.bytes[Int(range.end)...]
    return SourceText(name: source.name, bytes: Array(bytes))
  }
}

/// The kinds of changes that mutation testing makes.
package enum Mutator: String, Sendable, CaseIterable {
  /// A statement grants nothing.
  case removeStatement = "remove-statement"
  /// A statement grants always.
  case removeCondition = "remove-condition"
  /// One side of `&&` or `||` is left out.
  case removeOperand = "remove-operand"
  /// `&&` and `||` change places.
  case swapConnective = "swap-connective"
  /// A comparison becomes its opposite, or takes in its bound.
  case changeComparison = "change-comparison"
  /// A `!` is left out.
  case removeNegation = "remove-negation"
  /// `resource` and `request.resource` change places.
  case swapResource = "swap-resource"
  /// A list that is written out loses an element.
  case removeElement = "remove-element"
  /// `hasOnly`, `hasAll` and `hasAny` change places.
  case changeQuestion = "change-question"
  /// A literal becomes another one.
  case changeLiteral = "change-literal"
  /// A statement is for fewer methods.
  case narrowMethods = "narrow-methods"
  /// A statement is for more methods.
  case widenMethods = "widen-methods"
}

extension Ruleset {
  /// The changes that mutation testing makes to the text, in its order.
  package func mutants() -> [RulesEdit] {
    var edits = allows.flatMap { mutants(of: $0) }
    for function in functions {
      for body in function.bodies { edits += mutants(in: body) }
    }
    return edits.sorted {
      ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end)
    }
  }

  // MARK: Statements

  private func mutants(of allow: Allow) -> [RulesEdit] {
    guard let last = allow.operations.last else { return [] }
    let words = allow.operations.map { String($0.text) }
    let methods = SourceRange(start: allow.operations[0].range.start, end: last.range.end)
    let rest = SourceRange(start: last.range.end, end: allow.range.end)
    var edits: [RulesEdit] = []
    func add(_ mutator: Mutator, at range: SourceRange, text: String, summary: String) {
      edits.append(
        RulesEdit(range: range, replacement: text, mutator: mutator, summary: summary))
    }
    add(.removeStatement, at: rest, text: ": if false;", summary: "the statement grants nothing")
    if allow.condition != nil {
      add(.removeCondition, at: rest, text: ";", summary: "the statement grants always")
    }
    for index in words.indices where words.count > 1 {
      let fewer = words.indices.filter { $0 != index }.map { words[$0] }
      add(
        .narrowMethods, at: methods, text: fewer.joined(separator: ", "),
        summary: "the statement is not for `\(words[index])`")
    }
    for index in words.indices {
      for word in Self.narrower[words[index]] ?? [] {
        var others = words
        others[index] = word
        add(
          .narrowMethods, at: methods, text: others.joined(separator: ", "),
          summary: "`\(words[index])` becomes `\(word)`")
      }
      if let word = Self.wider[words[index]] {
        var others = words
        others[index] = word
        add(
          .widenMethods, at: methods, text: others.joined(separator: ", "),
          summary: "`\(words[index])` becomes `\(word)`")
      }
    }
    if let condition = allow.condition { edits += mutants(in: condition) }
    return edits
  }

  private static let narrower: [String: [String]] = [
    "read": ["get", "list"],
    "write": ["create, update", "create, delete", "update, delete"],
  ]
  private static let wider = [
    "get": "read", "list": "read", "create": "write", "update": "write", "delete": "write",
  ]

  // MARK: Expressions

  private func mutants(in body: Body) -> [RulesEdit] {
    body.nodes.flatMap { mutants(of: $0) }
  }

  private func mutants(of id: ExprID) -> [RulesEdit] {
    let expression = self[id]
    func edit(_ mutator: Mutator, at range: SourceRange, text: String) -> RulesEdit {
      RulesEdit(
        range: range, replacement: text, mutator: mutator,
        summary: "`\(oneLine(range))` becomes `\(Self.oneLine(text))`")
    }
    switch expression.kind {
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      let other = source.string(expression.mark) == "&&" ? "||" : "&&"
      return [
        edit(.removeOperand, at: expression.range, text: text(left)),
        edit(.removeOperand, at: expression.range, text: text(right)),
        edit(.swapConnective, at: expression.mark, text: other),
      ]
    case .binary:
      let words = Self.comparisons[source.string(expression.mark)] ?? []
      return words.map { word in
        RulesEdit(
          range: expression.mark, replacement: word, mutator: .changeComparison,
          summary: "`\(oneLine(expression.mark))` becomes `\(word)`")
      }
    case .not(let operand):
      return [edit(.removeNegation, at: expression.range, text: text(operand))]
    case .variable(let name) where name.text == "resource":
      return [edit(.swapResource, at: expression.range, text: "request.resource")]
    case .member(let base, let name) where name.text == "resource":
      guard case .variable(let variable) = self[base].kind, variable.text == "request" else {
        return []
      }
      return [edit(.swapResource, at: expression.range, text: "resource")]
    case .list(let elements): return removals(of: elements, in: expression)
    case .method(_, let name, _):
      return (Self.questions[String(name.text)] ?? []).map {
        edit(.changeQuestion, at: name.range, text: $0)
      }
    case .literal(.bool(let flag)):
      return [edit(.changeLiteral, at: expression.range, text: flag ? "false" : "true")]
    case .literal(.int(let number)) where number < .max:
      return [edit(.changeLiteral, at: expression.range, text: "\(number + 1)")]
    case .literal, .variable, .map, .path, .parenthesized, .negate, .isType, .conditional, .member,
      .index, .slice, .call, .invalid:
      return []
    }
  }

  private func removals(of elements: [ExprID], in list: Expression) -> [RulesEdit] {
    guard elements.count > 1 else { return [] }
    if elements.count > Self.greatestList { return cuts(of: elements) }
    return elements.map { element in
      let others = elements.filter { $0 != element }.map { text($0) }
      return RulesEdit(
        range: list.range, replacement: "[" + others.joined(separator: ", ") + "]",
        mutator: .removeElement, summary: "the list loses `\(oneLine(self[element].range))`")
    }
  }

  /// Of a longer list only the element is cut out: to write the others down for each would take memory by
  /// the square.
  private static let greatestList = 64

  private func cuts(of elements: [ExprID]) -> [RulesEdit] {
    elements.indices.map { index in
      let own = self[elements[index]].range
      let range =
        index > 0
        ? SourceRange(start: self[elements[index - 1]].range.end, end: own.end)
        : SourceRange(start: own.start, end: self[elements[1]].range.start)
      return RulesEdit(
        range: range, replacement: "", mutator: .removeElement,
        summary: "the list loses `\(oneLine(own))`")
    }
  }

  private static let comparisons = [
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
    ">=": [">", "<"],
  ]
  private static let questions = [
    "hasOnly": ["hasAny", "hasAll"], "hasAll": ["hasAny"], "hasAny": ["hasAll"],
  ]

  private func text(_ id: ExprID) -> String { source.string(self[id].range) }

  private func oneLine(_ range: SourceRange) -> String { Self.oneLine(source.string(range)) }

  private static func oneLine(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }.joined(separator: " ")
  }
}
