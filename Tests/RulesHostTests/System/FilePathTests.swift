import Testing

@testable import RulesHost

/// Paths as text.
@Suite struct FilePathTests {
  @Test func partsAreJoinedAndTakenApart() {
    #expect(FilePath.join("a", with: "b") == "a/b" && FilePath.join("a/", with: "b") == "a/b")
    #expect(FilePath.join("a", with: "/b") == "/b")
    #expect(FilePath.join("", with: "b") == "b" && FilePath.join(".", with: "b") == "b")
    #expect(FilePath.name(of: "a/b.rules") == "b.rules" && FilePath.name(of: "b") == "b")
    #expect(FilePath.folder(of: "a/b/c") == "a/b" && FilePath.folder(of: "c") == "")
    #expect(FilePath.folder(of: "/c") == "/")
  }

  @Test(arguments: [
    ("a/b.rules", "a", "b.rules"), ("a/b.rules", "a/c", "../b.rules"), ("b", "", "b"),
    ("./a/b", "a/./c/d", "../../b"), ("a", "a", "../a"), ("/x/y", "a", "/x/y"),
    ("../a.rules", "..", "a.rules"), ("../a.rules", "../tests", "../a.rules"),
    ("/x/y", "/x/z", "../y"), ("/x/y", "/x", "y"),
  ])
  func aPathIsWrittenFromInsideAFolder(_ path: String, _ folder: String, _ expected: String) {
    #expect(FilePath.relative(path, to: folder) == expected)
  }
}
