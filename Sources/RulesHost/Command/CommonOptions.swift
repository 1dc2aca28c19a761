package import RulesLang

/// The options of all commands, and those that several commands share.
package enum CommonOptions {
  // MARK: Every command, unless it says that they have no effect

  /// The names of the options of all commands.
  static let names = [format([]).name, output.name, color.name, quiet.name, help.name]

  /// The report format, for a command with these formats.
  static func format(_ formats: [String]) -> Option<String> {
    Option(
      name: "--format", value: "FORMAT", choices: formats, isRepeatable: true,
      summary: "how to report: \(formats.joined(separator: ", "))"
    ) { text, _ in text }.reachingOut
  }
  /// The file of a report.
  package static let output = Option(
    name: "--output", short: "-o", value: "FILE", isRepeatable: true,
    summary: "the file for the report of the --format before it"
  ).reachingOut
  /// The use of colours.
  package static let color = Option<Terminal.Color>(
    name: "--color", value: "WHEN", summary: "auto, always or never"
  ).reachingOut
  /// The flag to print only what is wrong.
  package static let quiet = Flag(name: "--quiet", short: "-q", summary: "print only what is wrong")
  /// The flag to print help.
  static let help = Flag(name: "--help", short: "-h", summary: "print this help").reachingOut

  /// Returns the options of every command, for one with these formats, in the order of help.
  package static func rows(_ formats: [String]) -> [any OptionRow] {
    [format(formats), output, color, quiet, help]
  }

  // MARK: Several

  /// The implementation whose behaviour is followed.
  package static let profile = profile("behaviour to follow: emulator, testapi or strict")

  /// Returns the option `--profile` with its own line of help.
  package static func profile(_ summary: String) -> Option<Profile> {
    Option(name: "--profile", value: "PROFILE", summary: summary)
  }

  /// The database that the rules are deployed to.
  package static let database = Option<DatabaseName>(
    name: "--database", value: "NAME",
    summary: "the database that the rules are deployed to; that of firebase.json by default",
    parsing: { text in
      let name = DatabaseName(Text(text))
      return name.problem == nil ? name : nil
    },
    refusal: { UsageProblem("`\($1)` needs the name of a database, not `\($0)`") })

  /// Returns the flag that permits an empty input.
  package static func allowEmpty(_ what: String) -> Flag {
    Flag(name: "--allow-empty", summary: "do not fail if there is no \(what)")
  }
}
