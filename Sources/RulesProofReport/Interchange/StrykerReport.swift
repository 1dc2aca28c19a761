package import RulesEval
import RulesLang
import RulesProof
import RulesReport

extension MutationReport {
  /// The report in the schema of mutation testing elements, for their viewers.
  package var stryker: JSONText {
    let tests = StrykerTests(files)
    return .object(
      [
        ("schemaVersion", .string("2")),
        (
          "thresholds",
          .object([("high", .int(Int(thresholds.high))), ("low", .int(Int(thresholds.low)))])
        ),
        (
          "framework",
          .object([("name", .string(Product.name)), ("version", .string(Product.version))])
        ),
        (
          "files",
          .object(
            files.indices.map { (key(of: files[$0]), stryker(files[$0], tests.identifiers[$0])) })
        ),
      ] + (tests.isEmpty ? [] : [("testFiles", tests.json)]))
  }

  /// Returns the path of a file; if the report has its mutants for several databases, with the database.
  private func key(of file: File) -> String {
    files.count { $0.path == file.path } == 1 ? file.path : file.path + file.database.suffix
  }

  private func stryker(_ file: File, _ tests: [String]) -> JSONText {
    let key = key(of: file)
    return .object([
      ("language", .string("firestore-rules")),
      ("source", .string(String(decoding: file.source.bytes, as: UTF8.self))),
      (
        "mutants",
        .array(file.mutants.indices.map { file.stryker($0, as: "\(key):\($0)", tests) })
      ),
    ])
  }
}

/// The tests of all files by suite: viewers know tests by identifiers, which are unique in a report.
private struct StrykerTests {
  /// The identifier of each test, by file and test.
  private(set) var identifiers: [[String]] = []
  private var suites: [(source: SourceText, tests: [JSONText])] = []

  /// True if no tests are listed.
  var isEmpty: Bool { suites.isEmpty }

  init(_ files: [MutationReport.File]) {
    for file in files {
      let places = file.suites.map { place(of: $0) }
      identifiers.append(
        file.tests.map { test in
          let place = places[test.suite]
          let source = suites[place].source
          let identifier = "\(source.name):\(suites[place].tests.count)"
          suites[place].tests.append(
            .object([
              ("id", .string(identifier)), ("name", .string(test.name)),
              ("location", .object([("start", source.stryker(test.range.start))])),
            ]))
          return identifier
        })
    }
  }

  private mutating func place(of suite: SourceText) -> Int {
    if let place = suites.firstIndex(where: { $0.source.name == suite.name }) { return place }
    suites.append((suite, []))
    return suites.count - 1
  }

  /// The suites with their tests.
  var json: JSONText {
    .object(
      suites.map { suite in
        let text = String(decoding: suite.source.bytes, as: UTF8.self)
        return (
          suite.source.name,
          .object([("source", .string(text)), ("tests", .array(suite.tests))])
        )
      })
  }
}

extension MutationReport.Mutant {
  /// Returns the status in the schema of mutation testing elements; `hasTests` says if tests are listed.
  fileprivate func status(hasTests: Bool) -> String {
    switch fate {
    case .killed: "Killed"
    case .survived, .unknown: hasTests && coveredBy.isEmpty ? "NoCoverage" : "Survived"
    case .equivalent: "Ignored"
    case .invalid: "CompileError"
    }
  }
}

extension MutationReport.File {
  /// Returns a mutant under an identifier; `tests` has the identifiers of the file's tests.
  fileprivate func stryker(_ index: Int, as identifier: String, _ tests: [String]) -> JSONText {
    let mutant = mutants[index]
    let status = mutant.status(hasTests: !tests.isEmpty)
    let range = mutant.edit.range
    var members: [(String, JSONText)] = [
      ("id", .string(identifier)), ("mutatorName", .string(mutant.edit.mutator.rawValue)),
      ("description", .string(mutant.edit.summary)),
      ("replacement", .string(mutant.edit.replacement)), ("status", .string(status)),
      (
        "location",
        .object([("start", source.stryker(range.start)), ("end", source.stryker(range.end))])
      ),
    ]
    if let reason = reason(mutant) { members.append(("statusReason", .string(reason))) }
    if !tests.isEmpty {
      members.append(("coveredBy", .array(mutant.coveredBy.map { .string(tests[$0]) })))
    }
    if let killer = mutant.killedBy, killer < tests.count {
      members.append(("killedBy", .array([.string(tests[killer])])))
    }
    return .object(members)
  }

  private func reason(_ mutant: MutationReport.Mutant) -> String? {
    switch mutant.fate {
    case .killed(let test): "noticed by: \(test)"
    case .survived:
      mutant.test.map { "this test would notice it: \(JSONText($0).compact)" }
    case .equivalent: "proved to change no decision"
    case .unknown:
      (["no test notices it, and not decided whether any could"] + mutant.reasons(in: source))
        .joined(separator: "; ")
    case .invalid: nil
    }
  }
}

extension SourceText {
  /// Returns the position of an offset in the schema of mutation testing elements.
  fileprivate func stryker(_ offset: UInt32) -> JSONText {
    let place = position(of: offset)
    return .object([("line", .int(place.line)), ("column", .int(place.column))])
  }
}
