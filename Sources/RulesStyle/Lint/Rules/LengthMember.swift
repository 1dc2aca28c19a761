import RulesLang

/// The lint for a field `length` that is compared with a number.
enum LengthMember {
  /// The lint.
  static let lint = Lint(
    "length-member", level: .on(.warning),
    summary: "`length` is read as a field, but strings and lists have `size()`",
    reason: """
      Strings and lists have no `length`: their length is `size()`. Reading `length` of them is an error,
      so the condition does not grant. Only a map can have a field of this name. Not reported if the
      condition reads another field of the same map.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.auth != null && request.resource.data.title.length < 100;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null && request.resource.data.title.size() < 100;
      }
      """,
    find: { subject in
      var maps: Set<Text> = []
      for id in subject.allNodes {
        guard case .member(let base, let name) = subject.rules[id].kind, name.text != "length"
        else {
          continue
        }
        maps.insert(subject.spelling(subject.rules[base].range))
      }
      return subject.allNodes.flatMap { id -> [Diagnostic] in
        guard case .binary(let symbol, let left, let right) = subject.rules[id].kind,
          symbol != .in, symbol != .and, symbol != .or
        else { return [] }
        return [(left, right), (right, left)].compactMap { side, other in
          guard subject.checked.types[other.index].isNumber || symbol.isOrder,
            let name = length(side, maps, in: subject)
          else { return nil }
          return Diagnostic.finding("`length` is a field here, which only a map can have", at: name)
            .suggesting("size()")
        }
      }
    })

  /// Returns the name `length`, if it is read from a field that is not known to be a map.
  private static func length(
    _ id: ExprID, _ maps: Set<Text>, in subject: LintSubject
  ) -> SourceRange? {
    let rules = subject.rules
    guard case .member(let base, let name) = rules[rules.unparenthesized(id)].kind,
      name.text == "length", !subject.checked.types[rules.unparenthesized(id).index].isEmpty,
      case .member(_, let field) = rules[rules.unparenthesized(base)].kind,
      field.text != "data", subject.record(base) == nil,
      !maps.contains(subject.spelling(rules[base].range))
    else { return nil }
    return name.range
  }
}

extension TypeSet {
  /// True if only numbers are possible.
  fileprivate var isNumber: Bool { !isEmpty && isSubset(of: [.int, .float]) }
}

extension BinaryOperator {
  /// True if the operator orders its operands.
  fileprivate var isOrder: Bool { [.less, .lessEqual, .greater, .greaterEqual].contains(self) }
}
