package import RulesLang

/// The information for a hover in an editor.
package struct Hover: Sendable {
  /// The range that it describes.
  package var range: SourceRange
  /// The text, in Markdown.
  package var markdown: String
}

/// A completion that an editor offers.
package struct Completion: Sendable {
  /// The kind of a completion.
  package enum Kind: Sendable {
    case variable, constant, function, method, field, module, keyword, type, operation, path, key,
      value
    case code
  }

  /// The kind.
  package var kind: Kind
  /// The label in the list.
  package var label: String
  /// The detail beside the label.
  package var detail: String
  /// The documentation, in Markdown.
  package var about: String
  /// The edit that inserts it.
  package var edit: TextEdit
  /// The caret's position in bytes before the end of the inserted text; nil for its end.
  package var caret: Int?
}

/// The signatures of the call around a position.
package struct SignatureHelp: Sendable {
  /// One signature of a function or method.
  package struct Signature: Sendable {
    /// The text of the signature.
    package var label: String
    /// The range of each parameter in the label, in bytes.
    package var parameters: [Range<Int>]
    /// The documentation.
    package var about: String
  }

  /// The possible signatures.
  package var signatures: [Signature]
  /// The index of the argument at the position.
  package var argument: Int

  /// The index of the first signature with enough parameters.
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
  /// The signatures with result types, one a line.
  var declarations: [String] {
    overloads.map { overload in
      let owner = receiver.map { $0.word + "." } ?? ""
      let parameters = overload.map { $0.word }.joined(separator: ", ")
      return "\(owner)\(fullName)(\(parameters)): \(result.words)"
    }
  }

  /// The section of Docs/Language.md that documents the built-in.
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

  /// The summary, with the section that has more.
  var about: String { "\(summary) (Docs/Language.md §\(section))" }
}
