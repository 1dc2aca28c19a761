import RulesLang

/// The reason why a name cannot be changed, in one sentence.
package struct RenameRefusal: Error, Sendable {
  /// The sentence, lower case, no full stop.
  package var reason: String
}

extension SymbolIndex {
  /// Returns the edits that rename the symbol at an offset.
  ///
  /// Sound: the changed text is parsed again, and every name in it must refer to the same symbol as before;
  /// else the reason is thrown. Of a text that does not compile only the parsed part is considered.
  func rename(at offset: Int, to name: String) throws(RenameRefusal) -> [TextEdit] {
    guard let here = occurrence(at: offset) else {
      throw RenameRefusal(reason: "there is no name here")
    }
    guard here.symbol.isDeclared, let declared = declaration(of: here.symbol) else {
      throw RenameRefusal(
        reason: "`\(rules.source.string(here.range))` is not declared in this file")
    }
    let old = rules.source.string(declared)
    try check(name, for: here.symbol)
    if name == old { return [] }
    let edits = places(of: here.symbol).map { TextEdit($0.range, text: name) }
    let renamed = Parser.parse(rules.source.applying(edits)).ruleset
    try compare(SymbolIndex(NameTable(renamed)), renaming: here.symbol, edits: edits, to: name)
    return edits
  }

  private func check(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    let tokens = TokenList(SourceText(name: "", name)).tokens
    let isName =
      tokens.count == 2 && tokens[0].kind.isName && tokens[0].range.count == name.utf8.count
    guard isName else { throw RenameRefusal(reason: "`\(name)` is not a name") }
    if case .function = symbol { return }
    if Builtins.namespaces.contains(Text(name)) {
      throw RenameRefusal(reason: "`\(name)` is a package and cannot be used as variable name")
    }
  }

  /// Throws if a name in the changed text refers to another symbol than in this one.
  private func compare(
    _ other: SymbolIndex, renaming symbol: Symbol, edits: [TextEdit], to name: String
  ) throws(RenameRefusal) {
    guard other.occurrences.count == occurrences.count else {
      throw RenameRefusal(reason: "`\(name)` would change what other names mean")
    }
    var before = 0
    var shift = 0
    for (own, changed) in zip(occurrences, other.occurrences) {
      while before < edits.count, edits[before].range.start < own.range.start {
        shift += name.utf8.count - edits[before].range.count
        before += 1
      }
      let isSame =
        moved(own.symbol, by: edits, to: name) == changed.symbol
        && Int(own.range.start) + shift == Int(changed.range.start)
        && own.isDeclaration == changed.isDeclaration
      guard isSame else {
        let line = rules.source.line(of: own.range.start)
        let text = rules.source.string(own.range)
        throw RenameRefusal(
          reason: "`\(name)` would change what `\(text)` means on line \(line)")
      }
    }
  }

  /// Returns the symbol with its place after the edits.
  private func moved(_ symbol: Symbol, by edits: [TextEdit], to name: String) -> Symbol {
    guard case .capture(let match, let start) = symbol else { return symbol }
    let shift = edits.reduce(0) { sum, edit in
      edit.range.start < start ? sum + name.utf8.count - edit.range.count : sum
    }
    return .capture(match, UInt32(Int(start) + shift))
  }
}
