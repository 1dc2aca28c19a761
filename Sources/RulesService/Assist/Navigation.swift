package import RulesLang

/// What an editor marks of one name.
package struct NamePlaces: Sendable {
  /// The name that was pointed at.
  package var here: Occurrence
  /// All places of what it stands for, in order.
  package var all: [Occurrence]
}

extension RulesAnalysis {
  /// All places of the name at an offset; nil if there is no name.
  package func places(at offset: Int) -> NamePlaces? {
    guard let here = symbols.occurrence(at: offset) else { return nil }
    if case .member = here.symbol, let id = here.expression {
      // Members are alike only if they are written alike.
      let written = text(of: id)
      let all = symbols.places(of: here.symbol).filter { other in
        other.expression.map { text(of: $0) == written } ?? false
      }
      return NamePlaces(here: here, all: all)
    }
    return NamePlaces(here: here, all: symbols.places(of: here.symbol))
  }

  private func text(of id: ExprID) -> String {
    String(source.string(rules[id].range).filter { $0 != " " && $0 != "\n" && $0 != "\t" })
  }

  /// Where the name at an offset is declared; nil if nowhere in this text.
  package func definition(at offset: Int) -> SourceRange? {
    guard let here = symbols.occurrence(at: offset) else { return nil }
    return symbols.declaration(of: here.symbol)
  }

  /// The name at an offset that can be changed. Throws why it cannot.
  package func renamable(at offset: Int) throws(RenameRefusal) -> SourceRange {
    guard let here = symbols.occurrence(at: offset) else {
      throw RenameRefusal(reason: "there is no name here")
    }
    guard here.symbol.isDeclared else {
      throw RenameRefusal(
        reason: "`\(source.string(here.range))` is not declared in this file")
    }
    return here.range
  }

  /// The changes that give the name at an offset another one. Throws why there can be none.
  package func rename(at offset: Int, to name: String) throws(RenameRefusal) -> [TextEdit] {
    try symbols.rename(at: offset, to: name)
  }

  /// The function whose name is at an offset; nil if it is the name of anything else.
  package func functionName(at offset: Int) -> String? {
    guard let here = symbols.occurrence(at: offset), case .function(let id) = here.symbol else {
      return nil
    }
    return String(rules[id].name.text)
  }
}
