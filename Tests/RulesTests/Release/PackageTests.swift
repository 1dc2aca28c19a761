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
      for page in CI Editors Library; do cp "$PACKAGE/Docs/$page.md" copy/Docs/; done
      place() { python3 copy/Release/place.py "$@" 2> /dev/null; }
      if place nowhere; then echo nowhere; fi
      place owner/name
      if place --check; then echo early; fi
      # A release takes out what pages say only before it.
      sed -i.old -e '/until the first release/,/<!-- end -->/d' copy/README.md
      sed -i.old -e '/There is no release yet/d' -e 's/after the first release//' copy/Docs/CI.md
      sed -i.old -e '/There is no release yet/d' copy/Docs/Library.md
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

  /// A package index shows today's metadata, and links that lead to the release.
  @Test func aWheelSaysWhereItComesFrom() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      printf '#!/bin/sh\necho rules-check\n' > program
      python3 "$PACKAGE/Release/wheel.py" program linux-x86_64 one > /dev/null
      python3 -c 'import sys, zipfile
      wheel = zipfile.ZipFile(sys.argv[1])
      name = [each for each in wheel.namelist() if each.endswith("/METADATA")][0]
      print(wheel.read(name).decode())' one/*.whl
      """, ["GITHUB_REPOSITORY": "o/r"])
    #expect(made.exit == 0, "\(made.complaints)")
    let lines = made.output.split(separator: "\n").map { String($0) }
    for line in [
      "Metadata-Version: 2.4", "License-Expression: Apache-2.0", "License-File: LICENSE",
      "Project-URL: Source, https://github.com/o/r",
      "Project-URL: Changelog, https://github.com/o/r/blob/v\(Product.version)/CHANGELOG.md",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(!made.output.contains("Not released yet") && !made.output.contains("License ::"))
    #expect(made.output.contains("https://github.com/o/r/blob/v\(Product.version)/Docs/CI.md"))
  }

  /// Where no wheel fits, pip takes the source package, and shows its sentence.
  @Test func aMachineWithoutABuildIsToldSo() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      python3 "$PACKAGE/Release/wheel.py" --source dist > /dev/null
      tar -xzf dist/*.tar.gz
      cd rules_check-*
      grep -c '^build-backend = "unsupported"' pyproject.toml
      python3 -c 'import platform, unsupported
      platform.system = lambda: "Windows"
      unsupported.build_wheel("anywhere")'
      """)
    #expect(made.exit == 1 && made.output == "1\n", "\(made)")
    #expect(made.complaints.contains("rules-check \(Product.version) has no build for Windows on "))
    #expect(made.complaints.contains("inside WSL: wsl pip install rules-check."))
  }

  /// The wrapper of npm says whether there is no build or whether npm left the build out.
  @Test(.enabled(if: Script.has("node")))
  func theNpmPackageSaysWhatIsMissing() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      printf 'x' > program
      python3 "$PACKAGE/Release/npm.py" {linux-x86_64,linux-aarch64,macos-universal}=program node_modules \
        > /dev/null
      rm -r node_modules/rules-check-*
      node node_modules/rules-check/bin/rules-check.js; echo $?
      echo 'Object.defineProperty(process, "platform", { value: "win32" });' > windows.js
      node --require ./windows.js node_modules/rules-check/bin/rules-check.js; echo $?
      """)
    #expect(made.output == "2\n2\n", "\(made)")
    let said = made.complaints.split(separator: "\n")
    #expect(
      said.first?.hasSuffix("npm leaves it out with --omit=optional; install again without that.")
        == true)
    #expect(said.last?.contains("there is no build for win32 on ") == true)
    #expect(said.last?.hasSuffix("On Windows it runs inside WSL: wsl npx rules-check.") == true)
  }

  /// The extension's package is what its manifest says and knows the checksums of the archives.
  @Test(.enabled(if: Script.has("node")))
  func theExtensionIsPackedWithTheChecksumsOfTheRelease() throws {
    let script = try Script()
    defer { script.remove() }
    let check = """
      import hashlib, json, sys, xml.etree.ElementTree, zipfile
      package = zipfile.ZipFile(sys.argv[1])
      names = package.namelist()
      assert names[:2] == ["[Content_Types].xml", "extension.vsixmanifest"], names
      types = xml.etree.ElementTree.fromstring(package.read(names[0]))
      endings = {each.get("Extension") for each in types}
      assert all("." + name.rsplit(".", 1)[1] in endings for name in names[1:]), endings
      root = xml.etree.ElementTree.fromstring(package.read(names[1]))
      assets = [each.get("Path") for each in root.iter() if each.tag.endswith("}Asset")]
      assert len(assets) == 5 and all(path in names for path in assets), assets
      manifest = json.loads(package.read("extension/package.json"))
      assert manifest["repository"]["url"] == "https://github.com/o/r.git", manifest
      release = json.loads(package.read("extension/release.json"))
      for machine, archive in release["archives"].items():
          name = archive["url"].rsplit("/", 1)[1]
          content = open("dist/" + name, "rb").read()
          assert archive["sha256"] == hashlib.sha256(content).hexdigest(), machine
      print(*release["archives"])
      """
    try script.write(check, to: "check.py")
    let made = try script.run(
      """
      set -e
      for platform in linux-x86_64 linux-aarch64 macos-universal; do
        printf '%s' "$platform" > program
        "$PACKAGE/Release/archive" program "$platform" dist > /dev/null
      done
      python3 "$PACKAGE/Release/vsix.py" dist --without-client > /dev/null
      python3 check.py dist/*.vsix
      node --test "$PACKAGE/Editors/Tests/extension.test.js" > tests || { cat tests; exit 1; }
      """, ["GITHUB_REPOSITORY": "o/r"])
    #expect(made.exit == 0, "\(made)")
    #expect(made.output == "linux-x64 linux-arm64 darwin-arm64 darwin-x64\n")
  }

  /// The list of contents names what the extension carries, with the checksums of its lock file.
  @Test func aReleaseListsItsContents() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run("python3 \"$PACKAGE/Release/sbom.py\" . && cat *.cdx.json")
    #expect(made.exit == 0, "\(made.complaints)")
    #expect(made.output.contains("\"specVersion\": \"1.6\""))
    #expect(made.output.contains("\"purl\": \"pkg:npm/vscode-languageclient@9.0.1\""))
  }

  /// pre-commit installs this repository; it gets the released program of the same version.
  @Test func hooksAskForTheReleasedProgram() throws {
    let script = try Script()
    defer { script.remove() }
    let made = try script.run(
      """
      set -e
      cd "$PACKAGE/Release"
      python3 -B -c 'import hooks, sys, zipfile
      name = hooks.build_wheel(sys.argv[1])
      print(zipfile.ZipFile(sys.argv[1] + "/" + name).read(hooks.INFO + "/METADATA").decode())' "$OLDPWD"
      """)
    #expect(made.exit == 0, "\(made.complaints)")
    #expect(made.output.contains("Requires-Dist: rules-check==\(Product.version)\n"))
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
    // brew reads the version from the addresses, and its audit complains of a second one.
    #expect(!formula.contains("  version "))
  }

  /// Every action is named by the commit that it is, with its version beside it, the same everywhere.
  @Test func theWorkflowsPinTheirActions() throws {
    let package = CommandLineCase.package
    var pins: [String: Set<String>] = [:]
    for file in [".github/workflows/ci.yml", ".github/workflows/release.yml", "action.yml"] {
      let text = try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("uses: ") {
        let use = try #require(line.components(separatedBy: "uses: ").last)
        let parts = use.split(separator: "@", maxSplits: 1).map { String($0) }
        let pin = try #require(parts.count == 2 ? parts[1] : nil, "\(file): \(line)")
        #expect(
          pin.range(of: "^[0-9a-f]{40} # v[0-9.]+$", options: .regularExpression) != nil,
          "\(file): \(line)")
        pins[parts[0], default: []].insert(pin)
      }
    }
    #expect(pins.count >= 7 && pins.values.allSatisfy { $0.count == 1 }, "\(pins)")
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
