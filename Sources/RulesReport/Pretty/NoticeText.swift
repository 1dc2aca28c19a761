import RulesLang

extension [ProjectNotice] {
  /// The notices for people, a line or two each.
  func text(_ palette: Palette) -> String {
    reduce("") { text, notice in
      let style: Palette.Style = notice.severity == .info ? .info : .warning
      let mark = palette.paint("\(notice.severity.word)[\(notice.code)]", as: style)
      let help = notice.help.map { "  help: \(Printable.text($0))\n" } ?? ""
      return text + "\(mark): \(Printable.text(notice.message))\n" + help
    }
  }
}

extension [NewSilence] {
  /// The silences for people, a line each.
  func text(_ palette: Palette) -> String {
    let mark = palette.paint("warning[\(NewSilence.code)]", as: .warning)
    return reduce("") { text, silence in
      let place = silence.place.map { ":\($0.line):\($0.column)" } ?? ""
      return text + "\(Printable.text(silence.file))\(place): \(mark): "
        + "\(Printable.text(silence.message))\n"
    }
  }
}
