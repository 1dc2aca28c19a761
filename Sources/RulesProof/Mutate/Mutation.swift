package import RulesLang

/// A small change of rules, as a reviewer or attacker could make it.
package struct Mutation: Sendable {
  /// The replaced range of the text.
  package var range: SourceRange
  /// The replacement.
  package var replacement: String
  /// The kind of change.
  package var mutator: Mutator
  /// The change in words: "`&&` becomes `||`".
  package var summary: String
  /// The edit that the text stands for.
  let edit: RulesEdit

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
  package func mutants() -> [Mutation] {
    var found = allows.indices.flatMap { mutants(of: AllowID($0)) }
    for index in functions.indices {
      let function = FunctionID(index)
      for binding in self[function].lets {
        found += mutants(in: binding.value)
      }
      found += mutants(in: self[function].result)
    }
    return found.sorted {
      ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end)
    }
  }

  // MARK: Statements

  private func mutants(of id: AllowID) -> [Mutation] {
    let allow = self[id]
    guard let last = allow.operations.last else { return [] }
    let words = allow.operations.map { String($0.text) }
    let methods = SourceRange(start: allow.operations[0].range.start, end: last.range.end)
    let rest = SourceRange(start: last.range.end, end: allow.range.end)
    var found: [Mutation] = []
    func add(
      _ mutator: Mutator, at range: SourceRange, text: String, summary: String,
      as edit: RulesEdit
    ) {
      found.append(
        Mutation(
          range: range, replacement: text, mutator: mutator, summary: summary, edit: edit))
    }
    func add(_ mutator: Mutator, for words: [String], summary: String) {
      let left = words.reduce(into: MethodSet()) {
        $0.formUnion(Operation.methods(of: Text($1)) ?? [])
      }
      add(
        mutator, at: methods, text: words.joined(separator: ", "), summary: summary,
        as: .methods(id, left))
    }
    add(
      .removeStatement, at: rest, text: ": if false;", summary: "the statement grants nothing",
      as: .condition(id, false))
    if allow.condition != nil {
      add(
        .removeCondition, at: rest, text: ";", summary: "the statement always grants",
        as: .unconditional(id))
    }
    for index in words.indices where words.count > 1 {
      add(
        .narrowMethods, for: words.indices.filter { $0 != index }.map { words[$0] },
        summary: "the statement loses `\(words[index])`")
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
    if let condition = allow.condition { found += mutants(in: condition) }
    return found
  }

  private static let narrower: [String: [[String]]] = [
    "read": [["get"], ["list"]],
    "write": [["create", "update"], ["create", "delete"], ["update", "delete"]],
  ]
  private static let wider = [
    "get": "read", "list": "read", "create": "write", "update": "write", "delete": "write",
  ]

  // MARK: Expressions

  private func mutants(in body: Body) -> [Mutation] {
    body.nodes.flatMap { mutants(of: $0) }
  }

  private func mutants(of id: ExprID) -> [Mutation] {
    let expression = self[id]
    func edit(
      _ mutator: Mutator, at range: SourceRange, text: String, as rewriting: Rewriting
    ) -> Mutation {
      mutation(mutator, at: range, text: text, as: .rewritten(id, rewriting))
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
    case .list(let elements): return removals(of: elements, in: id)
    case .method(_, let name, _):
      return (Self.questions[String(name.text)] ?? []).map {
        edit(.changeQuestion, at: name.range, text: $0, as: .method(Text($0)))
      }
    case .literal(.bool(let flag)):
      return [
        mutation(
          .changeLiteral, at: expression.range, text: flag ? "false" : "true",
          as: .constant(id, !flag))
      ]
    case .literal(.int(let number)) where number < .max:
      return [
        edit(
          .changeLiteral, at: expression.range, text: "\(number + 1)",
          as: .int(number + 1))
      ]
    case .literal, .variable, .map, .path, .parenthesized, .negate, .isType, .conditional, .member,
      .index, .slice, .call, .invalid:
      return []
    }
  }

  private func mutation(
    _ mutator: Mutator, at range: SourceRange, text: String, as edit: RulesEdit
  ) -> Mutation {
    Mutation(
      range: range, replacement: text, mutator: mutator,
      summary: "`\(oneLine(range))` becomes `\(Self.oneLine(text))`", edit: edit)
  }

  private func removals(of elements: [ExprID], in list: ExprID) -> [Mutation] {
    guard elements.count > 1 else { return [] }
    return elements.indices.map { index in
      Mutation(
        range: cut(of: index, among: elements), replacement: "", mutator: .removeElement,
        summary: "the list loses `\(oneLine(self[elements[index]].range))`",
        edit: .rewritten(list, .without(index)))
    }
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
