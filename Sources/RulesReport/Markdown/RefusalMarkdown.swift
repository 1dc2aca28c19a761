import RulesLang

extension [Annotation] {
  /// The errors as a list in Markdown; empty if there are none.
  package var refusedMarkdown: String {
    if isEmpty { return "" }
    return "**Could not be checked**\n\n"
      + map { "- " + Markdown.text($0.sentence) + "\n" }.joined()
  }
}

extension Annotation {
  /// The place and the message, in one line.
  fileprivate var sentence: String {
    let line = place.map { ":\($0.line):\($0.column)" } ?? ""
    // A message about a file alone begins with its name.
    return place == nil && message.hasPrefix(file) ? message : file + line + ": " + message
  }
}
