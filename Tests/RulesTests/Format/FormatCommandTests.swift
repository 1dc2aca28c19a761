import Foundation
import Testing

@testable import RulesTesting

/// `fmt` and the files that it writes.
@Suite struct FormatCommandTests {
  private func run(_ arguments: [String], in folder: URL) throws -> Int32 {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = ["fmt"] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func aFileIsReplacedWithItsPermissionsThroughALink() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("a.rules")
      let link = folder.appendingPathComponent("link.rules")
      try "allow  read;".write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "a.rules")
      #expect(try run(["link.rules"], in: folder) == 0)
      #expect(try String(contentsOf: file, encoding: .utf8) == "allow read;\n")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "a.rules")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test func aFileInTheStyleOrOnlyCheckedIsNotWritten() throws {
    try withFolder { folder in
      let old = Date(timeIntervalSince1970: 1_000_000_000)
      for (name, text) in [("same.rules", "allow read;\n"), ("other.rules", "allow  read;")] {
        let file = folder.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
        let expected: Int32 = name == "same.rules" ? 0 : 1
        #expect(try run(["--check", name], in: folder) == expected)
        if expected == 0 { #expect(try run([name], in: folder) == 0) }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.modificationDate] as? Date == old)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
      }
    }
  }

  @Test func whatIsNoUTF8IsLeftAsItIs() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("a.rules")
      let bytes = Data(Array("allow  read; // ".utf8) + [0xFF])
      try bytes.write(to: file)
      #expect(try run(["a.rules"], in: folder) == 2)
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test func theExamplesOfTheStyleAreInTheStyle() throws {
    let page = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Docs/Style.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "```rules\n").dropFirst()
    for part in parts {
      let example = part.components(separatedBy: "```")[0]
      #expect(laidOut(example) == example)
    }
    #expect(parts.count >= 5)
  }
}
