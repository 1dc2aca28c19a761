package import RulesEval
package import RulesLang

extension [Annotation] {
  /// Returns the report of a command that could not run, by the name of its schema.
  package func report(_ schema: String) -> JSONText { Self.form(schema).json(self) }

  /// Returns the form of the report of a command that could not run.
  package static func form(_ schema: String) -> JSONForm<[Annotation]> {
    JSONForm("Why nothing could be done.", [.schema(schema), .errors("errors") { $0 }])
  }
}

extension Annotation {
  /// The form of an error.
  fileprivate static let form = JSONForm<Self>(
    "Why something could not be run.",
    [
      .text("file?", "The file of the notice, if there is one.") {
        $0.file.isEmpty ? nil : $0.file
      },
      .text("code", "The code of the error.") { $0.code },
      .text("message", "The message.") { $0.message },
    ], .place(optional: { $0.place.map { .init(line: $0.line, column: $0.column) } }),
    [.text("help?", "How to fix it.") { $0.help }])
}

extension ProjectNotice {
  /// The form of a notice.
  fileprivate static let form = JSONForm<Self>(
    "A notice.",
    [
      .text("file", "The file or folder.") { $0.file },
      .text("code", "The code of the notice.") { $0.code },
      .word("severity", "The severity.", among: ["error", "warning", "info"]) { $0.severity.word },
      .text("message", "The message.") { $0.message },
      .text("help?", "How to fix it.") { $0.help },
    ])
}

extension NewSilence {
  /// The form of a new silence.
  fileprivate static let form = JSONForm<Self>(
    "A comment or a setting.",
    [
      .text("file", "The file.") { $0.file },
      .text("message", "The silenced findings.") { $0.message },
    ], .place(optional: { $0.place.map { .init(line: $0.line, column: $0.column) } }))
}

// Members that several reports have.
extension JSONMember {
  /// Returns the errors of a run, as the last member of a report before its summary.
  package static func errors(
    _ name: String = "errors?", _ read: @escaping @Sendable (Owner) -> [Annotation]
  ) -> JSONMember {
    list(name, "Errors that kept something from running.", of: Annotation.form, read)
  }

  /// Returns the notices of a run.
  package static func notices(
    _ read: @escaping @Sendable (Owner) -> [ProjectNotice]
  ) -> JSONMember {
    list(
      "notices?",
      "Warnings about rules and suites that the run leaves out, or that are not deployed.",
      of: ProjectNotice.form, read)
  }

  /// Returns the comments and settings that silence findings and did not at the older revision.
  package static func silences(
    _ read: @escaping @Sendable (Owner) -> [NewSilence]
  ) -> JSONMember {
    list(
      "newlySilenced?",
      "Comments and settings that silence findings, and did not at the revision of --base.",
      of: NewSilence.form, read)
  }

  /// Returns the database that the rules are deployed to.
  package static func database(
    _ name: String = "database", _ read: @escaping @Sendable (Owner) -> DatabaseName?
  ) -> JSONMember {
    text(name, "The database of the requests.") { read($0).map { String($0.text) } }
  }

  /// The databases that the rules are deployed to, if there are several: the program adds them to its report.
  package static var databases: JSONMember {
    texts("databases?", "The databases, if there are several.", of: "A name.") { _ in nil }
  }

  /// Returns the profile of the evaluator.
  package static func profile(_ read: @escaping @Sendable (Owner) -> Profile) -> JSONMember {
    word("profile", "The profile of the evaluator.", among: Profile.allCases.map { $0.rawValue }) {
      read($0).rawValue
    }
  }

  /// Returns the name of the client; null if it is signed out.
  package static func client(_ read: @escaping @Sendable (Owner) -> String?) -> JSONMember {
    textOrNull("as", "The client; null if signed out.", read)
  }
}

extension Array {
  /// Returns the members of a place.
  package static func place<Owner>(
    _ read: @escaping @Sendable (Owner) -> SourceText.Position
  ) -> Self where Element == JSONMember<Owner> { places.inside(read) }

  /// Returns the members of a place that an object may lack.
  package static func place<Owner>(
    optional read: @escaping @Sendable (Owner) -> SourceText.Position?
  ) -> Self where Element == JSONMember<Owner> { places.inside(optional: read) }
}

private let places: [JSONMember<SourceText.Position>] = [
  .count("line", "The line, from 1.") { $0.line },
  .count("column", "The column, in characters from 1.") { $0.column },
]
