package import RulesLang

/// The occurrences of one name.
package struct NamePlaces: Sendable {
  /// The name that was pointed at.
  package var here: Occurrence
  /// All occurrences of the same symbol, in order.
  package var all: [Occurrence]
}

extension RulesAnalysis {
  /// Returns the occurrences of the name at an offset; nil if there is no name.
  package func places(at offset: Int) -> NamePlaces? {
    guard let here = symbols.occurrence(at: offset) else { return nil }
    if case .member = here.symbol, let id = here.expression {
      // Members are the same only if they are written the same.
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

  /// Returns the declaration of the name at an offset; nil if it is not in this text.
  package func definition(at offset: Int) -> SourceRange? {
    guard let here = symbols.occurrence(at: offset) else { return nil }
    return symbols.declaration(of: here.symbol)
  }

  /// Returns the range of the name at an offset if it can be renamed. Throws the reason if it cannot.
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

  /// Returns the edits that rename the name at an offset. Throws the reason if it cannot be renamed.
  package func rename(at offset: Int, to name: String) throws(RenameRefusal) -> [TextEdit] {
    try symbols.rename(at: offset, to: name)
  }

  /// Returns the name of the function at an offset; nil for other names.
  package func functionName(at offset: Int) -> String? {
    guard let here = symbols.occurrence(at: offset), case .function(let id) = here.symbol else {
      return nil
    }
    return String(rules[id].name.text)
  }
}
