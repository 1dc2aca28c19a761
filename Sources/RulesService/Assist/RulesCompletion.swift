import RulesLang
import RulesStyle

extension RulesAnalysis {
  /// Returns the completions at an offset. The text behind it may be anything.
  package func completions(at offset: Int) -> [Completion] {
    RulesCompletion(self, at: offset).items
  }
}

/// Computes the completions at a position in rules.
struct RulesCompletion {
  private let analysis: RulesAnalysis
  private let offset: Int
  private let place: TypingPlace
  private var tokens: TokenList { analysis.tokens }
  private var rules: Ruleset { analysis.rules }

  init(_ analysis: RulesAnalysis, at offset: Int) {
    self.analysis = analysis
    self.offset = offset
    place = TypingPlace(offset, in: analysis.tokens)
  }

  /// Returns the kind of the token `back` tokens before the position.
  private func kind(_ back: Int) -> TokenKind? {
    place.before >= back ? tokens.tokens[place.before - back].kind : nil
  }

  private func text(_ back: Int) -> String {
    place.before >= back ? tokens.text(place.before - back) : ""
  }

  /// The completions, the most likely first.
  var items: [Completion] {
    if let comment = tokens.comment(at: offset) { return directives(in: comment) }
    if let string = string { return fields.map { item(.field, $0, replacing: string) } }
    if let path = path { return paths(from: path) }
    if kind(1) == .dot { return members }
    if kind(1) == .is {
      return TypeWord.allCases.map { item(.type, $0.spelling) }
    }
    if isInOperations { return operations }
    if isAtStatement { return statements }
    switch place.block {
    case .capture: return []
    case .file, .service:
      return []
    case .match, .function, .map: break
    }
    if place.block == .match, tokens.tokens[place.statement].kind != .allow { return [] }
    return expressions
  }

  // MARK: Making items

  private func item(
    _ kind: Completion.Kind, _ label: String, _ detail: String = "", about: String = "",
    writing text: String? = nil, caret: Int? = nil, replacing range: SourceRange? = nil
  ) -> Completion {
    Completion(
      kind: kind, label: label, detail: detail, about: about,
      edit: TextEdit(range ?? place.word, text: text ?? label), caret: caret)
  }

  private func call(_ entry: Builtin.Entry, _ kind: Completion.Kind) -> Completion {
    let takesNothing = entry.overloads.allSatisfy { $0.isEmpty }
    return item(
      kind, entry.receiver == nil ? entry.fullName : String(entry.name),
      entry.declarations.first ?? "", about: entry.about,
      writing: (entry.receiver == nil ? entry.fullName : String(entry.name)) + "()",
      caret: takesNothing ? nil : 1)
  }

  // MARK: Comments and strings

  private func directives(in comment: SourceRange) -> [Completion] {
    let written = analysis.source.string(SourceRange(start: Int(comment.start), end: offset))
    guard written.hasPrefix("//") else { return [] }
    let text = written.dropFirst(2).drop { $0 == " " }
    var start = offset
    while start > Int(comment.start),
      ![0x20, 0x2F, 0x09].contains(analysis.source.bytes[start - 1])
    {
      start -= 1
    }
    let word = SourceRange(start: start, end: offset)
    if text.hasPrefix("rules-check: ignore ") {
      let isCode = !text.dropFirst("rules-check: ignore ".count).contains(" ")
      guard isCode else { return [] }
      return Lints.all.map { item(.code, $0.code.name, $0.summary, replacing: word) }
    }
    if text.hasPrefix("rules-check: fmt ") {
      return ["off", "on"].map { item(.keyword, $0, replacing: word) }
    }
    if text.hasPrefix("rules-check: ") {
      return ["ignore", "fmt"].map { item(.keyword, $0, replacing: word) }
    }
    guard "rules-check:".hasPrefix(String(text)) else { return [] }
    return [item(.keyword, "rules-check: ignore", replacing: word)]
  }

  /// The inside of the string at the position; nil if there is none, or if it cannot be a field name.
  private var string: SourceRange? {
    guard let index = tokens.index(at: offset), tokens.tokens[index].kind == .string else {
      return nil
    }
    let range = tokens.tokens[index].range
    guard Int(range.start) < offset, offset < Int(range.end), place.block != .file else {
      return nil
    }
    return SourceRange(start: range.start + 1, end: range.end - 1)
  }

  /// The document fields that the rules mention, in the order of their first mention.
  private var fields: [String] {
    var found: [String] = []
    func add(_ name: Text) {
      let text = String(name)
      if !text.isEmpty, !found.contains(text) { found.append(text) }
    }
    for node in rules.expressions {
      switch node.kind {
      case .member(let base, let name):
        if case .member(_, let data) = rules[base].kind, data.text == "data" { add(name.text) }
      case .method(_, let name, let arguments):
        let isAboutKeys = ["hasOnly", "hasAll", "hasAny"].contains { name.text == $0 }
        guard isAboutKeys, let first = arguments.first, case .list(let keys) = rules[first].kind
        else { continue }
        for key in keys {
          if case .literal(.string(let text)) = rules[key].kind { add(text) }
        }
      default: continue
      }
    }
    return found
  }

  // MARK: Members

  private var members: [Completion] {
    let isBare = kind(3) != .dot
    if kind(2) == .identifier, isBare, Builtins.namespaces.contains(Text(text(2))) {
      let space = Text(text(2))
      return Builtins.table.filter { $0.receiver == nil && $0.namespace == space }.map { entry in
        let name = String(entry.name)
        return item(
          .function, name, entry.declarations.first ?? "", about: entry.about, writing: name + "()",
          caret: 1)
      }
    }
    let receiver = Receiver(analysis.source, word: place.word)
    var found: [Completion] = []
    if let record = receiver.record {
      found = record.members.map { member in
        item(.field, String(member.name), member.types.words)
      }
      if record != .token { return found }
    }
    if receiver.isData {
      found += fields.map { item(.field, $0, "a field that the rules mention") }
    }
    return found + methods(of: receiver.types)
  }

  private func methods(of types: TypeSet) -> [Completion] {
    var found: [Completion] = []
    for entry in Builtins.table {
      guard let owner = entry.receiver, types.contains(owner) else { continue }
      let name = String(entry.name)
      if let same = found.firstIndex(where: { $0.label == name }) {
        found[same].detail += " | " + (entry.declarations.first ?? "")
        found[same].caret = entry.overloads.contains { !$0.isEmpty } ? 1 : found[same].caret
      } else {
        found.append(call(entry, .method))
      }
    }
    return found
  }

  // MARK: Statements

  private var isInOperations: Bool {
    guard place.block == .match, place.statement < place.before,
      tokens.tokens[place.statement].kind == .allow
    else { return false }
    return kind(1) == .allow || (kind(1) == .comma && !hasColon)
  }

  private var hasColon: Bool {
    tokens.tokens[place.statement..<place.before].contains { $0.kind == .colon }
  }

  private var operations: [Completion] {
    Operation.words.map { word in
      let methods = Operation.methods(of: Text(word))?.methods ?? []
      return item(.operation, word, methods.map { $0.word }.joined(separator: ", "))
    }
  }

  private var isAtStatement: Bool {
    switch kind(1) {
    case nil, .semicolon: true
    case .leftBrace: place.block != .map && place.block != .capture
    case .rightBrace: place.block != .map && place.statement == place.before
    default: false
    }
  }

  private var statements: [Completion] {
    func snippet(_ word: String, _ text: String, caret: Int) -> Completion {
      item(.keyword, word, writing: text, caret: caret)
    }
    let function = snippet(
      "function", "function () {\n  return ;\n}", caret: "() {\n  return ;\n}".count)
    switch place.block {
    case .file:
      return [
        item(.keyword, "rules_version", writing: "rules_version = '2';"),
        snippet(
          "service",
          "service cloud.firestore {\n  match /databases/{database}/documents {\n    \n  }\n}",
          caret: "\n  }\n}".count),
        function,
      ]
    case .service: return [snippet("match", "match / {\n}", caret: " {\n}".count), function]
    case .match:
      return [
        snippet("allow", "allow : if ;", caret: ": if ;".count),
        snippet("match", "match / {\n}", caret: " {\n}".count), function,
      ]
    case .function:
      return [item(.keyword, "return", writing: "return "), item(.keyword, "let", writing: "let ")]
    case .map, .capture: return []
    }
  }

  // MARK: Expressions

  private var expressions: [Completion] {
    var found = Set(place.names).sorted().map { item(.variable, $0) }
    found.append(
      item(
        .variable, "request", "the request",
        about: "The request: its operation, path, client "
          + "and data."))
    found.append(item(.variable, "resource", "the stored document"))
    let owner = Enclosing(offset, in: rules).owner
    for id in analysis.names.functions(in: owner) {
      let function = rules[id]
      let name = String(function.name.text)
      let parameters = function.parameters.map { String($0.text) }.joined(separator: ", ")
      found.append(
        item(
          .function, name, "\(name)(\(parameters))",
          about: rules.commentLines(above: function.range).joined(separator: "\n"),
          writing: name + "()", caret: parameters.isEmpty ? nil : 1))
    }
    for entry in Builtins.table where entry.receiver == nil && entry.namespace == nil {
      if entry.builtin == .debug, !analysis.settings.profile.hasDebug { continue }
      found.append(call(entry, .function))
    }
    found += Builtins.namespaces.map { item(.module, String($0), writing: String($0) + ".") }
    found += ["true", "false", "null"].map { item(.constant, $0) }
    return found
  }

  // MARK: Paths

  /// The start of the path that is being typed; nil if there is none.
  private var path: Int? {
    let bytes = analysis.source.bytes
    guard place.block == .match || place.block == .function || place.block == .map else {
      return nil
    }
    var index = offset
    var depth = 0
    while index > 0 {
      let byte = bytes[index - 1]
      if byte == UInt8(ascii: ")") { depth += 1 }
      if byte == UInt8(ascii: "(") {
        if depth == 0 { break }
        depth -= 1
      }
      if depth == 0, [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3B, 0x5B, 0x3D].contains(byte) { break }
      index -= 1
    }
    guard index < offset, bytes[index] == UInt8(ascii: "/"),
      !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"))
    else { return nil }
    return index
  }

  private func paths(from start: Int) -> [Completion] {
    let range = SourceRange(start: start, end: offset)
    let isPattern =
      place.statement < tokens.tokens.count && tokens.tokens[place.statement].kind == .match
      && place.block == .match
    if isPattern {
      return ["/{document}", "/{document=**}"].map { item(.path, $0, replacing: range) }
    }
    var found: [String] = []
    for index in rules.matches.indices {
      var text = ""
      for step in analysis.names.matches[index].pattern {
        switch step {
        case .literal(let name): text += "/" + String(name)
        case .capture(let slot):
          let name = String(analysis.names.matches[index].captures[Int(slot)].text)
          text += "/$(\(name))"
        case .glob: break
        }
      }
      let steps = analysis.names.matches[index].pattern
      let hasGlob = steps.contains { step in
        if case .glob = step { return true }
        return false
      }
      if steps.count > 3, steps.count % 2 == 1, !hasGlob, !found.contains(text) {
        found.append(text)
      }
    }
    return found.map { item(.path, $0, "a document of these rules", replacing: range) }
  }
}

/// The receiver of a member that is being typed.
private struct Receiver {
  /// The record type of the receiver; nil for other receivers.
  var record: Record?
  /// The possible types.
  var types = TypeSet.any
  /// True if it is the data of a document.
  var isData = false

  /// The name inserted for the member that is still to be typed.
  private static let placeholder = "rules_check_placeholder"

  init(_ source: SourceText, word: SourceRange) {
    let text = source.applying([TextEdit(word, text: Self.placeholder)])
    let names = NameTable(Parser.parse(text).ruleset)
    let rules = names.ruleset
    for node in rules.expressions {
      guard case .member(let base, let name) = node.kind, name.range.start == word.start else {
        continue
      }
      record = names.record(base) ?? Self.document(base, in: names)
      types = names.types[base.index]
      if case .member(_, let inner) = rules[base].kind { isData = inner.text == "data" }
      return
    }
  }

  /// Returns the record of a document that is looked up, which has the members of `resource`; nil for other
  /// expressions.
  private static func document(_ id: ExprID, in names: NameTable) -> Record? {
    if case .builtin(.get) = names.binding(id) { return .resource }
    if case .builtin(.getAfter) = names.binding(id) { return .resource }
    return nil
  }
}
