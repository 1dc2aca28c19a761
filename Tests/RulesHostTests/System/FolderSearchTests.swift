import Foundation
import Testing

@testable import RulesHost

/// Searching folders for files: links, circles, names.
@Suite struct FolderSearchTests {
  /// A folder that is removed in the end.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ name: String) throws {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
    }

    func found(isDeep: Bool = true) throws -> [String] {
      try FileSystem.files(below: folder.path, suffix: ".rules", isDeep: isDeep)
        .map { String($0.dropFirst(folder.path.count + 1)) }
    }

    func problem() -> String? {
      do throws(FileProblem) {
        _ = try FileSystem.files(below: folder.path, suffix: ".rules")
        return nil
      } catch {
        return error.reason
      }
    }
  }

  @Test func filesAreSortedAndHiddenOnesLeftOut() throws {
    let place = try Place()
    for name in ["b.rules", "a/c.rules", ".x/d.rules", ".e.rules", "a.rules.txt", "é.rules"] {
      try place.write(name)
    }
    #expect(try place.found() == ["a/c.rules", "b.rules", "é.rules"])
    #expect(try place.found(isDeep: false) == ["b.rules", "é.rules"])
  }

  /// Two links to the folder they are in double the paths at every level: nobody would wait for the end.
  @Test func linksThatLeadAroundInCirclesAreFollowedOnce() throws {
    let place = try Place()
    try place.write("x/y/a.rules")
    for name in ["p", "q", "x/p", "x/y/q"] { try place.link(name, to: ".") }
    try place.link("x/y/up", to: "../..")
    #expect(try place.found() == ["x/y/a.rules"])
  }

  @Test func whatOnlyALinkLeadsToIsFound() throws {
    let (place, other) = (try Place(), try Place())
    try other.write("in/a.rules")
    try place.link("l", to: other.folder.path)
    try place.link("m", to: "l/in")
    try place.link("b.rules", to: other.folder.path + "/in/a.rules")
    #expect(try place.found() == ["b.rules", "l/in/a.rules"])
  }

  @Test func aWantedLinkToNothingIsAProblem() throws {
    let place = try Place()
    try place.link("other", to: "nothing")
    #expect(place.problem() == nil)
    try place.link("a.rules", to: "nothing")
    #expect(place.problem() == "is a broken link")
  }

  @Test func foldersThatAreTooDeepAreAProblem() throws {
    let place = try Place()
    try place.write(String(repeating: "f/", count: 60) + "a.rules")
    #expect(try place.found().count == 1)
    try place.write(String(repeating: "f/", count: 70) + "b.rules")
    #expect(place.problem() == "lies more than 64 folders deep")
  }

  #if os(Linux)
    @Test func aWantedNameThatIsNoUTF8IsAProblem() throws {
      let place = try Place()
      func make(_ name: [UInt8]) {
        let path = Array((place.folder.path + "/").utf8) + name + [0]
        // Safe: the name ends in a zero byte and does not leave the call.
        path.withUnsafeBufferPointer { bytes in
          let made = bytes.withMemoryRebound(to: CChar.self) { name in
            name.baseAddress.flatMap { fopen($0, "w") }
          }
          if let made { fclose(made) } else { Issue.record("the file cannot be made") }
        }
      }
      make([0xFF] + Array(".txt".utf8))
      #expect(place.problem() == nil)
      make([0xFF] + Array(".rules".utf8))
      #expect(place.problem() == "has a name that is not UTF-8")
    }
  #endif

  @Test func aFileUnderTwoNamesIsOneFile() throws {
    let place = try Place()
    try place.write("a.rules")
    try place.link("b.rules", to: "a.rules")
    let paths = ["a.rules", "./a.rules", "b.rules", "missing"].map { place.folder.path + "/" + $0 }
    #expect(FileSystem.distinct(paths) == [paths[0], paths[3]])
  }

  @Test func oneThingThatCannotBeHadHidesNothingElse() throws {
    let place = try Place()
    for name in ["a.rules", "deep/b.rules"] { try place.write(name) }
    try place.link("gone.rules", to: "nowhere")
    try place.link("folder", to: "nowhere")
    // Whoever read it would wait for ever.
    #expect(mkfifo(place.folder.appendingPathComponent("pipe.rules").path, 0o600) == 0)
    let search = FileSystem.search(below: place.folder.path, suffix: ".rules")
    func names(_ problems: [FileProblem]) -> [String] {
      problems.map { FilePath.name(of: $0.path) + " " + $0.reason }
    }
    #expect(search.files.map { FilePath.name(of: $0) } == ["a.rules", "b.rules"])
    #expect(
      names(search.problems) == [
        "gone.rules is a broken link",
        "pipe.rules is a pipe or a device, not a file",
      ])
    #expect(names(search.remarks) == ["folder is a broken link"])
  }
}
