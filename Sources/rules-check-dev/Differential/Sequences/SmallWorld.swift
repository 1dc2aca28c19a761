import RulesEval
import RulesLang

/// Rules over a database so small that every state and every request can be tried: two members and one
/// document, each with at most two fields.
struct SmallWorld {
  /// The rules.
  let rules: String
  /// The rules with the claim's condition alone in the statement.
  let claimed: String
  /// The path of the claim.
  let path: String
  /// The condition of the claim: that of the statement, or a weaker one.
  let condition: String
  /// The method of the claim.
  let method: Method
  /// The possible contents of a document.
  let contents: [MapValue]
  /// The fields of the claim, which is about requests that write one of them; about all requests if there are
  /// none.
  let fields: [FieldPath]
  /// True if the statement's block hides a built-in name that is not hidden from the claim: the claim can
  /// then have another meaning, and need not hold even for one request.
  let hidesNames: Bool
  /// True if a set document is deleted first, in the same commit.
  let deletesFirst: Bool
  /// True if the claim's document is below that of a member.
  let isNested: Bool

  /// The documents: those of the members, by their users, and the claim's document.
  let paths: [DocumentPath]
  /// The claim's document.
  let document: DocumentPath
  /// The number of documents and of contents.
  private static let (documentCount, contentCount) = (3, 4)
  /// The clients: accounts of one person, of which only the first one has a claim set by the server. The last
  /// two are one account under two names that its user has chosen.
  static let clients: [Principal?] = [
    Principal(uid: "a", claims: MapValue([("t", .string("b"))])), Principal(uid: "b"), nil,
    Principal(uid: "b", claims: MapValue([("name", .string("a"))])),
    Principal(uid: "b", claims: MapValue([("name", .string("r"))])),
  ]
  /// The clients without a claim set by the server: anybody may make such accounts.
  static let freeClients = 1..<clients.count
  /// The index of the document above the claim's document, if there is one.
  static let parent = 0
  private static let methods: [Method] = [
    .get, .get, .get, .get, .update, .update, .update, .create, .delete,
  ]

  /// Generates rules.
  init(_ dice: inout Dice) {
    let kind = SmallWorldKind(&dice)
    contents = kind.contents
    method = dice.pick(Self.methods)
    deletesFirst = dice.chance(15)
    fields = method == .update && dice.chance(30) ? [FieldPath(["h"])] : []
    isNested = dice.chance(25)
    document = DocumentPath(isNested ? ["m", "a", "d", "x"] : ["d", "x"])
    paths = ["a", "b"].map { DocumentPath([Text("m"), Text($0)]) } + [document]
    let text = SmallWorldText(asking: method, isNested: isNested, &dice)
    hidesNames =
      text.hidesInBlock || ["request", "resource"].contains(text.wildcards.document)
    rules = kind.translated(text.rules(asking: text.condition))
    let isWeaker = dice.chance(20)
    let claim = isWeaker ? "(\(text.condition) || \(text.other))" : text.condition
    claimed = kind.translated(text.rules(asking: claim))
    condition = kind.translated(SmallWorldText.naming(claim, text.claimWildcard))
    path = (isNested ? "/m/{p}" : "") + "/d/{\(text.claimWildcard)}"
  }

  /// The claim in words.
  var claim: String {
    let writes = fields.isEmpty ? "" : " that write h"
    return "\(path): \(method.word)\(writes) only if \(condition)"
  }

  // MARK: States and requests

  /// Returns the state with a number.
  func state(_ number: Int) -> Documents {
    var rest = number
    var stored: [(DocumentPath, MapValue)] = []
    for path in paths {
      let content = rest % (Self.contentCount + 1)
      rest /= Self.contentCount + 1
      if content > 0 { stored.append((path, contents[content - 1])) }
    }
    return Documents(stored)
  }

  /// The numbers of all states.
  var states: Range<Int> {
    0..<(0..<Self.documentCount).reduce(1) { count, _ in count * (Self.contentCount + 1) }
  }

  /// Returns the requests of a client that the claim covers.
  func asked(by client: Principal?) -> [Request] {
    func request(_ change: Write.Change, _ precondition: Write.Precondition) -> Request {
      let write = Write(to: document, change, precondition: precondition)
      return Request(
        principal: client, time: StateSearch.time, operation: .commit([write]))
    }
    switch method {
    case .create: return contents.map { request(.set($0, mask: nil), .missing) }
    case .delete: return [request(.delete, .exists)]
    case .update:
      let other = MapValue([("h", .bool(true))])
      let masked = request(.set(other, mask: [FieldPath(["h"])]), .exists)
      return fields.isEmpty
        ? [masked] + contents.map { request(.set($0, mask: nil), .exists) }
          + contents.prefix(2).map { request(.set($0, mask: [FieldPath(["g"])]), .exists) }
        : [masked]
    case .get, .list:
      return [
        Request(principal: client, time: StateSearch.time, operation: .get([document]))
      ]
    }
  }

  /// Returns the statement with the condition.
  func asked(in rules: Checked) -> AllowID? {
    // The statement is the first one of its block, which is the last block.
    let block = rules.ruleset.allows.last?.match
    return rules.ruleset.allows.firstIndex { $0.match == block }.map { AllowID($0) }
  }

  /// Every commit, as the contents that each document gets, nil if it is not written; the stored state
  /// decides whether a write creates or updates.
  static let commits: [[Int?]] = {
    var all: [[Int?]] = [[]]
    for _ in 0..<documentCount {
      all = all.flatMap { parts in (-1...contentCount).map { parts + [$0 < 0 ? nil : $0] } }
    }
    return all.filter { parts in parts.contains { $0 != nil } }
  }()

  /// Returns the writes of a commit.
  func writes(of commit: [Int?]) -> [Write] {
    zip(paths, commit).flatMap { path, content -> [Write] in
      guard let content else { return [] }
      let delete = Write(to: path, .delete)
      if content == 0 { return [delete] }
      let set = Write(to: path, .set(contents[content - 1], mask: nil))
      return deletesFirst ? [delete, set] : [set]
    }
  }

  /// Returns the state after a commit.
  static func state(after commit: [Int?], on number: Int) -> Int {
    var (rest, factor, after) = (number, 1, 0)
    for content in commit {
      after += (content ?? rest % (contentCount + 1)) * factor
      rest /= contentCount + 1
      factor *= contentCount + 1
    }
    return after
  }
}
