import RulesHost
import RulesLang
import RulesReport

/// The command line of `simulate`.
struct SimulateOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json }

  /// A value as JSON, or `@` with the file that contains it. It is read when the request is made.
  struct Document {
    /// The option that has the value.
    var option: String
    /// The text of the value.
    var text: String
  }

  static let uid = Option(
    name: "--as", value: "UID", summary: "the user ID; without it nobody is signed in")
  /// `--signed-out`.
  static let signedOut = Flag(name: "--signed-out", summary: "nobody is signed in")
  static let auth = document(name: "--auth", summary: "the client, as {\"uid\": …, \"token\": {…}}")
  static let claims = Option(
    name: "--claim", value: "KEY=VALUE", isRepeatable: true,
    summary: "a claim of the token; the value is JSON or text")
  static let provider = Option(
    name: "--provider", value: "NAME", summary: "the sign-in provider: password, google.com, …")
  static let before = document(
    name: "--before", summary: "the stored document at PATH, as JSON or @FILE")
  static let data = document(name: "--data", summary: "the data written, as JSON or @FILE")
  static let merge = Flag(
    name: "--merge", summary: "for set: keep the fields that the data does not name")
  static let documents = document(
    name: "--documents", summary: "other stored documents by path, or @FILE")
  static let time = Option(
    name: "--time", value: "TIME", summary: "the time of the request, in RFC 3339")
  static let conditions = Option<Document>(
    name: "--where", value: "CONDITION", isRepeatable: true,
    summary: "for list: 'owner == \"alice\"', 'members array-contains bob', or JSON"
  ) { text, name in Document(option: name, text: text) }
  static let orders = Option(
    name: "--order-by", value: "FIELD", isRepeatable: true, summary: "for list: the order")
  static let limit = count(name: "--limit", summary: "for list: the limit")
  static let offset = count(name: "--offset", summary: "for list: the offset")
  static let group = Flag(name: "--group", summary: "for list: query the collection group")
  static let explain = TestOptions.explain

  static let table: [any OptionRow] = [
    uid, signedOut, auth, claims, provider, before, data, merge, documents, time, conditions,
    orders, limit,
    offset, group, explain, CommonOptions.database, CommonOptions.profile,
  ]

  /// The methods that can be requested.
  static let methods = ["get", "list", "create", "set", "update", "delete"]

  /// The rules file, and the method and the path of the request.
  let rulesPath: String
  let method: String
  let path: String
  /// The client; nil if it is signed out.
  let uid: String?
  /// True if the command line says that the client is signed out.
  let isSignedOut: Bool
  let auth: Document?
  let claims: [String]
  let provider: String?
  /// The stored document, and the written one.
  let before: Document?
  let data: Document?
  let merges: Bool
  let documents: Document?
  /// The time of the request, as written.
  let time: String?
  /// The conditions of the query.
  let conditions: [Document]
  let orders: [String]
  let limit: Int64?
  let offset: Int64?
  let isGroup: Bool
  /// True to explain every statement that was tried.
  let explainsAll: Bool
  /// The database of the requests.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Returns the help for a word in the place of the method; nil if nothing is like it.
  static func methodMeant(by word: String) -> String? {
    switch word.lowercased() {
    case "read": "a request is `get` or `list`"
    case "write":
      "a request is `create`, `update`, `delete`, or `set`, which is one of the first two"
    case "query": "a query is `list`, with `--where`, `--order-by` and `--limit`"
    default: Spelling.nearest(to: word, among: methods).map { "did you mean `\($0)`?" }
    }
  }

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    let operands = invocation.operands
    method = operands[operands.count - 2]
    path = operands[operands.count - 1]
    if operands.count == 3 {
      rulesPath = try RulesSearch.onlyFile(of: operands[0])
    } else {
      guard Self.methods.contains(method) else {
        throw UsageProblem(
          "`simulate` needs METHOD PATH, but `\(method)` is not a method",
          help: Self.methodMeant(by: method)
            ?? "usage: rules-check simulate \(SimulateCommand.command.operands)")
      }
      rulesPath = try RulesSearch.file(of: Configuration.find())
    }
    uid = try invocation[Self.uid]
    isSignedOut = invocation.has(Self.signedOut)
    auth = try invocation[Self.auth]
    claims = try invocation.all(Self.claims)
    provider = try invocation[Self.provider]
    before = try invocation[Self.before]
    data = try invocation[Self.data]
    merges = invocation.has(Self.merge)
    documents = try invocation[Self.documents]
    time = try invocation[Self.time]
    conditions = try invocation.all(Self.conditions)
    orders = try invocation.all(Self.orders)
    limit = try invocation[Self.limit]
    offset = try invocation[Self.offset]
    isGroup = invocation.has(Self.group)
    explainsAll = invocation.has(Self.explain)
    databases = try Databases(invocation)
    profile = try Configuration.profile(invocation)
    reporting = try Reporting(invocation)
  }

  private static func document(name: String, summary: String) -> Option<Document> {
    Option(name: name, value: "JSON", summary: summary) { text, name in
      Document(option: name, text: text)
    }
  }

  private static func count(name: String, summary: String) -> Option<Int64> {
    Option(
      name: name, value: "COUNT", summary: summary, parsing: { Int64($0) },
      refusal: { UsageProblem("`\($1) \($0)` is not a number") })
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try reporting.refuse([Annotation](refusal), as: "simulate")
  }
}
