import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The claims of one path: kinds of clients and operations.
struct PathTable {
  /// The documents.
  let audited: AuditedPath
  /// The kinds of clients.
  let columns: ClientColumns
  /// The operations.
  let operations: [AccessMatrix.Operation]
  /// The claims: one for each client, and one for each operation that is restricted to some
  /// requests of a method. `PathQuestions` combines them.
  let claims: [Claim]
  /// The fields that the rules of the path name.
  private(set) var fields: [Text] = []
  /// The index of the first claim among those of all paths.
  var first = 0
  /// The reasons why no cell can be decided.
  var openReasons: [OpenReason] = []

  /// Creates the table from what the rules mention, or for one field.
  init(of audited: AuditedPath, in rules: Checked, about field: Text? = nil) {
    let mentions = Mentions(of: audited, in: rules)
    // Columns for relations need lookups, whose names a function of the rules may hide.
    let isHidden = rules.functionHidingBuiltin != nil
    let relations = mentions.relations.filter { $0.document == nil || !isHidden }
    let columns = ClientColumns(
      of: mentions.owners.map { .owner($0) }
        + relations.prefix(Strategy.names).map { .relation($0) }
        + mentions.roles.prefix(Strategy.columns).map { .role($0) })
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

  /// A restriction to some requests of a method.
  struct Limit {
    /// The name of the row.
    var name: String
    /// The method.
    var method: Method
    /// The condition of these requests.
    var condition: String
  }

  /// Creates the table of given clients and requests.
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

  /// Steps to compile the claims: the claim of each client mentions all marks.
  var stepsToCompile: Int {
    SearchStrategy.stepsOfRequest * (clients.count * columns.marks.count + claims.count)
  }

  /// Returns the index of the claim about a client.
  func claim(of client: Client) -> Int? { clients.firstIndex(of: client).map { first + $0 } }

  /// Returns the index of the claim about an operation; nil if it is the whole method.
  func claim(of operation: AccessMatrix.Operation) -> Int? {
    let limited = operations.filter { $0.condition != nil }
    return limited.firstIndex(of: operation).map { first + clients.count + $0 }
  }

  /// Returns the claim about an operation of a client; nil for an unknown client.
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
