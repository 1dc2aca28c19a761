import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// What is asked about the documents of one path: each kind of client, each operation.
struct PathTable {
  /// The documents.
  let audited: AuditedPath
  /// The kinds of clients.
  let columns: ClientColumns
  /// What they may be able to do.
  let operations: [AccessMatrix.Operation]
  /// A claim for each client, and one for each operation that is only some requests of a method: what
  /// they say of both together is put together when it is asked (`PathQuestions`).
  let claims: [Claim]
  /// The fields that the rules of the path name.
  private(set) var fields: [Text] = []
  /// Where the claims begin among those of all paths.
  var first = 0
  /// Why nothing can be asked.
  var doubts: [Doubt] = []

  /// So many roles have a column. Who has another one is among the strangers, whose answers then name it
  /// as a condition.
  private static let greatestRoles = 24
  /// The same of documents that name clients.
  private static let greatestRelations = 3
  /// What it takes to write and compile what a claim says of one kind of client.
  private static let stepsForKind = 480

  /// Reads what the rules say about the documents, or about one field of them.
  init(of audited: AuditedPath, in rules: Checked, about field: Text? = nil) {
    let mentions = Mentions(of: audited, in: rules)
    // What is asked about a client is looked up by functions that may mean something else here.
    let isHidden = rules.functionHidingBuiltin != nil
    let relations = mentions.relations.filter { $0.document == nil || !isHidden }
    let columns = ClientColumns(
      of: mentions.owners.map { .owner($0) }
        + relations.prefix(Self.greatestRelations).map { .relation($0) }
        + mentions.roles.prefix(Self.greatestRoles).map { .role($0) })
    let operations: [AccessMatrix.Operation] =
      field.map { [.get, .list, .listGroup, .createWith($0), .update($0), .delete] }
      ?? [.get, .list, .listGroup, .create] + mentions.fields.map { .update($0) } + [
        .updateOther(mentions.fields), .delete,
      ]
    self.init(
      of: audited, columns: columns, operations: operations,
      limits: operations.compactMap { operation in
        operation.condition.map {
          Limit(name: operation.label, method: operation.method, condition: $0)
        }
      })
    fields = mentions.fields
  }

  /// Some requests of a method.
  struct Limit {
    /// The name of the row.
    var name: String
    /// The method that it is about.
    var method: Method
    /// The condition that is true of them.
    var condition: String
  }

  /// Asks about these clients and requests.
  init(
    of audited: AuditedPath, columns: ClientColumns, operations: [AccessMatrix.Operation],
    limits: [Limit]
  ) {
    (self.audited, self.columns, self.operations) = (audited, columns, operations)
    var claims: [Claim] = []
    func add(_ name: String, _ methods: MethodSet, given: String) {
      var claim = Claim(name: name, path: audited.path, methods: methods, obligation: .never)
      claim.given = Claim.Condition(Text(given))
      claims.append(claim)
    }
    for client in columns.clients {
      add(columns.label(of: client), MethodSet(.get), given: columns.condition(of: client))
    }
    for limit in limits { add(limit.name, MethodSet(limit.method), given: limit.condition) }
    self.claims = claims
  }

  /// The kinds of clients, in the order of the columns.
  var clients: [Client] { columns.clients }

  /// Steps to compile the claims: the claim of each client names all marks.
  var stepsToCompile: Int {
    Self.stepsForKind * (clients.count * columns.marks.count + claims.count)
  }

  /// The claim about a client among those of all paths.
  func claim(of client: Client) -> Int? { clients.firstIndex(of: client).map { first + $0 } }

  /// The claim about an operation among those of all paths; nil if the method says it all.
  func claim(of operation: AccessMatrix.Operation) -> Int? {
    let limited = operations.filter { $0.condition != nil }
    return limited.firstIndex(of: operation).map { first + clients.count + $0 }
  }

  /// What is claimed of an operation of a client; nil if nothing was asked of this kind of client.
  func claim(
    _ client: Client, _ operation: AccessMatrix.Operation, _ obligation: Claim.Obligation,
    in set: ClaimSet
  ) -> CompiledClaim? {
    claim(of: client).map { index in
      let other = claim(of: operation).map { set.claims[$0] }
      return set.claims[index].narrowed(to: other, method: operation.method, obligation)
    }
  }
}
