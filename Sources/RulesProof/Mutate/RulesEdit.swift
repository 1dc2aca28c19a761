package import RulesLang

/// A change of the text of rules.
package struct RulesEdit: Sendable {
  /// The replaced range.
  package var range: SourceRange
  /// The replacement.
  package var replacement: String
  /// The kind of change.
  package var mutator: Mutator
  /// The change in words: "`&&` becomes `||`".
  package var summary: String
  /// The equivalent change of the syntax tree.
  let change: Change

  /// A change of the syntax tree.
  enum Change: Hashable, Sendable {
    /// A statement gets another condition or other methods.
    case statement(TreeEdit)
    /// A statement loses its condition.
    case unconditional(AllowID)
    /// An expression is rewritten.
    case expression(ExprID, Rewriting, in: BodyPlace)
  }

  /// Returns the text with the change applied.
  package func applied(to source: SourceText) -> SourceText {
    let bytes =
      source.bytes[..<Int(range.start)] + Array(replacement.utf8)
      + source.bytes[Int(range.end)...]
    return SourceText(name: source.name, bytes: Array(bytes))
  }
}

/// The mutation operators.
package enum Mutator: String, Sendable, CaseIterable {
  /// Disables a statement.
  case removeStatement = "remove-statement"
  /// Removes a statement's condition.
  case removeCondition = "remove-condition"
  /// Removes one side of `&&` or `||`.
  case removeOperand = "remove-operand"
  /// Swaps `&&` and `||`.
  case swapConnective = "swap-connective"
  /// Negates a comparison, or changes its strictness.
  case changeComparison = "change-comparison"
  /// Removes a `!`.
  case removeNegation = "remove-negation"
  /// Swaps `resource` and `request.resource`.
  case swapResource = "swap-resource"
  /// Removes an element of a list literal.
  case removeElement = "remove-element"
  /// Replaces one of `hasOnly`, `hasAll` and `hasAny` by another.
  case changeQuestion = "change-question"
  /// Changes a literal.
  case changeLiteral = "change-literal"
  /// Removes methods from a statement.
  case narrowMethods = "narrow-methods"
  /// Adds methods to a statement.
  case widenMethods = "widen-methods"
}

extension Ruleset {
  /// Returns the mutants of the text, in source order.
  package func mutants() -> [RulesEdit] {
    var edits = allows.indices.flatMap { mutants(of: AllowID($0)) }
    for index in functions.indices {
      let function = FunctionID(index)
      for (position, binding) in self[function].lets.enumerated() {
        edits += mutants(in: binding.value, at: .binding(function, position))
      }
      edits += mutants(in: self[function].result, at: .result(function))
    }
    return edits.sorted {
      ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end)
    }
  }

  // MARK: Statements

  private func mutants(of id: AllowID) -> [RulesEdit] {
    let allow = self[id]
    guard let last = allow.operations.last else { return [] }
    let words = allow.operations.map { String($0.text) }
    let methods = SourceRange(start: allow.operations[0].range.start, end: last.range.end)
    let rest = SourceRange(start: last.range.end, end: allow.range.end)
    var edits: [RulesEdit] = []
    func add(
      _ mutator: Mutator, at range: SourceRange, text: String, summary: String,
      as change: RulesEdit.Change
    ) {
      edits.append(
        RulesEdit(
          range: range, replacement: text, mutator: mutator, summary: summary, change: change))
    }
    func add(_ mutator: Mutator, for words: [String], summary: String) {
      let left = words.reduce(into: MethodSet()) {
        $0.formUnion(Operation.methods(of: Text($1)) ?? [])
      }
      add(
        mutator, at: methods, text: words.joined(separator: ", "), summary: summary,
        as: .statement(.methods(id, left)))
    }
    add(
      .removeStatement, at: rest, text: ": if false;", summary: "the statement grants nothing",
      as: .statement(.condition(id, false)))
    if allow.condition != nil {
      add(
        .removeCondition, at: rest, text: ";", summary: "the statement always grants",
        as: .unconditional(id))
    }
    for index in words.indices where words.count > 1 {
      add(
        .narrowMethods, for: words.indices.filter { $0 != index }.map { words[$0] },
        summary: "the statement is not for `\(words[index])`")
    }
    for index in words.indices {
      func put(_ replacement: [String], by mutator: Mutator) {
        add(
          mutator, for: words[..<index] + replacement + words[(index + 1)...],
          summary: "`\(words[index])` becomes `\(replacement.joined(separator: ", "))`")
      }
      for replacement in Self.narrower[words[index]] ?? [] { put(replacement, by: .narrowMethods) }
      if let word = Self.wider[words[index]] { put([word], by: .widenMethods) }
    }
    if let condition = allow.condition { edits += mutants(in: condition, at: .condition(id)) }
    return edits
  }

  private static let narrower: [String: [[String]]] = [
    "read": [["get"], ["list"]],
    "write": [["create", "update"], ["create", "delete"], ["update", "delete"]],
  ]
  private static let wider = [
    "get": "read", "list": "read", "create": "write", "update": "write", "delete": "write",
  ]

  // MARK: Expressions

  private func mutants(in body: Body, at place: BodyPlace) -> [RulesEdit] {
    body.nodes.flatMap { mutants(of: $0, in: place) }
  }

  private func mutants(of id: ExprID, in place: BodyPlace) -> [RulesEdit] {
    let expression = self[id]
    func edit(
      _ mutator: Mutator, at range: SourceRange, text: String, as rewriting: Rewriting
    ) -> RulesEdit {
      RulesEdit(
        range: range, replacement: text, mutator: mutator,
        summary: "`\(oneLine(range))` becomes `\(Self.oneLine(text))`",
        change: .expression(id, rewriting, in: place))
    }
    switch expression.kind {
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      let isAnd = source.string(expression.mark) == "&&"
      return [
        edit(.removeOperand, at: expression.range, text: text(left), as: .operand(left)),
        edit(.removeOperand, at: expression.range, text: text(right), as: .operand(right)),
        edit(
          .swapConnective, at: expression.mark, text: isAnd ? "||" : "&&",
          as: .symbol(isAnd ? .or : .and)),
      ]
    case .binary(let symbol, _, _):
      return (Self.comparisons[symbol] ?? []).map {
        edit(.changeComparison, at: expression.mark, text: $0.symbol, as: .symbol($0))
      }
    case .not(let operand):
      return [
        edit(.removeNegation, at: expression.range, text: text(operand), as: .operand(operand))
      ]
    case .variable(let name) where name.text == "resource":
      return [
        edit(.swapResource, at: expression.range, text: "request.resource", as: .otherResource)
      ]
    case .member(let base, let name) where name.text == "resource":
      guard case .variable(let variable) = self[base].kind, variable.text == "request" else {
        return []
      }
      return [edit(.swapResource, at: expression.range, text: "resource", as: .otherResource)]
    case .list(let elements): return removals(of: elements, in: id, at: place)
    case .method(_, let name, _):
      return (Self.questions[String(name.text)] ?? []).map {
        edit(.changeQuestion, at: name.range, text: $0, as: .method(Text($0)))
      }
    case .literal(.bool(let flag)):
      return [
        edit(
          .changeLiteral, at: expression.range, text: flag ? "false" : "true",
          as: .literal(.bool(!flag)))
      ]
    case .literal(.int(let number)) where number < .max:
      return [
        edit(
          .changeLiteral, at: expression.range, text: "\(number + 1)",
          as: .literal(.int(number + 1)))
      ]
    case .literal, .variable, .map, .path, .parenthesized, .negate, .isType, .conditional, .member,
      .index, .slice, .call, .invalid:
      return []
    }
  }

  private func removals(
    of elements: [ExprID], in list: ExprID, at place: BodyPlace
  ) -> [RulesEdit] {
    guard elements.count > 1 else { return [] }
    return elements.indices.map { index in
      let (range, text) =
        elements.count > Strategy.rewrittenElements
        ? (cut(of: index, among: elements), "")
        : (self[list].range, rest(of: elements, without: index))
      return RulesEdit(
        range: range, replacement: text, mutator: .removeElement,
        summary: "the list loses `\(oneLine(self[elements[index]].range))`",
        change: .expression(list, .without(index), in: place))
    }
  }

  private func rest(of elements: [ExprID], without index: Int) -> String {
    let others = elements.indices.filter { $0 != index }.map { text(elements[$0]) }
    return "[" + others.joined(separator: ", ") + "]"
  }

  private func cut(of index: Int, among elements: [ExprID]) -> SourceRange {
    let own = self[elements[index]].range
    return index > 0
      ? SourceRange(start: self[elements[index - 1]].range.end, end: own.end)
      : SourceRange(start: own.start, end: self[elements[1]].range.start)
  }

  private static let comparisons: [BinaryOperator: [BinaryOperator]] = [
    .equal: [.notEqual], .notEqual: [.equal], .less: [.lessEqual, .greaterEqual],
    .lessEqual: [.less, .greater], .greater: [.greaterEqual, .lessEqual],
    .greaterEqual: [.greater, .less],
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
