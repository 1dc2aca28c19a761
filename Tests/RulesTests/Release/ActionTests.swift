import Foundation
import Testing

/// The scripts of the GitHub action, with a release in a folder in the place of a download.
@Suite(.enabled(if: Script.has("curl") && Script.has("python3")))
struct ActionTests {
  /// A program that stands for rules-check: says its version, and else what it was asked.
  private static let double = """
    #!/bin/sh
    if [ "$1" = --version ]; then echo "rules-check 9.9.9"; exit 0; fi
    for word in "$@"; do printf '<%s>' "$word"; done
    echo
    exit "${CODE:-0}"

    """

  /// Packs the double as the release 9.9.9 of this machine's platform, and says where releases are.
  private static func release(in script: Script) throws -> [String: String] {
    try script.write(double, to: "rules-check")
    let packed = try script.run(
      """
      set -e
      chmod +x rules-check
      case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) platform=linux-x86_64 ;;
        Linux-aarch64) platform=linux-aarch64 ;;
        *) platform=macos-universal ;;
      esac
      mkdir -p releases/v9.9.9 && tar -czf "releases/v9.9.9/rules-check-9.9.9-$platform.tar.gz" rules-check
      cd releases/v9.9.9
      python3 -c 'import hashlib, sys
      print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() + "  " + sys.argv[1])' *.tar.gz > sum
      mv sum "$(ls *.tar.gz).sha256"
      """)
    try #require(packed.exit == 0, "\(packed.complaints)")
    return [
      "RELEASES": "file://\(script.folder.path)/releases", "VERSION": "9.9.9",
      "CACHE": "\(script.folder.path)/cache", "GITHUB_PATH": "\(script.folder.path)/path",
      "GITHUB_OUTPUT": "\(script.folder.path)/output",
    ]
  }

  @Test func aReleaseIsDownloadedOnceAndThenCached() throws {
    let script = try Script()
    defer { script.remove() }
    let variables = try Self.release(in: script)
    let first = try script.run("\"$PACKAGE/Action/install\"", variables)
    #expect(first.exit == 0 && first.output == "rules-check 9.9.9 (downloaded)\n", "\(first)")
    #expect(try script.read("output") == "how=downloaded\n")
    let place = try script.read("path").trimmingCharacters(in: .newlines)
    #expect(try script.run("'\(place)/rules-check' --version").output == "rules-check 9.9.9\n")
    // The second time nothing is asked of the release.
    _ = try script.run("rm -r releases")
    let second = try script.run("\"$PACKAGE/Action/install\"", variables)
    #expect(second.exit == 0 && second.output == "rules-check 9.9.9 (cached)\n", "\(second)")
  }

  @Test func whatIsNotWhatWasReleasedIsNeverRun() throws {
    let script = try Script()
    defer { script.remove() }
    let variables = try Self.release(in: script)
    _ = try script.run("cd releases/v9.9.9 && echo more >> *.tar.gz")
    let outcome = try script.run("\"$PACKAGE/Action/install\"", variables)
    #expect(outcome.exit == 2)
    #expect(outcome.complaints.contains("::error::rules-check 9.9.9: the checksum of"))
    #expect(try script.run("find cache -type f | wc -l").output.contains("0"))
  }

  @Test func aNetworkThatIsDownIsNoReasonToBuild() throws {
    let script = try Script()
    defer { script.remove() }
    var variables = try Self.release(in: script)
    variables["RELEASES"] = "http://127.0.0.1:1"
    let outcome = try script.run("\"$PACKAGE/Action/install\"", variables)
    #expect(outcome.exit == 2)
    #expect(outcome.complaints.contains("cannot be downloaded"), "\(outcome)")
  }

  @Test func whatHasNoReleaseIsBuiltOrRefused() throws {
    let script = try Script()
    defer { script.remove() }
    var variables = try Self.release(in: script)
    variables["VERSION"] = "9.9.8"
    // A toolchain that is a double, too.
    try script.write(
      """
      #!/bin/sh
      echo "$@" > "$ASKED"
      mkdir -p "$SOURCE/.build/release" && cp "$DOUBLE" "$SOURCE/.build/release/rules-check"

      """, to: "tools/swift")
    variables["SOURCE"] = script.folder.appendingPathComponent("source").path
    try script.write(
      "  static let version = \"9.9.8\"\n", to: "source/Sources/RulesReport/Text/Product.swift")
    variables["ASKED"] = script.folder.appendingPathComponent("asked").path
    variables["DOUBLE"] = script.folder.appendingPathComponent("rules-check").path
    let tools = "PATH=\"$PWD/tools:/usr/bin:/bin\""
    let outcome = try script.run(
      "chmod +x tools/swift; \(tools) \"$PACKAGE/Action/install\"", variables)
    #expect(outcome.exit == 0, "\(outcome)")
    #expect(outcome.output.hasSuffix("rules-check 9.9.9 (built)\n"))
    #expect(
      try script.read("asked").contains("build --configuration release --product rules-check"))
    variables["CACHE"] = script.folder.appendingPathComponent("other").path
    // Only what the script itself calls; no toolchain is among it.
    let bare = """
      mkdir bare; for tool in bash sed uname curl mktemp tar cut cat mkdir rm mv sha256sum shasum; do
        found=$(command -v $tool) && ln -s "$found" "bare/$tool"; done
      PATH="$PWD/bare" "$PACKAGE/Action/install"
      """
    let refused = try script.run(bare, variables)
    #expect(refused.exit == 2, "\(refused)")
    #expect(refused.complaints.contains("no Swift toolchain to build it with"))
    // What is built here is what is here, and not called something else.
    variables["VERSION"] = "9.9.7"
    let other = try script.run("\(tools) \"$PACKAGE/Action/install\"", variables)
    #expect(other.exit == 2, "\(other)")
    #expect(other.complaints.contains("no release 9.9.7") && other.complaints.contains("is 9.9.8"))
  }

  // MARK: Steps

  /// What a step asks the program.
  private func asked(_ step: String, _ variables: [String: String]) throws -> Script.Outcome {
    let script = try Script()
    defer { script.remove() }
    try script.write(Self.double, to: "bin/rules-check")
    var variables = variables
    variables["HOME"] = script.folder.path
    return try script.run(
      "chmod +x bin/rules-check; PATH=\"$PWD/bin:$PATH\" \"$PACKAGE/Action/run\" \(step)", variables
    )
  }

  @Test func everyLineOfAnInputIsRead() throws {
    let lines = "\n  tests/one rules\ntests/two\n\n"
    #expect(
      try asked("test", ["SUITES": lines]).output
        == "<test><--format><github><--><tests/one rules><tests/two>\n")
    #expect(
      try asked("check", ["RULES": "a.rules b.rules"]).output
        == "<check><--format><github><--fail-on><error><--><a.rules><b.rules>\n")
    #expect(try asked("test", [:]).output == "<test><--format><github><-->\n")
    #expect(
      try asked("fmt", ["RULES": "a.rules"]).output
        == "<fmt><--check><--format><github><--><a.rules>\n")
  }

  @Test func theStepOfTheDifferenceKnowsTheRules() throws {
    let outcome = try asked(
      "diff", ["RULES": "a.rules\nb.rules", "BRANCH": "main", "GITHUB_STEP_SUMMARY": "/dev/stdout"])
    let lines = outcome.output.split(separator: "\n")
    let base = "<diff><--base><refs/remotes/origin/main><--allow-empty>"
    #expect(
      lines == [
        "\(base)<--format><markdown><--fail-on><none><--><a.rules><b.rules>",
        "\(base)<--format><github><--fail-on><loosened><--><a.rules><b.rules>",
      ])
  }

  @Test func reportsAreWrittenForTheUpload() throws {
    let outcome = try asked("test", ["REPORTS": "out", "MIN_COVERAGE": "90"])
    #expect(
      outcome.output
        == "<test><--format><github><--min-coverage><90><--format><junit><--output><out/junit.xml>"
        + "<--format><html><--output><out/coverage.html><-->\n")
    #expect(
      try asked("check", ["REPORTS": "out"]).output.contains(
        "<--format><sarif><--output><out/check.sarif>"))
  }

  @Test func testsOfAnSDKAreOneCommandInBash() throws {
    let command = "<--><bash><--noprofile><--norc><-eo><pipefail><-c><npm ci\nnpm test -- 'a b'>\n"
    #expect(
      try asked("tests", ["TESTS": "npm ci\nnpm test -- 'a b'"]).output
        == "<exec><--format><pretty><--explain>\(command)")
    let more = ["TESTS": "npm ci\nnpm test -- 'a b'", "MIN_COVERAGE": "80", "REPORTS": "out"]
    #expect(
      try asked("tests", more).output
        == "<exec><--format><pretty><--explain><--min-coverage><80>"
        + "<--format><html><--output><out/tests-coverage.html>\(command)")
    #expect(try asked("tests", ["TESTS": "npm test", "CODE": "143"]).exit == 143)
  }

  @Test func theExitCodeIsThatOfTheProgram() throws {
    for code in ["1", "2", "4"] {
      #expect(try asked("check", ["CODE": code]).exit == Int32(code))
      #expect(try asked("test", ["CODE": code]).exit == Int32(code))
      #expect(try asked("diff", ["CODE": code, "BASE": "HEAD"]).exit == Int32(code))
    }
    // What `--deep` leaves open is not known to be right.
    #expect(try asked("check", ["CODE": "4", "DEEP": "true"]).exit == 4)
    #expect(try asked("check", ["CODE": "1", "DEEP": "true"]).exit == 1)
  }

  @Test func theStepOfTheDifferenceHasSomethingToCompareWith() throws {
    func base(_ variables: [String: String]) throws -> String {
      let outcome = try asked("diff", variables)
      return outcome.output.split(separator: ">").dropFirst(2).first.map { String($0) } ?? ""
    }
    #expect(try base(["BEFORE": "0a1b", "DEFAULT_BRANCH": "main"]) == "<0a1b")
    // A branch that is new has nothing before.
    let none = String(repeating: "0", count: 40)
    #expect(
      try base(["BEFORE": none, "DEFAULT_BRANCH": "main"]) == "<refs/remotes/origin/main")
    let idle = try asked("diff", ["BEFORE": none])
    #expect(idle.exit == 2 && idle.output.contains("::error title=git::"), "\(idle)")
  }

  @Test func theCheckKnowsTheBaseIfThereIsOne() throws {
    let script = try Script()
    defer { script.remove() }
    try script.write(Self.double, to: "bin/rules-check")
    let commit = "git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m a"
    let made = try script.run(
      "export HOME=$PWD; chmod +x bin/rules-check; git init -q . && \(commit) "
        + "&& git update-ref refs/remotes/origin/main HEAD")
    try #require(made.exit == 0, "\(made)")
    func check(_ branch: String, _ variables: [String: String] = [:]) throws -> String {
      let variables = variables.merging(["BRANCH": branch]) { old, _ in old }
      return try script.run(
        "export HOME=$PWD; PATH=\"$PWD/bin:$PATH\" \"$PACKAGE/Action/run\" check", variables
      ).output
    }
    #expect(
      try check("main").hasPrefix("<check><--format><github><--base><refs/remotes/origin/main>"))
    #expect(try check("gone").hasPrefix("::notice title=git::"))
    #expect(try check("gone", ["FAIL_ON": "warning"]).hasPrefix("::warning title=git::"))
    // The branch that a pull request goes to is nothing of the request.
    let target = try script.run(
      "export HOME=$PWD; PATH=\"$PWD/bin:$PATH\" \"$PACKAGE/Action/run\" diff",
      ["BRANCH": "main", "GITHUB_EVENT_NAME": "pull_request_target"])
    #expect(target.exit == 2 && target.output.contains("::error title=git::"), "\(target)")
  }
}
