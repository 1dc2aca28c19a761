extension PatternParser {
  /// Reads a group, or flags in parentheses; the next code point is `(`.
  mutating func parseGroup(into items: inout Items) throws(PatternError) {
    let start = index
    index += 1
    let outer = flags
    var capture: Int?
    if peek != "?" {
      capture = syntax.groupNames.count
      syntax.groupNames.append(nil)
    } else if startsWith("?P<") || startsWith("?<") {
      capture = try parseGroupName()
    } else {
      index += 1
      // Flags alone stay in force to the end of the group around them.
      if try parseFlags() { return }
    }
    let inner = try parseAlternation()
    guard take(")") else { throw error(.unbalancedParenthesis, at: start) }
    flags = outer
    guard let capture else { return items.nodes.append(inner) }
    items.nodes.append(syntax.add(.capture(inner, PatternSyntax.GroupID(capture))))
  }

  /// Reads `?P<name>` or `?<name>` and numbers the group.
  private mutating func parseGroupName() throws(PatternError) -> Int {
    let start = index
    while !take("<") { index += 1 }
    var name: [UInt8] = []
    while let point = peek, Self.isWordCharacter(point) {
      name.append(UInt8(point.value))
      index += 1
    }
    if name.isEmpty || !take(">") { throw error(.badGroup, at: start) }
    if syntax.groupNames.contains(name) { throw error(.duplicateGroupName, at: start) }
    syntax.groupNames.append(name)
    return syntax.groupNames.count - 1
  }

  /// Reads `ims-U:` or `ims-U)`; returns whether it was flags alone. At least one flag follows
  /// a `-`.
  private mutating func parseFlags() throws(PatternError) -> Bool {
    let start = index
    var isOn = true
    var isComplete = true
    while let point = peek {
      index += 1
      switch point {
      case "i": flags.ignoresCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.dotMatchesLineFeed = isOn
      case "U": flags.isLazy = isOn
      case "-" where isOn:
        isOn = false
        isComplete = false
        continue
      case ":" where isComplete: return false
      case ")" where isComplete: return true
      default: throw error(.badGroup, at: start)
      }
      isComplete = true
    }
    throw error(.badGroup, at: start)
  }

  private static func isWordCharacter(_ point: Point) -> Bool {
    point.value < 0x80 && NamedClass.word.contains(point.value)
  }
}
