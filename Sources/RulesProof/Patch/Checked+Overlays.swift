import RulesEval
import RulesLang

extension Checked {
  /// Returns the overlay that disables all other statements.
  func keeping(_ kept: [AllowID]) -> Overlay {
    let kept = Set(kept)
    let others = ruleset.allows.indices.map { AllowID($0) }.filter { !kept.contains($0) }
    return Overlay(Set(others.map { RulesEdit.condition($0, false) }))
  }

  /// Returns the overlay that limits a statement to some methods.
  func limiting(_ allow: AllowID, to methods: MethodSet) -> Overlay {
    let left = self.methods[allow.index].intersection(methods)
    return left == self.methods[allow.index] ? .none : Overlay([.methods(allow, left)])
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
