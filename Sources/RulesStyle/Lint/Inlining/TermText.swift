import RulesLang

/// Writes terms as source text for a block of its own, with all functions inlined.
struct TermText {
  private let terms: InlinedTerms
  /// The steps of the block's pattern.
  private let pattern: [PatternStep]
  /// True to write `resource` where the term has `request.resource`.
  private var isAboutStored = false
  /// Number of expressions written so far.
  private var count = 0

  /// Prepares for a block with a pattern.
  ///
  /// - Requires: The pattern has no glob.
  init(_ terms: InlinedTerms, in pattern: [PatternStep]) {
    self.terms = terms
    self.pattern = pattern
  }

  /// Returns a whole rules file of one block with some statements; nil if its pattern cannot be written.
  static func file(
    of pattern: [PatternStep], version: String, _ statements: [(methods: MethodSet, text: String)]
  ) -> String? {
    var path = ""
    for (place, step) in pattern.enumerated() {
      switch step {
      case .capture: path += "/{\(name(place))}"
      case .literal(let text):
        guard isPlain(text) else { return nil }
        path += "/" + String(text)
      case .glob: return nil
      }
    }
    var file = "rules_version = '\(version)';\nservice cloud.firestore {\nmatch \(path) {\n"
    for (methods, text) in statements {
      file += "allow \(methods.methods.map { $0.word }.joined(separator: ", ")): if \(text);\n"
    }
    // An empty match block does not compile.
    return file + "allow read, write: if false;\n}\n}\n"
  }

  /// Returns the conjunction of some terms; nil if one cannot be written, or if evaluating all of it could
  /// exceed the limit of expressions, so that the text would decide otherwise than the rules.
  mutating func conjunction(_ parts: [InlinedTerms.Term], aboutStored: Bool = false) -> String? {
    isAboutStored = aboutStored
    var texts: [String] = []
    for part in parts {
      guard let text = text(part), count <= Limits.expressions else { return nil }
      texts.append(text)
    }
    return texts.isEmpty ? "true" : texts.joined(separator: " && ")
  }

  private static func name(_ place: Int) -> String { "c\(place)" }

  /// True if a segment can be written in a path as it is.
  private static func isPlain(_ text: Text) -> Bool {
    !text.bytes.isEmpty
      && text.bytes.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
  }

  /// Returns the text of a term. Recurses as deeply as conditions nest, which the parser and the depth of
  /// calls limit.
  private mutating func text(_ term: InlinedTerms.Term) -> String? {
    count += 1
    if count > Limits.expressions { return nil }
    if isAboutStored, terms.isWritten(term) { return "resource" }
    switch terms[term] {
    case .literal(let literal): return literal.rulesText
    case .request: return "request"
    case .resource: return "resource"
    case .capture(let place): return capture(place)
    case .run, .opaque: return nil
    case .list(let elements): return list(elements).map { "[\($0)]" }
    case .map(let entries): return map(entries)
    case .path(let segments): return path(segments)
    case .not(let operand): return text(operand).map { "!(\($0))" }
    case .negate(let operand): return text(operand).map { "-(\($0))" }
    case .binary(let symbol, let left, let right):
      guard let left = text(left), let right = text(right) else { return nil }
      return "(\(left) \(symbol.symbol) \(right))"
    case .isType(let operand, let word): return text(operand).map { "(\($0) is \(word.spelling))" }
    case .conditional(let question, let one, let other):
      guard let question = text(question), let one = text(one), let other = text(other) else {
        return nil
      }
      return "(\(question) ? \(one) : \(other))"
    case .member(let base, let name): return text(base).map { "\($0).\(String(name))" }
    case .index(let base, let key):
      guard let base = text(base), let key = text(key) else { return nil }
      return "\(base)[\(key)]"
    case .slice: return nil
    case .method(let receiver, let name, let arguments):
      guard let base = text(receiver), let list = list(arguments) else { return nil }
      return "\(base).\(String(name))(\(list))"
    case .builtin(let builtin, let arguments):
      return list(arguments).map { "\(Builtins.entry(builtin).fullName)(\($0))" }
    }
  }

  private func capture(_ place: Int) -> String? {
    let index = place < 0 ? pattern.count + place : place
    guard pattern.indices.contains(index) else { return nil }
    switch pattern[index] {
    case .literal(let text): return text.literal
    case .capture: return Self.name(index)
    case .glob: return nil
    }
  }

  private mutating func list(_ elements: [InlinedTerms.Term]) -> String? {
    var texts: [String] = []
    for element in elements {
      guard let text = text(element) else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  private mutating func map(_ entries: [InlinedTerms.Term]) -> String? {
    var texts: [String] = []
    for place in stride(from: 0, to: entries.count, by: 2) {
      guard let key = text(entries[place]), let value = text(entries[place + 1]) else { return nil }
      texts.append("\(key): \(value)")
    }
    return "{\(texts.joined(separator: ", "))}"
  }

  private mutating func path(_ segments: [InlinedTerms.Segment]) -> String? {
    var text = ""
    for segment in segments {
      switch segment {
      case .literal(let literal):
        guard Self.isPlain(literal) else { return nil }
        text += "/" + String(literal)
      case .value(let value):
        guard let value = self.text(value) else { return nil }
        text += "/$(\(value))"
      }
    }
    return text
  }
}
