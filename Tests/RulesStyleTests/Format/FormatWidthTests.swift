import Testing

@testable import RulesLang
@testable import RulesTesting

/// What is too wide for one line: where it is broken.
@Suite struct FormatWidthTests {
  private func isFixed(_ text: String) {
    let joined = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    for given in [text, joined] { #expect(laidOut(given) == text) }
    for line in text.split(separator: "\n") { #expect(line.count <= 100) }
  }

  @Test func aHundredColumnsFitAndAHundredAndOneDoNot() {
    let name = String(repeating: "a", count: 76)
    isFixed("allow read: if \(name) && bbbb;\n")
    isFixed("allow read: if \(name)\n  && bbbbb;\n")
    // A character outside of ASCII is one column.
    let text = String(repeating: "\u{E9}", count: 73)
    isFixed("allow read: if '\(text)' && bbbbb;\n")
  }

  @Test func conditionsAreBrokenAtAllOperatorsThatBindLeast() {
    isFixed(
      """
      match /users/{user} {
        allow update: if request.auth != null
          && request.auth.uid == user
          && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name', 'photo']);
      }

      """)
    isFixed(
      """
      return request.auth.uid == resource.data.owner && resource.data.state == 'draft'
        || request.auth.token.admin == true && resource.data.state in ['draft', 'published'];

      """)
    isFixed(
      """
      return request.auth.uid == resource.data.ownerOfTheDocument
          && resource.data.stateOfTheDocument == 'draft'
          && resource.data.kind == 'a'
        || request.auth.token.admin;

      """)
    isFixed(
      """
      return request.auth.token.administrator == true
        ? resource.data.stateOfTheDocument == 'published'
        : resource.data.stateOfTheDocument == 'draft';

      """)
  }

  @Test func parenthesesThatDoNotFitAreOpened() {
    isFixed(
      """
      allow update: if isOwner(user)
        && (
          request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name'])
          || request.resource.data.stateOfTheDocument == 'published'
        )
        && isActive(user);

      """)
    isFixed(
      """
      allow update: if !(
        request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name'])
        || request.resource.data.stateOfTheDocument == 'published'
      );

      """)
  }

  @Test func theLastCallMovesToALineOfItsOwn() {
    isFixed(
      """
      allow update: if request.auth.uid == user
        && request.resource.data.diff(resource.data).affectedKeys()
          .hasOnly(['fcmToken', 'fcmTokenUpdatedAt']);

      """)
  }

  @Test func whatAnOperatorComparesMovesToALineOfItsOwn() {
    isFixed(
      """
      allow create: if request.resource.data.kindOfTheDocument
        in ['article', 'comment', 'reaction', 'attachment', 'invitation', 'subscription'];

      """)
  }

  @Test func listsMapsAndCallsHaveOneElementALine() {
    isFixed(
      """
      function fields() {
        return [
          'identifier',
          'displayName',
          'photographAddress',
          'telephoneNumber',
          'electronicMailAddress',
          'lastTimeOfAccess'
        ];
      }

      """)
    isFixed(
      """
      allow write: if request.resource.data.keys().hasOnly([
        'identifier',
        'displayName',
        'photographAddress',
        'telephoneNumber',
        'electronicMailAddress',
        'lastTimeOfAccess'
      ]);

      """)
    isFixed(
      """
      return isPermitted(
        request.auth.token.organisation,
        resource.data.organisation == request.resource.data.organisation
          && resource.data.departments == request.resource.data.departments,
        {'read': 1, 'write': 2}
      );

      """)
  }

  @Test func whatCannotBeBrokenIsLeftTooWide() {
    let name = String(repeating: "a", count: 120)
    #expect(laidOut("allow read: if \(name);") == "allow read: if \(name);\n")
    let path = "match /" + name + "/{b} {"
    #expect(laidOut(path + "}") == path + "}\n")
  }
}
