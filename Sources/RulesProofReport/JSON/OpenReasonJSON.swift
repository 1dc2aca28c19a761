import RulesEncoding
import RulesEval
import RulesLang
import RulesProof
import RulesReport

/// A reason why something is undecided, in a machine-readable report.
struct OpenReasonJSON: Sendable {
  private let reason: String
  private let file: String?
  private let place: SourceText.Position?

  /// Prepares a reason with its place in a text.
  init(_ openReason: OpenReason, in source: SourceText, namesFile: Bool = false) {
    reason = openReason.reason
    place = openReason.range.map { source.position(of: $0.start) }
    file = namesFile && place != nil ? source.name : nil
  }

  /// The form of a reason.
  static let form = JSONForm<Self>(
    "Why something is undecided.",
    [.text("reason", "The reason.") { $0.reason }, .text("file?", "The file.") { $0.file }],
    .place(optional: { $0.place }))
}

extension JSONMember {
  /// Returns a method.
  static func method(_ read: @escaping @Sendable (Owner) -> Method) -> JSONMember {
    word("method", "The method.", among: Method.allCases.map { $0.word }) { read($0).word }
  }

  /// Returns a list of methods.
  static func methods(
    _ what: String, _ read: @escaping @Sendable (Owner) -> MethodSet
  ) -> JSONMember {
    let word = JSONSchema.word("A method.", among: Method.allCases.map { $0.word })
    return list("methods", what, of: JSONForm(schema: word) { .string($0) }) {
      read($0).methods.map { $0.word }
    }
  }
}
