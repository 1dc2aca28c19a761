import RulesEval
import RulesLang

extension Checked {
  /// The rules in which a statement grants nothing.
  func silencing(_ allow: AllowID) -> Patch {
    let statement = ruleset[allow]
    var patch = Patch()
    patch.replace(
      SourceRange(start: statement.operationsRange.end, end: statement.range.end),
      with: ": if false;", as: .condition(allow, false))
    return patch
  }

  /// The rules in which a statement always grants.
  func granting(_ allow: AllowID) -> Patch {
    let statement = ruleset[allow]
    var patch = Patch()
    patch.replace(
      SourceRange(start: statement.operationsRange.end, end: statement.range.end),
      with: ": if true;", as: .condition(allow, true))
    return patch
  }

  /// The rules in which only some statements grant anything.
  func keeping(_ kept: [AllowID]) -> Patch {
    var patch = Patch()
    let kept = Set(kept)
    for index in ruleset.allows.indices where !kept.contains(AllowID(index)) {
      patch.add(silencing(AllowID(index)))
    }
    return patch
  }

  /// The rules in which a statement is for some methods only.
  func limiting(_ allow: AllowID, to methods: MethodSet) -> Patch {
    let others = self.methods[allow.index].subtracting(methods)
    var patch = Patch()
    guard !others.isEmpty else { return patch }
    let statement = ruleset[allow]
    patch.replace(
      statement.operationsRange, with: statement.words(without: others).joined(separator: ", "),
      as: .methods(allow, self.methods[allow.index].subtracting(others)))
    return patch
  }
}

extension Allow {
  /// The words for the methods that are left without some.
  func words(without removed: MethodSet) -> [String] {
    operations.flatMap { word -> [String] in
      guard let methods = Operation.methods(of: word.text),
        !methods.isDisjoint(with: removed)
      else { return [String(word.text)] }
      return methods.subtracting(removed).methods.map { $0.word }
    }
  }
}
