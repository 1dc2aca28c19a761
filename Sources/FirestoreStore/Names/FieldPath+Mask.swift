public import RulesEval
public import RulesLang

extension FieldPath {
  /// Reads a field path of masks, transforms and queries: names `[a-zA-Z_][a-zA-Z_0-9]*`, and other names in
  /// back-quotes, within which `\` escapes the next character.
  public init(mask text: Text) throws(Refusal) {
    if text.isEmpty { throw .invalidArgument("Invalid empty property path string.") }
    if text.bytes.count > Impossibility.longestName {
      throw .invalidArgument(
        "property path is longer than \(Impossibility.longestName) bytes.")
    }
    guard let names = Self.names(of: text.bytes) else {
      throw .invalidArgument(
        "Invalid property path \"\(Refusal.quoting(text))\". Unquoted property paths must match regex "
          + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
          + #"(`(?:[^`\\]|(?:\\.))+`)"#)
    }
    if names.count > Self.mostNames {
      throw .invalidArgument("paths must have at most \(Self.mostNames) elements")
    }
    if names.count > 1, names.contains("__name__") { throw .reservedKey }
    for name in names where name.isReserved && name != "__name__" {
      throw .invalidArgument("Invalid reserved name in field path \(Refusal.quoting(name))")
    }
    self.init(names)
  }

  /// Maximum names of a path (Docs/Emulator.md, Field paths).
  private static let mostNames = 20

  /// Returns the names of a path; nil if the text is malformed.
  private static func names(of bytes: [UInt8]) -> [Text]? {
    var names: [Text] = []
    var place = 0
    while true {
      let isQuoted = place < bytes.count && bytes[place] == UInt8(ascii: "`")
      guard let name = isQuoted ? quoted(bytes, &place) : plain(bytes, &place) else { return nil }
      names.append(name)
      if place == bytes.count { return names }
      guard bytes[place] == UInt8(ascii: ".") else { return nil }
      place += 1
    }
  }

  private static func plain(_ bytes: [UInt8], _ place: inout Int) -> Text? {
    let start = place
    while place < bytes.count, isPlain(bytes[place], isFirst: place == start) { place += 1 }
    return place == start ? nil : Text(wellFormed: Array(bytes[start..<place]))
  }

  private static func isPlain(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !isFirst
    default: false
    }
  }

  private static func quoted(_ bytes: [UInt8], _ place: inout Int) -> Text? {
    var name: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "`") { return name.isEmpty ? nil : Text(wellFormed: name) }
      guard byte == UInt8(ascii: "\\") else {
        name.append(byte)
        continue
      }
      guard place < bytes.count else { return nil }
      name.append(bytes[place])
      place += 1
    }
    return nil
  }
}
