import Foundation
import Testing

@testable import RulesTesting

/// `check --fix`: what is written, and when nothing is.
@Suite struct FixTests {
  /// A folder with one rules file.
  private struct Folder {
    let url: URL
    var file: URL { url.appendingPathComponent("app.rules") }
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    init(_ text: String) throws {
      url = FileManager.default.temporaryDirectory
        .appendingPathComponent("rules-check-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func fix(_ options: String...) throws -> (output: String, exit: Int32) {
      let process = Process()
      process.executableURL = CommandLineCase.program
      process.arguments = ["check", "--fix"] + options
      process.currentDirectoryURL = url
      let output = Pipe()
      process.standardOutput = output
      process.standardError = Pipe()
      try process.run()
      let printed = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (String(decoding: printed, as: UTF8.self), process.terminationStatus)
    }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    func attribute(_ key: FileAttributeKey) throws -> NSObject? {
      try FileManager.default.attributesOfItem(atPath: file.path)[key] as? NSObject
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
  }

  private static func input(_ name: String) throws -> String {
    try String(
      contentsOf: Golden.folder("fix").appendingPathComponent(name), encoding: .utf8)
  }

  @Test func onlyWhatIsIdleGoesAndTheRestStaysAsItIs() throws {
    let folder = try Folder(Self.input("layout.rules"))
    defer { folder.remove() }
    let fixed = try folder.fix("app.rules")
    Golden.expect(folder.text, in: Golden.folder("fix").appendingPathComponent("layout.fixed"))
    Golden.expect(fixed.output, in: Golden.folder("fix").appendingPathComponent("layout.output"))
    #expect(folder.names == ["app.rules"])
    // What is left is not removable, so a second run changes nothing.
    let once = folder.text
    let stamp = try folder.attribute(.systemFileNumber)
    let again = try folder.fix("app.rules")
    #expect(folder.text == once)
    #expect(try folder.attribute(.systemFileNumber) == stamp)
    #expect(!again.output.contains("removed"))
  }

  @Test func aFileFromWhichNothingGoesIsNotWritten() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents/a/{b} {
        allow get: if request.auth != null && request.auth.uid == b;
      } }

      """
    let folder = try Folder(text)
    defer { folder.remove() }
    let stamp = try folder.attribute(.systemFileNumber)
    #expect(try folder.fix("app.rules").exit == 0)
    #expect(folder.text == text)
    #expect(try folder.attribute(.systemFileNumber) == stamp)
    // A null check goes only where that is asked for.
    #expect(try folder.fix("app.rules", "--level", "redundant-guard=warning").exit == 0)
    #expect(folder.text.contains("allow get: if request.auth.uid == b;"))
    #expect(try folder.attribute(.systemFileNumber) != stamp)
  }

  @Test func aFileThatDoesNotCompileIsLeftAlone() throws {
    let folder = try Folder("service cloud.firestore { match /a/{b} { allow get: if ; } }\n")
    defer { folder.remove() }
    let before = folder.text
    #expect(try folder.fix("app.rules").exit == 2)
    #expect(folder.text == before)
  }

  @Test func aFileWithAByteOrderMarkIsRefusedAndLeftAlone() throws {
    let text =
      "\u{FEFF}service cloud.firestore { match /databases/{d}/documents/a/{b} { allow get; } }\n"
    let folder = try Folder(text)
    defer { folder.remove() }
    #expect(try folder.fix("app.rules").exit == 2)
    #expect(try Data(contentsOf: folder.file) == Data(text.utf8))
  }

  @Test func aLinkStaysALinkAndPermissionsStay() throws {
    let folder = try Folder("")
    defer { folder.remove() }
    let text =
      "service cloud.firestore { match /databases/{d}/documents/a/{b} {\r\n"
      + "  allow get: if b == 'x' && b == 'x';\r\n} }\r\n"
    let real = folder.url.appendingPathComponent("real.rules")
    try text.write(to: real, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real.path)
    try FileManager.default.removeItem(at: folder.file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: "real.rules")
    #expect(try folder.fix("app.rules").output.contains("1 removed"))
    #expect(
      try Data(contentsOf: real)
        == Data(text.replacingOccurrences(of: " && b == 'x'", with: "").utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file.path) == "real.rules")
  }

  @Test func whatCannotBeWrittenIsReportedAndNotCalledRemoved() throws {
    let folder = try Folder("")
    defer { folder.remove() }
    let text =
      "rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents/a/{b} {\n"
      + "  allow get: if b == 'x' && b == 'x';\n} }\n"
    // The name of the draft beside it would be longer than a name can be.
    let name = String(repeating: "a", count: 249) + ".rules"
    try text.write(to: folder.url.appendingPathComponent(name), atomically: false, encoding: .utf8)
    let fixed = try folder.fix(name, "--format", "json")
    #expect(fixed.exit == 2)
    let report = try JSONSerialization.jsonObject(with: Data(fixed.output.utf8)) as? [String: Any]
    let errors = try #require(report?["errors"] as? [[String: Any]])
    #expect(errors.count == 1 && errors[0]["file"] as? String == name)
    #expect(!fixed.output.contains("\"removed\": true") && !fixed.output.contains("1 removed"))
    #expect(
      try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8) == text)
  }
}
