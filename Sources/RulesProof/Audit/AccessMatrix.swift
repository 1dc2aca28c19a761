package import RulesEncoding
package import RulesEval
package import RulesLang

/// Who can do what: for each path pattern of the rules, each kind of client and each operation
/// whether it is allowed always, never, or under which condition.
package struct AccessMatrix: Sendable {
  /// The path patterns with statements, in the order of the source.
  package var paths: [Path]
  /// True if a rule names the one field that was asked about.
  package var isFieldNamed = true
  /// What clients can make true of the statements that depend on what is stored.
  package var escalations: [Escalation] = []
  /// The statements that let a client that anybody can be read, update or delete documents of others.
  package var opened: Set<AllowID> = []

  /// What holds for the documents of one path pattern and of no narrower one of the matrix.
  package struct Path: Sendable {
    /// The documents; its exceptions are the narrower patterns.
    package var path: ClaimPath
    /// The match blocks with this pattern.
    package var blocks: [MatchID]
    /// The kinds of clients; every client is of exactly one. None if there are no documents to ask for: the
    /// narrower patterns match all that this one does.
    package var columns: ClientColumns
    /// What can be done; nothing without clients.
    package var rows: [Row]
    /// The methods for which a statement stands whose condition is not just `false`.
    package var ruled = MethodSet([])
    /// Accesses with the answer "only if" whose conditions anybody can satisfy.
    var openings: [Opening] = []
    /// Statements of which it is not known whether they are open to outsiders.
    var unknown: Set<AllowID> = []

    /// The kinds of clients, in the order of the columns.
    package var clients: [Client] { columns.clients }

    /// Whether narrower patterns match all documents of this one.
    package var isOvershadowed: Bool { clients.isEmpty }

    /// Which documents of the pattern are meant, in reports; empty if all are.
    package var extent: String {
      if isOvershadowed { return "(no documents: narrower paths have them all)" }
      return path.exceptions.isEmpty ? "" : "(documents of no narrower path)"
    }
  }

  /// What each kind of client can do.
  package struct Row: Sendable {
    /// The operation.
    package var operation: Operation
    /// The answers, in the order of the path's clients.
    package var cells: [Cell]
  }

  /// What can be done with a document.
  package enum Operation: Sendable, Hashable {
    case get
    /// By a query of the document's own collection.
    case list
    /// By a query of the collection group.
    case listGroup
    case create
    /// Creating a document that has this field.
    case createWith(Text)
    /// Adding, changing or removing this field.
    case update(Text)
    /// Adding, changing or removing a field that is none of these.
    case updateOther([Text])
    case delete
  }

  /// Whether the rules let a client do something.
  package enum Answer: Sendable, Hashable {
    /// Whatever is stored, sent and asked for.
    case always
    /// No such request is allowed.
    case never
    /// Some requests are allowed and some are not.
    case onlyIf
    /// Not known.
    case undecided

    /// The word of reports.
    package var word: String {
      switch self {
      case .always: "always"
      case .never: "never"
      case .onlyIf: "only if"
      case .undecided: "undecided"
      }
    }
  }

  /// One answer with what backs it.
  package struct Cell: Sendable {
    /// The answer.
    package var answer: Answer
    /// What must hold beside being the client: one of these. Empty if the answer is `always` or
    /// `never`; where it is not known, nothing else can grant.
    package var alternatives: [Alternative] = []
    /// A request that the evaluator allowed: unless the answer is `never` there is one, which is here if
    /// it is wanted (`Examples`).
    package var allowed: Counterexample?
    /// A request that the evaluator denied: the same for `onlyIf`.
    package var denied: Counterexample?
    /// For `never` the statements that could apply, each with the conjuncts that keep it from
    /// granting, if all examples are wanted and the budget goes so far.
    package var basis: [Proof.Safety] = []
    /// Why it is not known.
    package var doubts: [Doubt] = []
  }

  /// Which requests are shown. To make them small takes a fifth of an audit.
  package enum Examples: Sendable {
    /// One that is allowed and one that is denied for each answer.
    case all
    /// Those of findings.
    case ofFindings
  }

  /// A cell of a path.
  struct CellPlace: Sendable, Hashable {
    /// The operation, by its place among the rows.
    var row: Int
    /// The client, by its place among the path's.
    var column: Int
  }

  /// A statement that grants if a condition holds.
  package struct Alternative: Sendable, Hashable {
    /// The statement.
    package var allow: AllowID
    /// What is left of its condition once it is known who the client is.
    package var residual: ResidualCondition
    /// The pattern of the statement's block, if not all documents of the path match it.
    package var place: String?
    /// Which requests of the operation the statement can grant.
    package var reach = Reach.all
  }

  /// Which requests a statement can grant.
  package enum Reach: Sendable, Hashable {
    case all
    /// Queries whose filters name the document.
    case namedQueries
    /// Queries of a collection group below a document, not in the whole database.
    case queriesBelowDocuments
  }

  /// Every answer.
  package var cells: [Cell] { paths.flatMap { path in path.rows.flatMap { $0.cells } } }

  /// How many answers there are of a kind.
  package func count(_ answer: Answer) -> Int { cells.count { $0.answer == answer } }

  /// How many answers the search would have got wrong, as only an attack showed.
  package var missed: Int { cells.count { cell in cell.doubts.contains { $0.isMissed } } }
}

extension AccessMatrix.Operation {
  /// The name in reports.
  package var label: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .listGroup: "list the collection group"
    case .create: "create"
    case .createWith(let field): "create with \(String(field))"
    case .update(let field): "update \(String(field))"
    case .updateOther(let fields): fields.isEmpty ? "update any field" : "update any other field"
    case .delete: "delete"
    }
  }

  /// The method that rules see.
  package var method: Method {
    switch self {
    case .get: .get
    case .list, .listGroup: .list
    case .create, .createWith: .create
    case .update, .updateOther: .update
    case .delete: .delete
    }
  }

  /// The condition on requests of the method; nil if there is none.
  var condition: String? {
    let affected = "request.resource.data.diff(resource.data).affectedKeys()"
    switch self {
    case .get, .list, .listGroup, .create, .delete: return nil
    case .createWith(let field): return "\(field.literal) in request.resource.data"
    case .update(let field): return "\(affected).hasAny([\(field.literal)])"
    case .updateOther(let fields):
      let names = fields.map { $0.literal }.joined(separator: ", ")
      return "!\(affected).hasOnly([\(names)])"
    }
  }

  /// Whether a kind of request does this.
  func covers(_ access: Scenario.Access) -> Bool {
    switch (self, access) {
    case (.listGroup, .group): true
    case (.listGroup, _), (_, .group): false
    default: true
    }
  }
}

extension AccessMatrix.Alternative {
  /// The condition and the remarks; `true` if there are none.
  package var text: String {
    let parts = [condition].compactMap { $0 } + remarks
    return parts.isEmpty ? "true" : parts.joined(separator: ", and ")
  }

  /// The condition in the rules language, if anything is left of it.
  package var condition: String? { residual == .nothing ? nil : residual.text }

  /// The requests that the statement can grant, in words.
  package var remarks: [String] {
    var parts: [String] = []
    if let place { parts.append("the path matches \(place)") }
    switch reach {
    case .all: break
    case .namedQueries: parts.append("the query names the document")
    case .queriesBelowDocuments: parts.append("the query asks below a document")
    }
    return parts
  }
}

extension Counterexample {
  /// The request as a test that expects what the rules say to it.
  package func record(name: String) -> JSON {
    SuiteWriter.test(
      name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
  }
}
