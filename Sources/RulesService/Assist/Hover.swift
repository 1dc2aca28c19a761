package import RulesLang

/// What is to be known of something that somebody points at.
package struct Hover: Sendable {
  /// What it is about.
  package var range: SourceRange
  /// What is to be known, in Markdown.
  package var markdown: String
}

/// Something that can be written at a place.
package struct Completion: Sendable {
  /// What it is.
  package enum Kind: Sendable {
    case variable, constant, function, method, field, module, keyword, type, operation, path, key,
      value
    case code
  }

  /// What it is.
  package var kind: Kind
  /// How it is listed.
  package var label: String
  /// What is shown beside the label.
  package var detail: String
  /// What is to be known of it, in Markdown.
  package var about: String
  /// What writes it.
  package var edit: TextEdit
  /// How many bytes before the end of what is written the caret belongs; nil for its end.
  package var caret: Int?
}

/// What the call around a place takes.
package struct SignatureHelp: Sendable {
  /// One way to call it.
  package struct Signature: Sendable {
    /// The whole signature.
    package var label: String
    /// Where in the label each parameter stands, in bytes.
    package var parameters: [Range<Int>]
    /// What it does.
    package var about: String
  }

  /// The ways to call it.
  package var signatures: [Signature]
  /// The argument at the place, from 0.
  package var argument: Int

  /// The first way that takes so many arguments.
  package var active: Int { signatures.firstIndex { $0.parameters.count > argument } ?? 0 }
}

extension TypeSet {
  /// The types in words: `string or null`; `any` if nothing is known, `error` if there is no value.
  var words: String {
    if isEmpty { return "error" }
    if self == .any { return "any" }
    let words = types.filter { $0 != .null }.map { $0.word } + (contains(.null) ? ["null"] : [])
    return words.joined(separator: " or ")
  }
}

extension Builtin.Entry {
  /// The signatures with what they give, one a line.
  var declarations: [String] {
    overloads.map { overload in
      let owner = receiver.map { $0.word + "." } ?? ""
      let parameters = overload.map { $0.word }.joined(separator: ", ")
      return "\(owner)\(fullName)(\(parameters)): \(result.words)"
    }
  }

  /// The paragraph of Docs/Language.md that says what it does.
  var section: String {
    if builtin.isLookup { return "8.16" }
    if builtin == .debug { return "8.15" }
    switch receiver {
    case .string: return "8.3"
    case .bytes: return "8.4"
    case .list: return "8.5"
    case .map: return builtin == .mapDiff ? "8.7" : "8.6"
    case .mapDiff: return "8.7"
    case .set: return "8.8"
    case .path: return "8.9"
    case .timestamp: return "8.10"
    case .duration: return "8.11"
    case .latlng: return "8.12"
    case .constraint: return "9.6"
    case .null, .bool, .int, .float, .vector, .none: return sectionOfFunction
    }
  }

  private var sectionOfFunction: String {
    switch namespace.map({ String($0) }) {
    case "math": "8.13"
    case "timestamp": "8.10"
    case "duration": "8.11"
    case "latlng": "8.12"
    case "hashing": "8.14"
    default: builtin == .string ? "8.3" : builtin == .path ? "8.9" : "8.2"
    }
  }

  /// What it does, with the paragraph that says more.
  var about: String { "\(summary) (Docs/Language.md §\(section))" }
}
