import RulesLang

/// The lint for comparing values whose types can never be equal.
enum ImpossibleComparison {
  static let lint = Lint(
    "impossible-comparison", level: .on(.warning), summary: "the two sides can never be equal",
    reason: """
      Values of different types are never equal, and have no order. Google's compiler warns of that
      where it knows the types; it takes those of `request` and `resource` to be unknown. They are
      not: `request.time` is a timestamp, `request.auth.uid` a string, and `request.method` is one of
      `get`, `list`, `create`, `update` and `delete`. A `<` or `>` between values that have no order
      is an error each time: that is reported as one, unless the level says otherwise.
      """,
    avoid: """
      match /posts/{postId} {
        allow write: if request.auth != null && request.method == 'write';
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow write: if request.auth != null && request.method in ['create', 'update'];
      }
      """,
    find: { subject in
      subject.allNodes.flatMap { id -> [Diagnostic] in
        guard case .binary(let symbol, let left, let right) = subject.rules[id].kind else {
          return []
        }
        switch symbol {
        case .equal, .notEqual:
          return types(of: id, symbol: symbol, left: left, right: right, in: subject)
            + methods(left, against: [right], in: subject)
            + methods(right, against: [left], in: subject)
        case .less, .lessEqual, .greater, .greaterEqual:
          return types(of: id, symbol: symbol, left: left, right: right, in: subject)
        case .in:
          guard case .list(let elements) = subject.rules[right].kind else { return [] }
          return methods(left, against: elements, in: subject)
        case .or, .and, .add, .subtract, .multiply, .divide, .remainder: return []
        }
      }
    })

  private static func types(
    of id: ExprID, symbol: BinaryOperator, left: ExprID, right: ExprID, in subject: LintSubject
  ) -> [Diagnostic] {
    let one = subject.checked.types[left.index]
    let other = subject.checked.types[right.index]
    let isOrder = symbol != .equal && symbol != .notEqual
    let fits =
      isOrder
      ? !subject.checked.types[id.index].isEmpty
      : !comparable(one).isDisjoint(with: comparable(other))
    guard !fits, !one.isEmpty, !other.isEmpty, !one.contains(.constraint),
      !other.contains(.constraint), !isSaid(of: subject.rules[id], in: subject)
    else { return [] }
    let outcome =
      switch symbol {
      case .equal: "this is always false"
      case .notEqual: "this is always true"
      default: "this is always an error"
      }
    var finding = Diagnostic.finding(outcome, at: subject.rules[id].range)
    if isOrder { finding.severity = .error }
    for side in [left, right] { finding = finding.typing(side, in: subject) }
    return [finding]
  }

  /// Returns the types with those whose values can equal theirs.
  static func comparable(_ types: TypeSet) -> TypeSet {
    types.isDisjoint(with: [.int, .float]) ? types : types.union([.int, .float])
  }

  /// True if the compiler has reported it, or that one side does not fit the operator.
  static func isSaid(of node: Expression, in subject: LintSubject) -> Bool {
    subject.checked.warnings.contains { warning in
      guard let range = warning.range else { return false }
      return warning.code == .constantComparison && range == node.mark
        || warning.code == .typeMismatch && range.start >= node.range.start
          && range.end <= node.range.end
    }
  }

  /// Reports texts that `request.method` is compared with and never is.
  private static func methods(
    _ method: ExprID, against texts: [ExprID], in subject: LintSubject
  ) -> [Diagnostic] {
    guard subject.isMember(method, named: "method", of: .request) else { return [] }
    return texts.compactMap { text in
      guard case .literal(.string(let word)) = subject.rules[text].kind,
        !Method.allCases.contains(where: { Text($0.word) == word })
      else { return nil }
      let isGroup = word == "read" || word == "write"
      return Diagnostic.finding(
        "`request.method` is never `'\(String(word))'`", at: subject.rules[text].range,
        help: isGroup
          ? "it is one of the operations that `\(String(word))` stands for"
          : "it is `get`, `list`, `create`, `update` or `delete`, in lower case")
    }
  }
}

extension Diagnostic {
  /// Returns the diagnostic with the types of an operand beside it.
  func typing(_ operand: ExprID, in subject: LintSubject) -> Diagnostic {
    let types = subject.checked.types[operand.index].types
    return relating(
      subject.rules[operand].range, as: types.map { $0.word }.joined(separator: " or "))
  }
}
