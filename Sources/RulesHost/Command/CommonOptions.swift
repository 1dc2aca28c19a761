package import RulesLang

/// The options that all commands have, and those that several share.
package enum CommonOptions {
  // MARK: Every command

  /// How to report, for a command with these formats.
  static func format(_ formats: [String]) -> Option<String> {
    Option(
      name: "--format", value: "FORMAT", choices: formats, isRepeatable: true,
      summary: "how to report: \(formats.joined(separator: ", "))"
    ) { text, _ in text }
  }
  /// Where reports go.
  package static let output = Option(
    name: "--output", short: "-o", value: "FILE", isRepeatable: true,
    summary: "where the report of the --format before it goes")
  /// When there are colours.
  static let color = Option<Terminal.Color>(
    name: "--color", value: "WHEN", summary: "auto, always or never")
  /// Whether only what is wrong is printed.
  static let quiet = Flag(name: "--quiet", short: "-q", summary: "print only what is wrong")
  /// Whether help is all that is wanted.
  static let help = Flag(name: "--help", short: "-h", summary: "print this help")

  // MARK: Several

  /// Whose behaviour is followed.
  package static let profile = profile("whose behaviour to follow: emulator, testapi or strict")

  /// The same with other words.
  package static func profile(_ summary: String) -> Option<Profile> {
    Option(name: "--profile", value: "PROFILE", summary: summary)
  }

  /// The database that is decided.
  package static let database = Option<DatabaseName>(
    name: "--database", value: "NAME",
    summary: "the database that the rules are deployed to; that of firebase.json by default",
    parsing: { text in
      let name = DatabaseName(Text(text))
      return name.problem == nil ? name : nil
    },
    refusal: { UsageProblem("`\($1)` needs the name of a database, not `\($0)`") })

  /// Whether there may be none of what a command is about.
  package static func allowEmpty(_ what: String) -> Flag {
    Flag(name: "--allow-empty", summary: "no \(what) at all is no problem")
  }
}
