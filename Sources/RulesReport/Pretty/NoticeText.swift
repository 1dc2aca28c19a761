package import RulesLang

extension [ProjectNotice] {
  /// Returns the notices as text, a line or two each; when quiet only warnings, without their help.
  package func text(_ palette: Palette, isQuiet: Bool = false) -> String {
    if isQuiet {
      return filter { $0.severity >= .warning }.map { $0.withoutHelp(palette) }.joined()
    }
    return reduce("") { text, notice in
      let help = notice.help.map {
        "  help: \(palette.wrapped(Printable.text($0), after: 8, indent: 8))\n"
      }
      return text + notice.withoutHelp(palette) + (help ?? "")
    }
  }
}

extension ProjectNotice {
  /// Returns the notice as text in one line.
  fileprivate func withoutHelp(_ palette: Palette) -> String {
    let style: Palette.Style = severity == .info ? .info : .warning
    let word = "\(severity.word)[\(code)]"
    let said = palette.wrapped(
      Printable.text(message), after: word.utf8.count + 2, indent: 2)
    return "\(palette.paint(word, as: style)): \(said)\n"
  }
}

extension [NewSilence] {
  /// Returns the new silences as text, a line each.
  package func text(_ palette: Palette) -> String {
    let word = "warning[\(NewSilence.code)]"
    return reduce("") { text, silence in
      let place =
        Printable.text(silence.file) + (silence.place.map { ":\($0.line):\($0.column)" } ?? "")
      let said = palette.wrapped(
        Printable.text(silence.message), after: Printable.columns("\(place): \(word): "), indent: 2)
      return text + "\(place): \(palette.paint(word, as: .warning)): \(said)\n"
    }
  }
}
