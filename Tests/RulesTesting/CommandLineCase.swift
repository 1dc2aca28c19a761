import Foundation

/// One run of a program of the package, in one file: the command after `$ `, then `cwd: package`,
/// `env: NAME=VALUE` and `exit: CODE` lines, then sections, each begun by a line `%%% KIND NAME`:
/// `folder` and `file` with a path, `stdin`, `stdout`, `stderr`. A section that does not end in a line
/// feed is begun by `%%%- `. Bytes that are no UTF-8 are not for such files.
///
/// The command runs in a new folder with the files of the case, with `cwd: FOLDER` in a folder inside it,
/// or with `cwd: package` in the folder of the package.
struct CommandLineCase {
  /// A part of the file after its head.
  struct Section {
    /// `file app.rules`, `stdout`.
    var title: String
    var text: String
  }

  /// What a run printed and how it ended.
  struct Result {
    var output: String
    var complaints: String
    var exit: Int32
  }

  /// The command, the program first.
  private(set) var command: [String] = []
  /// The lines between the command and the exit code.
  private var settings: [String] = []
  /// The code that is expected.
  private(set) var exit: Int32 = -1
  private var sections: [Section] = []

  /// The folder with the programs to run, if it is not that of the tests.
  static let programs = Wanted.text("RULES_CHECK_PROGRAMS")

  /// A program that the package has built, beside the tests if no other folder is named.
  static func program(_ name: String) -> URL {
    if let programs { return URL(fileURLWithPath: programs).appendingPathComponent(name) }
    return URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// The program that users have.
  static let program = program("rules-check")

  /// The folder of the package.
  static let package = ConformanceData.tests.deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Reads a case.
  init(_ text: String) {
    var head = true
    for line in text.components(separatedBy: "\n").dropLast() {
      if line.hasPrefix("%%% ") || line.hasPrefix("%%%- ") {
        endSection(isOpen: true)
        head = false
        sections.append(Section(title: line, text: ""))
      } else if !head {
        sections[sections.count - 1].text += line + "\n"
      } else if line.hasPrefix("$ ") {
        command = Self.words(String(line.dropFirst(2)))
      } else if line.hasPrefix("exit: ") {
        exit = Int32(line.dropFirst(6)) ?? -1
      } else {
        settings.append(line)
      }
    }
    endSection(isOpen: false)
  }

  /// Takes the mark off the title of the last section, and its last line feed if it has none.
  private mutating func endSection(isOpen: Bool) {
    guard let last = sections.indices.last else { return }
    if sections[last].title.hasPrefix("%%%- ") { sections[last].text.removeLast() }
    sections[last].title = String(
      sections[last].title.drop { $0 == "%" || $0 == "-" }.dropFirst())
  }

  private func section(_ title: String) -> String? {
    sections.first { $0.title == title }?.text
  }

  /// The text of one of its input files.
  func input(_ name: String) -> String? { section("file " + name) }

  /// Its input files.
  var inputs: [(name: String, text: String)] {
    sections.filter { $0.title.hasPrefix("file ") }.map { (String($0.title.dropFirst(5)), $0.text) }
  }

  /// What it prints if all is well.
  var output: String? { section("stdout") }

  private func values(_ setting: String) -> [String] {
    settings.filter { $0.hasPrefix(setting + ": ") }.map { String($0.dropFirst(setting.count + 2)) }
  }

  /// The case as a file, with what came of a run in place of what was expected.
  func text(with result: Result) -> String {
    var text = "$ " + command.map { Self.quoted($0) }.joined(separator: " ") + "\n"
    for line in settings { text += line + "\n" }
    text += "exit: \(result.exit)\n"
    let inputs = sections.filter { $0.title != "stdout" && $0.title != "stderr" }
    let outputs = [
      Section(title: "stdout", text: result.output),
      Section(title: "stderr", text: result.complaints),
    ].filter { !$0.text.isEmpty }
    for section in inputs + outputs {
      let isEnded = section.text.isEmpty || section.text.hasSuffix("\n")
      text += (isEnded ? "%%% " : "%%%- ") + section.title + "\n" + section.text
      if !isEnded { text += "\n" }
    }
    return text
  }

  /// Writing to a program that has ended is an error of that write, and not the end of all tests.
  static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Runs the command.
  func run() throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(into: folder)
    let process = Process()
    process.executableURL = Self.program(command.first ?? "")
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL =
      switch values("cwd").first {
      case "package": Self.package
      case let inner?: folder.appendingPathComponent(inner)
      case nil: folder
      }
    var environment = ["PATH": "/usr/bin:/bin"]
    for value in values("env") {
      let parts = value.split(separator: "=", maxSplits: 1)
      environment[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    process.environment = environment
    let (input, output, complaints) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    process.standardInput = section("stdin") == nil ? FileHandle.nullDevice : input
    _ = Self.ignoresBrokenPipes
    try process.run()
    if let text = section("stdin") {
      // A command that reads none of it may have ended before it is written.
      try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try input.fileHandleForWriting.close()
    }
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      output: Self.normalized(printed), complaints: Self.normalized(complained),
      exit: process.terminationStatus)
  }

  private func write(into folder: URL) throws {
    for section in sections {
      let words = section.title.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { continue }
      let place = folder.appendingPathComponent(words[1])
      let parent = words[0] == "folder" ? place : place.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      if words[0] == "file" { try Data(section.text.utf8).write(to: place) }
    }
  }

  /// The text with times replaced, which differ from run to run.
  private static func normalized(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
      .replacingOccurrences(
        of: #" time="\d+\.\d\d\d""#, with: " time=\"0.000\"", options: .regularExpression
      )
      .replacingOccurrences(of: #"\d+\.\d ms"#, with: "N ms", options: .regularExpression)
      .replacingOccurrences(
        of: #""milliseconds": [0-9.e-]+"#, with: "\"milliseconds\": N", options: .regularExpression)
  }

  /// The words of a line; those in single quotes are taken as they are, `'\''` is a quote.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let whole = word { words.append(whole) }
        word = nil
      case "\\" where !isQuoted:
        word = (word ?? "") + String(rest.popFirst() ?? "\\")
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  private static func quoted(_ word: String) -> String {
    let plain = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%")
    if !word.isEmpty, word.unicodeScalars.allSatisfy({ plain.contains($0) }) { return word }
    return "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
