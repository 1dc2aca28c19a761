import RulesEval
import RulesLang

extension Checked {
  /// Returns a patch that makes a statement grant nothing.
  func silencing(_ allow: AllowID) -> Patch {
    let statement = ruleset[allow]
    var patch = Patch()
    patch.replace(
      SourceRange(start: statement.operationsRange.end, end: statement.range.end),
      with: ": if false;", as: .condition(allow, false))
    return patch
  }

  /// Returns a patch that makes a statement always grant.
  func granting(_ allow: AllowID) -> Patch {
    let statement = ruleset[allow]
    var patch = Patch()
    patch.replace(
      SourceRange(start: statement.operationsRange.end, end: statement.range.end),
      with: ": if true;", as: .condition(allow, true))
    return patch
  }

  /// Returns a patch that disables all other statements.
  func keeping(_ kept: [AllowID]) -> Patch {
    var patch = Patch()
    let kept = Set(kept)
    for index in ruleset.allows.indices where !kept.contains(AllowID(index)) {
      patch.add(silencing(AllowID(index)))
    }
    return patch
  }

  /// Returns a patch that limits a statement to some methods.
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
  /// Returns the words for the methods of the statement without some of them.
  func words(without removed: MethodSet) -> [String] {
    operations.flatMap { word -> [String] in
      guard let methods = Operation.methods(of: word.text),
        !methods.isDisjoint(with: removed)
      else { return [String(word.text)] }
      return methods.subtracting(removed).methods.map { $0.word }
    }
  }
}
