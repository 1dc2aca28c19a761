import Foundation
import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesTesting

/// Rules with their access matrix, for tests that hold the one against the other.
struct AuditedRules: Sendable, CustomTestStringConvertible {
  var name: String
  var rules: Checked
  var matrix: AccessMatrix

  var testDescription: String { name }

  /// The apps' rules, those of the golden cases, and some that are hard in one way each.
  static let all: [AuditedRules] = {
    let package = CommandLineCase.package
    let files =
      ["messageai", "psst-prd", "psst-todo", "psst", "sorted-before", "sorted"].map {
        package.appendingPathComponent("rules/\($0).rules")
      }
    let texts = files.map { ($0.lastPathComponent, (try? String(contentsOf: $0, encoding: .utf8))) }
    let recorded = Golden.folder("cli").appendingPathComponent("audit-blog.case")
    let blog = (try? String(contentsOf: recorded, encoding: .utf8)).flatMap {
      CommandLineCase($0).input("blog.rules")
    }
    let all = texts + [("blog.rules", blog)] + hard.map { ($0.0, wrapped($0.1)) }
    return all.compactMap { name, text in
      guard let text,
        let rules = Checker.check(SourceText(name: name, text), profile: .emulator).checked
      else {
        Issue.record("\(name) does not compile")
        return nil
      }
      return AuditedRules(name: name, rules: rules, matrix: Auditor(rules).matrix())
    }
  }()

  /// The matrix of rules with these blocks inside the root block.
  static func matrix(_ blocks: String) throws -> AccessMatrix {
    Auditor(try Scripted.checked(blocks)).matrix()
  }

  private static func wrapped(_ blocks: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
    match /databases/{database}/documents {
    \(blocks)
    }
    }
    """
  }

  private static let hard: [(String, String)] = [
    (
      "negations",
      """
      match /c/{id} {
        allow read: if !(request.auth == null || request.auth.token.banned == true);
        allow create: if !request.resource.data.keys().hasAny(['owner']) || request.auth.uid == id;
        allow update: if !('owner' in request.resource.data) && request.auth.uid != id;
      }
      """
    ),
    (
      "choices",
      """
      function role() { return request.auth.token.get('role', 'none'); }
      match /c/{id} {
        allow read: if role() == 'boss' ? true : resource.data.state == 'open';
        allow update: if request.auth.uid == id
          ? request.resource.data.state == resource.data.state
          : role() in ['boss', 'clerk'] && request.resource.data.owner == resource.data.owner;
      }
      """
    ),
    (
      "two owners",
      """
      match /users/{uid}/friends/{friend} {
        allow read, delete: if request.auth.uid == uid || request.auth.uid == friend;
        allow create: if request.auth.uid == uid && friend != uid;
        allow update: if request.auth.token.email_verified
          && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['state']);
      }
      """
    ),
    (
      "globs",
      """
      match /{document=**} { allow read: if request.auth.token.groups.hasAny(['staff', 'audit']); }
      match /public/{rest=**} { allow read; }
      match /users/{uid}/{rest=**} { allow write: if request.auth.uid == uid; }
      """
    ),
    (
      "odd names",
      """
      match /c/{request} { allow get: if true; allow create: if false; }
      match /c/{x}/d/{y} {
        match /e/{resource} { allow write: if resource == null || y == 'alice'; }
      }
      """
    ),
    (
      "lists first",
      """
      match /c/{id} {
        allow update: if ['state', 'owner'].toSet()
          .hasAll(request.resource.data.diff(resource.data).affectedKeys());
        allow create: if ['state'].hasOnly(request.resource.data.keys())
          && !['owner', 'role'].hasAny(request.resource.data.keys());
        allow delete: if ['state', 'owner'].hasAll(resource.data.keys()) && request.auth != null;
      }
      """
    ),
    (
      "lets and lists",
      """
      function touched() { return request.resource.data.diff(resource.data).affectedKeys(); }
      function may(fields, extra) {
        let all = fields.concat([extra]);
        let changed = touched();
        return changed.hasOnly(all);
      }
      match /c/{id} {
        allow update: if may(['state'], 'owner') && (request.auth.uid == id || 'a' in request.auth.token.rights);
        allow create: if request.resource.data.keys() == ['state'] && request.resource.data.state in ['open', 'shut'];
        allow delete: if resource.data.get('state', 'open') != 'shut';
      }
      """
    ),
  ]
}
