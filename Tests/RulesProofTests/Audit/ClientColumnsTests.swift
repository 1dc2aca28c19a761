import RulesEval
import RulesLang
import Testing

@testable import RulesProof

/// The columns of an audit: who is in them, and what they are called.
@Suite struct ClientColumnsTests {
  private static let user: [Relation.Step] = [.literal("users"), .uid]
  private static let member = Mark.relation(
    Relation(kind: .existence, field: Text(), document: user, database: .standard))
  private static let admin = Mark.relation(
    Relation(kind: .role(.string("admin")), field: "role", document: user, database: .standard))
  private static let banned = Mark.relation(
    Relation(kind: .role(.string("banned")), field: "role", document: user, database: .standard))
  private static let author = Mark.relation(
    Relation(kind: .owner, field: "author", document: nil, database: .standard))

  /// Who has a role in a document is a member by that document: both have a column, and the member's says
  /// that it leaves the admin out.
  @Test func theHolderOfARoleIsAMember() {
    let columns = ClientColumns(of: [Self.member, Self.admin])
    #expect(
      columns.labels == [
        "signed out", "signed-in stranger", "member by /users/{uid}, not role == 'admin'",
        "role == 'admin' in /users/{uid} (a member, too)",
      ])
    let conditions = columns.clients.map { columns.condition(of: $0) }
    #expect(conditions[2].contains("(exists(") && conditions[2].contains("!((exists("))
    #expect(conditions[3].components(separator: " && !(").count == 1)
  }

  /// Two values of one field exclude each other, so no column has both, and no name speaks of that.
  @Test func twoRolesBesideMembershipHaveAColumnEach() {
    let columns = ClientColumns(of: [Self.member, Self.banned, Self.admin])
    #expect(columns.clients.count == 5)
    #expect(columns.labels[2] == "member by /users/{uid}, not role == 'banned' or role == 'admin'")
    #expect(columns.labels[3] == "role == 'banned' in /users/{uid} (a member, too)")
  }

  /// Combinations are named, and who is not the one is said to be not.
  @Test func combinationsAreNamed() {
    let columns = ClientColumns(of: [Self.author, .role(Role(claim: ["admin"], test: .isTrue))])
    #expect(
      Array(columns.labels.dropFirst(2)) == [
        "owner by author, not token.admin", "token.admin, not owner by author",
        "owner by author and token.admin",
      ])
  }

  /// A column in which nobody can be is dropped, and the others keep the conditions that were asked.
  @Test func aDroppedColumnChangesNoCondition() {
    let columns = ClientColumns(of: [Self.member, Self.author])
    let kept = columns.keeping { $0 != .marked([Self.author]) }
    for client in kept.clients {
      #expect(kept.condition(of: client) == columns.condition(of: client))
    }
    #expect(
      Array(kept.labels.dropFirst(2)) == [
        "member by /users/{uid}, not owner by author", "owner by author (a member, too)",
      ])
  }

  /// Where combinations are many, each mark has a column without the others, and one is for the rest.
  @Test(arguments: [4, 8, 24]) func manyMarksHaveAColumnEach(_ count: Int) {
    let roles = (0..<count).map { Mark.role(Role(claim: [Text("c\($0)")], test: .isTrue)) }
    let columns = ClientColumns(of: roles)
    #expect(columns.clients.count == count + 3)
    #expect(columns.clients.last == .mixed)
    #expect(!columns.labels.contains { $0.isEmpty } && Set(columns.labels).count == count + 3)
    #expect(!columns.clients.contains { columns.condition(of: $0).contains("()") })
  }

  /// Ten texts of one claim exclude each other.
  @Test func textsOfOneClaimHaveNoCombinations() {
    let roles = (0..<6).map {
      Mark.role(Role(claim: ["role"], test: .equals(.string(Text("r\($0)")))))
    }
    let columns = ClientColumns(of: roles)
    #expect(columns.clients.count == 8)
    #expect(columns.labels[2] == "token.role == 'r0'")
  }
}

extension String {
  /// The parts between a separator.
  fileprivate func components(separator: String) -> [String] {
    var parts = [""]
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else {
        parts[parts.count - 1].append(rest.removeFirst())
      }
    }
    return parts
  }
}
