import Foundation
import RulesLang
import RulesProofReport
import Testing

@testable import RulesEval
@testable import RulesTesting

/// What `schema` prints: it is what the readers take and the reports have, neither less nor more.
@Suite struct SchemaTests {
  private struct File {
    var name: String
    var source: SourceText
  }

  private static func parsed(_ text: String) throws -> JSON {
    try JSONParser.parse(SourceText(name: "schema", text))
  }

  private static func cases() throws -> [CommandLineCase] {
    try Golden.cases("cli").map {
      CommandLineCase(
        try String(contentsOf: Golden.folder("cli").appendingPathComponent($0), encoding: .utf8))
    }
  }

  /// Input files of the recorded runs whose names end like this, and those of the folder `rules`.
  private static func files(_ suffix: String) throws -> [File] {
    let folder = CommandLineCase.package.appendingPathComponent("rules")
    let own = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
      (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
    return (own + (try cases().flatMap { $0.inputs })).filter { $0.0.hasSuffix(suffix) }.map {
      File(name: $0.0, source: SourceText(name: $0.0, $0.1))
    }
  }

  @Test func whatTheReaderTakesIsValidAndUnknownKeysAreNot() throws {
    let validator = SchemaValidator(try Self.parsed(SuiteSchema.json.pretty))
    var (taken, refused) = (0, 0)
    for file in try Self.files(".suite.json") {
      guard let json = try? JSONParser.parse(file.source), !json.isRulesTest else { continue }
      let (suite, diagnostics) = SuiteReader.read(json, in: file.source)
      let mistake = validator.mistake(in: json)
      if suite != nil {
        taken += 1
        #expect(mistake == nil, "\(file.name): \(mistake ?? "")")
      } else if diagnostics.contains(where: { $0.message.contains(" has no key ") }) {
        refused += 1
        #expect(mistake != nil, "\(file.name): \(diagnostics[0].message)")
      }
    }
    #expect(taken > 60)
    #expect(refused > 0)
  }

  @Test func everyConfigurationThatIsTakenIsValid() throws {
    let run = try CommandLineCase("$ rules-check schema config\nexit: 0\n").run()
    let validator = SchemaValidator(try Self.parsed(run.output))
    var taken = 0
    for one in try Self.cases() {
      for input in one.inputs where input.name.hasSuffix(".rulescheck.json") {
        guard let json = try? Self.parsed(input.text) else { continue }
        if one.exit != 2 {
          taken += 1
          #expect(validator.mistake(in: json) == nil, "\(input.name)")
        }
      }
    }
    #expect(taken > 1)
    #expect(validator.mistake(in: try Self.parsed(#"{"rule": []}"#)) != nil)
    #expect(validator.mistake(in: try Self.parsed(#"{"levels": {"open-red": "off"}}"#)) != nil)
    #expect(Self.undescribed(try Self.parsed(run.output)) == [])
  }

  /// The recorded reports, with the commands that wrote them.
  private static func reports() throws -> [(command: String, json: JSON)] {
    try cases().compactMap { one in
      guard let output = one.output, output.hasPrefix("{\n  \"schema\": \"rules-check.") else {
        return nil
      }
      let text = output.replacingOccurrences(of: "\"milliseconds\": N", with: "\"milliseconds\": 0")
      return (try? parsed(text)).map { (one.command.joined(separator: " "), $0) }
    }
  }

  @Test func everyReportIsValid() throws {
    let validator = SchemaValidator(try Self.parsed(ReportSchema.json.pretty))
    let reports = try Self.reports()
    for report in reports {
      let mistake = validator.mistake(in: report.json)
      #expect(mistake == nil, "\(report.command): \(mistake ?? "")")
    }
    var kinds: Set<String> = []
    for report in reports { kinds.insert(report.json["schema"]?.string ?? "") }
    #expect(kinds.count == 10, "\(kinds.sorted())")
    #expect(Self.undescribed(try Self.parsed(ReportSchema.json.pretty)) == [])
  }

  /// Wherever an object of a report has a key more, the schema refuses it: it describes them to the leaves.
  /// What stands in requests and documents is anybody's.
  @Test func noReportHasAKeyThatIsNotDescribed() throws {
    let validator = SchemaValidator(try Self.parsed(ReportSchema.json.pretty))
    var kinds: [String: Int] = [:]
    for report in try Self.reports() {
      let name = report.json["schema"]?.string ?? ""
      kinds[name, default: 0] += 1
      if kinds[name, default: 0] > 4 { continue }
      for tampered in Self.tampered(report.json) {
        #expect(validator.mistake(in: tampered) != nil, "\(report.command)")
      }
    }
  }

  /// A value with a key more in one of its objects, for each of them.
  private static func tampered(_ json: JSON) -> [JSON] {
    switch json.kind {
    case .null, .bool, .number, .string: return []
    case .array(let elements):
      // Of equals some are enough.
      return elements.indices.prefix(3).flatMap { place in
        tampered(elements[place]).map { changed in
          var copy = elements
          copy[place] = changed
          return JSON(.array(copy))
        }
      }
    case .object(let members):
      let more = JSON(.object(members + [JSON.Member("unheard-of", value: JSON(.null))]))
      let open: Set<String> = ["as", "data", "documents", "query", "batch"]
      return [more]
        + members.indices.filter { !open.contains(String(members[$0].key)) }.flatMap { place in
          tampered(members[place].value).map { changed in
            var copy = members
            copy[place].value = changed
            return JSON(.object(copy))
          }
        }
    }
  }

  @Test func everyLineOfReplayAndEvalIsValid() throws {
    let validator = SchemaValidator(try Self.parsed(ReportSchema.json.pretty))
    var count = 0
    for one in try Self.cases() where ["replay", "eval"].contains(one.command.dropFirst().first) {
      if one.command.contains("pretty") { continue }
      for line in (one.output ?? "").split(separator: "\n") where line.hasPrefix("{") {
        count += 1
        let mistake = validator.mistake(in: try Self.parsed(String(line)))
        #expect(mistake == nil, "\(one.command.joined(separator: " ")): \(mistake ?? "")")
      }
    }
    #expect(count > 20)
    #expect(validator.mistake(in: try Self.parsed(#"{"request": 1, "decision": "maybe"}"#)) != nil)
    #expect(validator.mistake(in: try Self.parsed(#"{"type": "bool"}"#)) != nil)
  }

  @Test func everyKeyIsDescribed() throws {
    #expect(Self.undescribed(try Self.parsed(SuiteSchema.json.pretty)) == [])
  }

  /// The keys of which a schema says nothing: those that a reader has learned since.
  private static func undescribed(_ schema: JSON) -> [String] {
    var found: [String] = []
    var waiting = [schema]
    while let next = waiting.popLast() {
      switch next.kind {
      case .object(let members):
        for member in members {
          waiting.append(member.value)
          guard member.key == "properties", case .object(let properties) = member.value.kind else {
            continue
          }
          for property in properties {
            if case .object(let said) = property.value.kind, said.isEmpty {
              found.append(String(property.key))
            }
          }
        }
      case .array(let elements): waiting += elements
      case .null, .bool, .number, .string: break
      }
    }
    return found
  }
}
