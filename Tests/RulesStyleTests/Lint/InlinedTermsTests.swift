import Testing

@testable import RulesLang
@testable import RulesStyle
@testable import RulesTesting

/// Conditions with their functions written out: what is one term, and what a condition says of a field.
@Suite struct InlinedTermsTests {
  /// A table with the conditions of statements, and the terms that these are.
  private func terms(
    _ conditions: [String], functions: String = ""
  ) throws -> (InlinedTerms, [InlinedTerms.Term]) {
    let statements = conditions.map { "allow update: if \($0);" }.joined(separator: "\n")
    let checked = try Scripted.checked("match /a/{id} { \(functions)\n\(statements) }")
    var table = InlinedTerms(checked)
    let roots = conditions.indices.map { table.condition(of: AllowID($0)).root }
    return (table, roots)
  }

  @Test func howAConditionIsSplitIntoFunctionsMakesNoDifference() throws {
    let functions = """
      function mine(user) { return request.auth.uid == user; }
      function owner() { let data = resource.data; return data.owner; }
      function isMine() { return mine(owner()); }
      """
    let (_, roots) = try terms(
      [
        "request.auth.uid == resource.data.owner", "mine(resource.data.owner)", "isMine()",
        "(resource.data.owner) == request.auth.uid", "mine(resource.data.other)",
        "mine(id)",
      ], functions: functions)
    #expect(roots[0] == roots[1])
    #expect(roots[0] == roots[2])
    #expect(roots[0] == roots[3])
    #expect(Set(roots).count == 3)
  }

  @Test func theOperandsOfATermComeBeforeIt() throws {
    let (table, roots) = try terms(["id == 'a' && (request.time < resource.data.at || id in ['b'])"]
    )
    let all = table.terms(in: roots[0])
    for term in all { #expect(table.operands(of: term).allSatisfy { $0 < term }) }
    #expect(table.chain(.and, of: roots[0]).count == 2)
    #expect(table.alternatives(of: roots[0]).map(\.count) == [2, 2])
  }

  @Test(arguments: [
    ("request.auth.uid == id", true), ("request.resource.data.a is string", true),
    ("request.resource.data.b == 1", true), ("request.resource.data.a == 1", false),
    ("request.resource.data['a'] == 1", false), ("request.resource.data[id] == 1", false),
    ("request.resource.data == resource.data", false), ("request.resource == resource", false),
    ("'a' in request.resource.data", true), ("!('a' in request.resource.data)", false),
    ("!('b' in request.resource.data)", true), ("!(id in request.resource.data)", false),
    ("request.resource.data.keys().hasAll(['a'])", true),
    ("request.resource.data.keys().hasOnly(['a', 'b'])", true),
    ("request.resource.data.keys().hasOnly(['b'])", false),
    ("request.resource.data.diff(resource.data).affectedKeys().hasOnly(['b'])", false),
    ("request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a'])", true),
    ("!request.resource.data.diff(resource.data).affectedKeys().hasAny(['a'])", false),
    ("!request.resource.data.diff(resource.data).affectedKeys().hasAny(['b'])", true),
    ("('a' in request.resource.data) == false", false),
    ("id == 'x' || request.resource.data.a == 1", false), ("request.keys().size() > 1", false),
    ("request.resource.data.get('a', 1) == 1", false),
    ("request.resource.data.get('b', 1) == 1", true),
    ("(id == 'x' ? request.resource.data.a : 1) == 1", false),
  ])
  func aFieldIsLeftOpenOnlyIfNothingDependsOnItsValue(_ condition: String, _ isOpen: Bool) throws {
    let (table, roots) = try terms([condition])
    #expect(WrittenField.isLeftOpen("a", by: roots[0], in: table) == isOpen)
  }

  @Test(arguments: [
    ("id == 'a'", Bool?.some(true)), ("id != 'a'", false), ("id in ['a', 'b']", true),
    ("!(id in ['b'])", true), ("id in ['b', request.auth.uid]", nil),
    ("id == 'b' && request.auth.uid == 'x'", false), ("id == 'a' && request.auth.uid == 'x'", nil),
    ("id == 'a' || request.auth.uid == 'x'", true), ("id == request.auth.uid", nil),
  ])
  func aConditionComesToWhatThePathSays(_ condition: String, _ value: Bool?) throws {
    let (table, roots) = try terms([condition])
    let place = DocumentRoot.count + 1
    #expect(table.constant(roots[0], where: [place: "a"]) == value)
  }

  /// The segments before a document's own: `/databases/{database}/documents`.
  private enum DocumentRoot {
    static let count = 3
  }
}
