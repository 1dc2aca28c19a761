import RulesEval
import RulesLang

// Completions in a suite, from the schema that the suite reader's own tables define.

extension SuiteAnalysis {
  /// Returns the completions at an offset.
  package func completions(at offset: Int) -> [Completion] {
    let cursor = JSONCursor(source, at: offset)
    let guide = SchemaGuide(SuiteSchema.json)
    switch cursor.slot {
    case .nothing: return []
    case .key(let range):
      var offers = guide.keys(at: cursor.path, around: cursor.keysAround)
      if offers.isEmpty { return [] }
      offers.sort { isUsual($0.text) && !isUsual($1.text) }
      return offers.map { key($0, replacing: range, hasColon: hasColon(behind: range)) }
    case .value(let range, _):
      let offers =
        guide.values(at: cursor.path, around: cursor.keysAround) + known(at: cursor.path, cursor)
      return offers.map { offer in
        Completion(
          kind: .value, label: offer.text, detail: "", about: offer.about,
          edit: TextEdit(range, text: offer.isBare ? offer.text : Self.quoted(offer.text)))
      }
    }
  }

  /// Returns the hover of the key or value at an offset.
  package func hover(at offset: Int) -> Hover? {
    let cursor = JSONCursor(source, at: offset)
    let guide = SchemaGuide(SuiteSchema.json)
    switch cursor.slot {
    case .nothing: return nil
    case .key(let range):
      guard !range.isEmpty else { return nil }
      let key = source.string(range).filter { $0 != "\"" }
      guard let about = guide.about(cursor.path + [.key(key)], around: cursor.keysAround) else {
        return nil
      }
      return Hover(range: range, markdown: "`\"\(key)\"`: \(about)")
    case .value(let range, _):
      guard !range.isEmpty,
        let about = guide.about(cursor.path, around: cursor.keysAround)
      else { return nil }
      return Hover(range: range, markdown: about)
    }
  }

  private func isUsual(_ key: String) -> Bool { key != "$schema" && key != "description" }

  private func key(_ offer: SchemaGuide.Offer, replacing range: SourceRange, hasColon: Bool)
    -> Completion
  {
    let closing = ["\"": "\"", "{": "}", "[": "]"][offer.opening] ?? ""
    let rest = hasColon ? "" : ": " + offer.opening
    return Completion(
      kind: .key, label: offer.text, detail: "", about: offer.about,
      edit: TextEdit(range, text: Self.quoted(offer.text) + rest + (hasColon ? "" : closing)),
      caret: hasColon ? nil : closing.utf8.count)
  }

  private func hasColon(behind range: SourceRange) -> Bool {
    var index = Int(range.end)
    while index < source.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(source.bytes[index]) {
      index += 1
    }
    return index < source.bytes.count && source.bytes[index] == UInt8(ascii: ":")
  }

  /// Returns completions of names in the suite: users after `as`, stored documents for a path.
  private func known(at path: [JSONCursor.Step], _ cursor: JSONCursor) -> [SchemaGuide.Offer] {
    let key = path.last { step in
      if case .key = step { return true }
      return false
    }
    guard case .key(let name)? = key else { return [] }
    func offers(_ outer: String, _ about: String) -> [SchemaGuide.Offer] {
      (cursor.keysBelow[outer] ?? []).map { SchemaGuide.Offer(text: $0, about: about) }
    }
    switch name {
    case "as": return offers("users", "A user of the suite.")
    case "get", "update", "set", "delete": return offers("documents", "A stored document.")
    default: return []
    }
  }

  private static func quoted(_ text: String) -> String { JSONText.string(text).compact }
}
