import Foundation
import Testing

@testable import RulesHost

/// Which paths lead to something in a folder. The process of the tests itself is not confined.
@Suite struct ConfinementTests {
  @Test func pathsAreJudgedByWhatTheyLeadTo() throws {
    let made = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: made) }
    for name in ["in/sub", "in-too"] {
      try FileManager.default.createDirectory(
        at: made.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let top = try #require(FileSystem.real(made.path))
    for name in ["secret", "in/a", "in/sub/b", "in-too/c"] {
      try Data().write(to: made.appendingPathComponent(name))
    }
    for (link, target) in [
      ("in/out", "../secret"), ("in/up", ".."), ("in/there", "sub/b"), ("in/loop", "loop"),
      ("in/absent", "../absent"), ("in/sub/home", top + "/in"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: made.appendingPathComponent(link).path, withDestinationPath: target)
    }
    let folder = top + "/in"
    for path in [
      ".", "a", "./sub/../a", "sub/b", "there", "sub/home/a", "up/in/a", "new", "new/newer",
      "\(folder)", "\(folder)/a", "../in/a", "loop",
    ] {
      #expect(Confinement.isInside(path, folder), "\(path)")
    }
    for path in [
      "..", "../secret", "out", "up", "up/secret", "up/absent", "up/in-too/c", "../in-too/c",
      "/", "/etc/passwd", "/absent", "\(top)/secret", "sub/home/out", "sub/../../secret",
      "../absent/file", "a\0",
    ] {
      #expect(!Confinement.isInside(path, folder), "\(path)")
    }
  }

  @Test func theTestsAreNotConfined() throws {
    #expect(!Confinement.isActive && !Confinement.hasRefused("/etc/passwd"))
    #expect(FileSystem.kind(of: "/") == .folder)
  }
}
