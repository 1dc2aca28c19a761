import Foundation
import Testing

/// The program from outside: what it prints and the code it ends with.
@Suite struct CommandLineTests {
  @Test(arguments: Golden.cases("cli"))
  func theProgramPrintsAndExitsAsRecorded(_ name: String) throws {
    let folder = Golden.folder("cli").appendingPathComponent(name)
    let result = try CommandLineCase(folder: folder).run()
    Golden.expect(result.output, in: folder.appendingPathComponent("stdout"))
    Golden.expect(result.complaints, in: folder.appendingPathComponent("stderr"))
    Golden.expect("\(result.exit)\n", in: folder.appendingPathComponent("exit"))
  }

  @Test func everyExitCodeThatCommandsGiveIsShownByACase() throws {
    let codes = try Set(
      Golden.cases("cli").map { name in
        let file = Golden.folder("cli").appendingPathComponent(name).appendingPathComponent("exit")
        return try String(contentsOf: file, encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)
      })
    #expect(codes.isSuperset(of: ["0", "1", "2"]))
  }
}
