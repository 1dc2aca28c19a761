import RulesLang

/// The declarations that enclose a position in rules.
struct Enclosing {
  /// The function around it.
  var function: FunctionID?
  /// The statement around it.
  var allow: AllowID?
  /// The innermost block around it.
  var owner = ScopeOwner.file

  /// Finds them for an offset.
  init(_ offset: Int, in rules: Ruleset) {
    let place = UInt32(offset)
    func holds(_ range: SourceRange) -> Bool { range.start < place && place <= range.end }
    if let service = rules.services.firstIndex(where: { holds($0.range) }) {
      owner = .service(service)
    }
    // Blocks come after those around them.
    for (index, match) in rules.matches.enumerated() where holds(match.range) {
      owner = .match(MatchID(index))
    }
    if let index = rules.functions.lastIndex(where: { holds($0.range) }) {
      function = FunctionID(index)
      owner = rules.functions[index].owner
    }
    allow = rules.allows.lastIndex { holds($0.range) }.map { AllowID($0) }
  }
}

extension Ruleset {
  /// Returns the path pattern of a block with those of all blocks around it, as written.
  func fullPattern(of match: MatchID) -> String {
    var text = ""
    var place: MatchID? = match
    while let here = place {
      text = source.string(self[here].patternRange) + text
      place = self[here].parent
    }
    return text
  }

  /// Returns the `//` comments directly above a declaration, without their slashes.
  func commentLines(above range: SourceRange) -> [String] {
    var lines: [String] = []
    var number = source.line(of: range.start) - 1
    while number > 0 {
      let line = source.string(source.lineRange(number)).drop { $0 == " " || $0 == "\t" }
      guard line.hasPrefix("//"), !line.hasPrefix("// rules-check:") else { break }
      let text = line.drop { $0 == "/" }
      lines.append(String(text.hasPrefix(" ") ? text.dropFirst() : text))
      number -= 1
    }
    return lines.reversed()
  }
}
