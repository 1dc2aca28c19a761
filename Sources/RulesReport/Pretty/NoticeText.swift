package import RulesLang

extension [ProjectNotice] {
  /// Returns the notices as text, a line or two each; when quiet only warnings, without their help.
  package func text(_ palette: Palette, isQuiet: Bool = false) -> String {
    if isQuiet {
      return filter { $0.severity >= .warning }.map { $0.withoutHelp(palette) }.joined()
    }
    return reduce("") { text, notice in
      let help = notice.help.map { "  help: \(Printable.text($0))\n" } ?? ""
      return text + notice.withoutHelp(palette) + help
    }
  }
}

extension ProjectNotice {
  /// Returns the notice as text in one line.
  fileprivate func withoutHelp(_ palette: Palette) -> String {
    let style: Palette.Style = severity == .info ? .info : .warning
    let mark = palette.paint("\(severity.word)[\(code)]", as: style)
    return "\(mark): \(Printable.text(message))\n"
  }
}

extension [NewSilence] {
  /// Returns the new silences as text, a line each.
  package func text(_ palette: Palette) -> String {
    let mark = palette.paint("warning[\(NewSilence.code)]", as: .warning)
    return reduce("") { text, silence in
      let place = silence.place.map { ":\($0.line):\($0.column)" } ?? ""
      return text + "\(Printable.text(silence.file))\(place): \(mark): "
        + "\(Printable.text(silence.message))\n"
    }
  }
}
