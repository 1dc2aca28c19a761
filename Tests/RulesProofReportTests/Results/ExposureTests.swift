import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import RulesStyle
import Testing

/// The colours of an audit: each format says who is let in, not how often.
@Suite struct ExposureTests {
  private static let rules = SourceText(
    name: "app.rules",
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get: if true;
          allow list: if resource.data.x == 1;
          allow write: if request.auth.uid == uid;
        }
      }
    }
    """)

  private static func report(field: String? = nil) throws -> AuditReport {
    let checked = try #require(Checker.check(rules).checked)
    let matrix = Auditor(checked, about: field.map { Text($0) }).matrix()
    return AuditReport(
      rulesPath: "app.rules", rules: checked.ruleset, hash: "0", date: "2026-01-01",
      profile: .emulator, matrix: matrix, field: field)
  }

  /// Returns the lines of a page's table, by operation.
  private static func cells(_ page: String, of operation: String) throws -> String {
    let row = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("<tr><th scope=\"row\">\(operation)<") })
    return String(row)
  }

  @Test func thePageColoursStrangersAndNotOwners() throws {
    let page = AuditPage(try Self.report()).text
    let get = try Self.cells(page, of: "get")
    #expect(get.occurrences(of: "<td class=\"anyone\">always") == 2)
    #expect(get.occurrences(of: "<td class=\"named\">always") == 1)
    let list = try Self.cells(page, of: "list")
    #expect(list.occurrences(of: "<td class=\"anyone-if\">only if") == 2)
    let update = try Self.cells(page, of: "update any field")
    #expect(update.occurrences(of: "<td class=\"nobody\">never") == 2)
    #expect(update.occurrences(of: "<td class=\"named\">always") == 1)
    #expect(page.contains("<th scope=\"col\">Operation</th>"))
    #expect(page.contains("<li class=\"anyone\"><b>2</b> anyone</li>"))
  }

  @Test func theTerminalColoursTheSame() throws {
    let text = AuditText(.ansi, isQuiet: false).render(try Self.report())
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("  get ") })
    #expect(row.occurrences(of: "\u{1B}[1;31malways") == 2)
    #expect(row.occurrences(of: "always") == 3)
    #expect(text.contains("Colours say who is let in:"))
    #expect(!AuditText(.plain, isQuiet: false).render(try Self.report()).contains("Colours"))
  }

  @Test func thePageWritesFieldsAsCodeAfterAColon() throws {
    let rules = SourceText(
      name: "app.rules",
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /posts/{id} {
            allow read: if request.auth.uid == resource.data.author;
            allow create: if request.auth.uid != null;
            allow update: if request.auth.uid == resource.data.author;
          }
        }
      }
      """)
    let checked = try #require(Checker.check(rules).checked)
    let report = AuditReport(
      rulesPath: "app.rules", rules: checked.ruleset, hash: "0", date: "2026-01-01",
      profile: .emulator, matrix: Auditor(checked).matrix(),
      warnings: Linter().review(checked).told)
    let named = try #require(report.findings.first { $0.message.contains("`") })
    let page = AuditPage(report).text
    let rows = page.split(separator: "\n").filter {
      $0.hasPrefix("<li class=\"\(named.weight.word)\">")
    }
    #expect(rows.contains { $0.contains("line 7</a>: ") && $0.contains("<code>author</code>") })
    #expect(!rows.contains { $0.contains("`") })
  }

  @Test func markdownIsBoldAndJSONNamesIt() throws {
    let report = try Self.report()
    let row = try #require(
      AuditMarkdown(report).text.split(separator: "\n").first { $0.hasPrefix("| get |") })
    #expect(row == "| get | **always** | **always** | always |")
    let json = report.json.compact
    for exposure in ["anyone", "anyoneIf", "named", "nobody"] {
      #expect(json.contains("\"exposure\":\"\(exposure)\""))
    }
  }

  @Test func aFieldHasASentence() throws {
    let report = try Self.report(field: "token")
    let sentence = "/users/{uid}: token can be written by owner {uid} (always), and by nobody else"
    #expect(report.writers.map { $0.filter { $0 != "`" } } == [sentence])
    let text = AuditText(.plain, isQuiet: false).render(report)
    #expect(text.contains("can be written by owner {uid} (always), and by nobody\n"))
    #expect(AuditPage(report).text.contains("<code>token</code> can be written by owner {uid}"))
    #expect(AuditMarkdown(report).text.contains("`token` can be written by owner"))
    #expect(try Self.report().writers.isEmpty)
  }

  @Test func fieldsOfAMergedRowAreNamed() throws {
    let rules = SourceText(
      name: "app.rules",
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow update: if request.auth.uid == uid;
            allow update: if request.auth.uid == uid
              && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['fcmToken']);
          }
        }
      }
      """)
    let checked = try #require(Checker.check(rules).checked)
    let report = AuditReport(
      rulesPath: "app.rules", rules: checked.ruleset, hash: "0", date: "2026-01-01",
      profile: .emulator, matrix: Auditor(checked).matrix())
    let row = try Self.cells(AuditPage(report).text, of: "update any field")
    #expect(row.contains("<small>fcmToken, any other</small>"))
  }
}

extension StringProtocol {
  /// Returns the number of times that a text occurs.
  fileprivate func occurrences(of text: String) -> Int {
    ranges(of: text).count
  }
}
