import Foundation
import Testing

@testable import RulesReport
@testable import RulesTesting

/// The packages of a release, made of the program that the tests run.
@Suite(.enabled(if: Script.has("python3")))
struct PackageTests {
  @Test func theVersionComesFromOnePlace() throws {
    let script = try Script()
    defer { script.remove() }
    #expect(
      try script.run("python3 \"$PACKAGE/Release/release.py\"").output == Product.version + "\n")
    let asked = try script.run("\"$PROGRAM\" --version").output
    #expect(asked == "\(Product.name) \(Product.version)\n")
  }

  /// A release fails while nobody has said where the project lives, or where it runs elsewhere.
  @Test func aReleaseNeedsAPlace() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      unset GITHUB_REPOSITORY
      mkdir -p copy/Docs
      cp -R "$PACKAGE/Release" "$PACKAGE/README.md" "$PACKAGE/SECURITY.md" copy/
      cp "$PACKAGE/Docs/CI.md" copy/Docs/
      place() { python3 copy/Release/place.py "$@" 2> /dev/null; }
      if place nowhere; then echo nowhere; fi
      place owner/name
      place --check
      place
      if GITHUB_REPOSITORY=other/name place --check; then echo elsewhere; fi
      if grep -r THIS/REPOSITORY copy/README.md copy/SECURITY.md copy/Docs; then echo unfilled; fi
      place new/home
      place --check
      place
      : > copy/Release/place
      if place --check; then echo unset; fi
      """)
    #expect(made.exit == 0 && made.output == "owner/name\nnew/home\n", "\(made)")
    let workflow = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent(".github/workflows/release.yml"),
      encoding: .utf8)
    #expect(workflow.contains("python3 Release/place.py --check"))
  }

  /// The hash and length of every file are those of RECORD, which names every file, and the program can be
  /// run where it is put. A script stands for the program, which a debug build takes seconds to pack.
  @Test func aWheelIsWhatItsRecordSays() throws {
    let script = try Script()
    defer { script.remove() }
    let check = """
      import base64, csv, hashlib, io, sys, zipfile
      wheel = zipfile.ZipFile(sys.argv[1])
      info = [name for name in wheel.namelist() if name.endswith("/RECORD")][0]
      rows = list(csv.reader(io.StringIO(wheel.read(info).decode())))
      assert sorted(row[0] for row in rows) == sorted(wheel.namelist()), rows
      for path, digest, size in rows:
          if path == info: continue
          content = wheel.read(path)
          own = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
          assert digest == "sha256=" + own and int(size) == len(content), path
      program = [each for each in wheel.infolist() if each.filename.endswith("scripts/rules-check")][0]
      assert program.external_attr >> 16 == 0o100755
      tags = [line[5:] for line in wheel.read(info.replace("RECORD", "WHEEL")).decode().splitlines()
              if line.startswith("Tag: ")]
      assert tags and all(tag.startswith("py3-none-manylinux") or tag.startswith("py3-none-musllinux")
                          for tag in tags), tags
      print(len(rows))
      """
    try script.write(check, to: "check.py")
    let made = try script.run(
      """
      set -e
      printf '#!/bin/sh\necho rules-check\n' > program
      python3 "$PACKAGE/Release/wheel.py" program linux-x86_64 one > /dev/null
      python3 "$PACKAGE/Release/wheel.py" program linux-x86_64 two > /dev/null
      cmp one/*.whl two/*.whl
      python3 check.py one/*.whl
      python3 -c 'import hashlib, sys
      print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() + "  " + sys.argv[1][4:])' \
        one/*.whl > own
      cmp own one/*.whl.sha256
      """)
    #expect(made.exit == 0 && made.output == "5\n", "\(made.complaints)")
  }

  @Test func theNpmPackagesAskForEachOther() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      python3 "$PACKAGE/Release/npm.py" linux-x86_64="$PROGRAM" macos-universal="$PROGRAM" npm
      test -x npm/rules-check-linux-x64/bin/rules-check
      """)
    #expect(made.exit == 0, "\(made.complaints)")
    let main = try script.read("npm/rules-check/package.json")
    #expect(!main.contains("\"repository\""))
    // npm refuses provenance of a package that does not name what it was built from.
    let released = try script.run(
      "python3 \"$PACKAGE/Release/npm.py\" linux-x86_64=\"$PROGRAM\" released",
      ["GITHUB_REPOSITORY": "o/r"])
    #expect(released.exit == 0, "\(released.complaints)")
    for name in ["rules-check", "rules-check-linux-x64"] {
      let manifest = try script.read("released/\(name)/package.json")
      #expect(manifest.contains("\"url\": \"git+https://github.com/o/r.git\""), "\(manifest)")
    }
    let readme = try script.read("released/rules-check/README.md")
    #expect(readme.contains("(https://github.com/o/r/blob/v\(Product.version)/Docs/Proofs.md)"))
    #expect(!readme.contains("](Docs/"))
    for name in ["linux-x64", "darwin-arm64", "darwin-x64"] {
      #expect(main.contains("\"rules-check-\(name)\": \"\(Product.version)\""))
      let own = try script.read("npm/rules-check-\(name)/package.json")
      #expect(own.contains("\"os\"") && own.contains("\"cpu\""))
    }
  }

  /// Waits for a signal, ten seconds at most.
  private static let waiting = "for i in $(seq 100); do sleep 0.1; done"

  /// Runs commands behind the wrapper of npm, which has to leave their standard streams, exit codes and
  /// signals to them.
  @Test(
    .enabled(if: Script.has("node")),
    arguments: [
      ("sh -c 'read line; echo \"<$line>\"; exit 7' <<< hello", "<hello>\n", Int32(7)),
      ("sh -c 'printf \"<%s>\" \"$@\"' sh --port -- 'a b'", "<--port><--><a b>", 0),
      ("sh -c 'kill -TERM $$'", "", 143),
      // A supervisor's signal to the wrapper arrives at the command.
      ("sh -c 'trap \"echo t; exit 5\" TERM; kill -TERM $WRAPPER; \(waiting)'", "t\n", 5),
      ("sh -c 'trap \"echo i; exit 6\" INT; kill -INT $WRAPPER; \(waiting)'", "i\n", 6),
    ])
  func theNpmPackageRunsTheProgramInItsPlace(
    _ command: String, _ output: String, _ exit: Int32
  ) throws {
    let script = try Script()
    defer { script.remove() }
    let outcome = try script.run(
      """
      python3 "$PACKAGE/Release/npm.py" {linux-x86_64,macos-universal}="$PROGRAM" node_modules \
        > /dev/null
      cat > run <<'END'
      export WRAPPER=$$
      exec node node_modules/rules-check/bin/rules-check.js "$@"
      END
      bash run exec -- \(command)
      """)
    #expect(outcome.output == output && outcome.exit == exit, "\(outcome)")
  }

  @Test func theFormulaHasTheChecksumsOfTheArchives() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      for platform in linux-x86_64 linux-aarch64 macos-universal; do
        printf '%s' "$platform" > program
        "$PACKAGE/Release/archive" program "$platform" dist > /dev/null
      done
      python3 "$PACKAGE/Release/formula.py" owner/name dist > rules-check.rb
      for sum in $(cut -d ' ' -f 1 dist/*.sha256); do grep -c "sha256 \\"$sum\\"" rules-check.rb; done
      """)
    #expect(made.exit == 0 && made.output == "1\n1\n1\n", "\(made)")
    let formula = try script.read("rules-check.rb")
    let address = "https://github.com/owner/name/releases/download/v\(Product.version)/rules-check-"
    #expect(formula.components(separatedBy: address).count == 4)
  }

  @Test func theWorkflowsNameFilesThatAreThere() throws {
    let package = CommandLineCase.package
    for file in [".github/workflows/release.yml", "action.yml"] {
      let text = try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
      let pattern = try NSRegularExpression(pattern: "(?<!Products/)(Release|Action)/[a-z.]+")
      let found = pattern.matches(in: text, range: NSRange(text.startIndex..., in: text))
      #expect(found.count > 2)
      for match in found {
        let path = try #require(Range(match.range, in: text).map { String(text[$0]) })
        #expect(
          FileManager.default.fileExists(atPath: package.appendingPathComponent(path).path),
          "\(file): \(path)")
      }
    }
  }
}
