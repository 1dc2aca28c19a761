package import RulesEncoding
package import RulesEval
package import RulesLang

/// The access matrix: for each path pattern of the rules, each kind of client and each operation,
/// the answer always, never, or only if.
package struct AccessMatrix: Sendable {
  /// The path patterns with statements, in the order of the source.
  package var paths: [Path]
  /// True if a rule names the field that the audit is about.
  package var isFieldNamed = true
  /// The escalations of statements that depend on stored data.
  package var escalations: [Escalation] = []
  /// The statements that let anybody read, update or delete documents of others.
  package var opened: Set<AllowID> = []
  /// The statements for which it is undecided whether they are open to outsiders.
  package var unknown: Set<AllowID> { Set(paths.flatMap { $0.unknown }) }

  /// The answers for the documents of one path pattern that match no narrower one.
  package struct Path: Sendable {
    /// The documents; its exceptions are the narrower patterns.
    package var path: ClaimPath
    /// The match blocks with this pattern.
    package var blocks: [MatchID]
    /// The kinds of clients; every client is of exactly one. Empty if narrower patterns match all
    /// documents.
    package var columns: ClientColumns
    /// The answers by operation; empty without clients.
    package var rows: [Row]
    /// The methods with a statement whose condition is not just `false`.
    package var ruled = MethodSet([])
    /// The accesses that are open to anybody although the answer is not "always".
    var openings: [Opening] = []
    /// The statements for which it is undecided whether they are open to outsiders.
    var unknown: Set<AllowID> = []

    /// The kinds of clients, in the order of the columns.
    package var clients: [Client] { columns.clients }

    /// True if narrower patterns match all documents of this one.
    package var isOvershadowed: Bool { clients.isEmpty }

    /// The restriction to documents of no narrower pattern, for reports; empty without one.
    package var extent: String {
      if isOvershadowed { return "(no documents: narrower paths match all of them)" }
      return path.exceptions.isEmpty ? "" : "(documents that no narrower path matches)"
    }
  }

  /// The answers for one operation.
  package struct Row: Sendable {
    /// The operation.
    package var operation: Operation
    /// The answers, in the order of the path's clients.
    package var cells: [Cell]
  }

  /// An operation on a document.
  package enum Operation: Sendable, Hashable {
    case get
    /// By a query of the document's own collection, or by one of the collection group that names the
    /// document.
    case list
    /// By a query of the collection group, whether it names the document or not.
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

  /// An answer: do the rules allow the operation?
  package enum Answer: Sendable, Hashable {
    /// All such requests are allowed.
    case always
    /// All such requests are denied.
    case never
    /// Some requests are allowed and some are not.
    case onlyIf
    /// Undecided.
    case undecided

    /// True if the answer rests on a proof alone.
    package var isProved: Bool {
      switch self {
      case .always, .never: true
      case .onlyIf, .undecided: false
      }
    }

    /// The word in reports.
    package var word: String {
      switch self {
      case .always: "always"
      case .never: "never"
      case .onlyIf: "only if"
      case .undecided: "undecided"
      }
    }
  }

  /// An answer with its evidence.
  package struct Cell: Sendable {
    /// The answer.
    package var answer: Answer
    /// The conditions under which statements grant. Empty for `always` and `never`; if undecided,
    /// an upper bound.
    package var alternatives: [Alternative] = []
    /// A request that the evaluator allowed, if one is known and wanted (`Examples`); nil for `never`.
    package var allowed: Counterexample?
    /// A request that the evaluator denied, if the answer is `onlyIf`.
    package var denied: Counterexample?
    /// For `never`, the statements that could apply, with the conjuncts that keep them from
    /// granting, if all examples are wanted and the budget suffices.
    package var basis: [Proof.Safety] = []
    /// The reasons for an undecided answer.
    package var openReasons: [OpenReason] = []
    /// The reason why the proof checker has not confirmed the answer `always` or `never`; nil if it has.
    package internal(set) var unchecked: ProofCheck.Reason? = .notAsked
  }

  /// The choice of example requests. Shrinking these takes a fifth of an audit.
  package enum Examples: Sendable {
    /// An allowed and a denied request for each answer.
    case all
    /// The requests of findings only.
    case ofFindings
  }

  /// The position of a cell in a path.
  struct CellPlace: Sendable, Hashable {
    /// The index of the operation's row.
    var row: Int
    /// The index of the client.
    var column: Int
  }

  /// A statement that grants under a condition.
  package struct Alternative: Sendable, Hashable {
    /// The statement.
    package var allow: AllowID
    /// The residual of its condition for the column's clients.
    package var residual: ResidualCondition
    /// The pattern of the statement's block, unless it matches all documents of the path.
    package var place: String?
    /// The kinds of requests that the statement can grant.
    package var reach = Reach.all
  }

  /// The kinds of requests that a statement can grant.
  package enum Reach: Sendable, Hashable {
    case all
    /// Queries whose filters name the document.
    case namedQueries
    /// Queries of a collection group below a document, not in the whole database.
    case queriesBelowDocuments
    /// Queries of a collection group that name the document, or read below one.
    case namedOrBelowDocuments
  }

  /// Every answer.
  package var cells: [Cell] { paths.flatMap { path in path.rows.flatMap { $0.cells } } }

  /// Returns the number of cells with an answer.
  package func count(_ answer: Answer) -> Int { cells.count { $0.answer == answer } }

  /// The number of proved answers that the proof checker has not confirmed.
  package var unchecked: Int { cells.count { $0.answer.isProved && $0.unchecked != nil } }

  /// The number of answers that the search missed and an attack revealed.
  package var missed: Int { cells.count { cell in cell.openReasons.contains { $0.isMissed } } }
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

  /// The condition on requests of the method; nil for all of them.
  var condition: String? {
    let affected = "request.resource.data.diff(resource.data).affectedKeys()"
    switch self {
    case .get, .list, .create, .delete: return nil
    case .listGroup: return "request.query.allDescendants"
    case .createWith(let field): return "\(field.literal) in request.resource.data"
    case .update(let field): return "\(affected).hasAny([\(field.literal)])"
    case .updateOther(let fields):
      let names = fields.map { $0.literal }.joined(separator: ", ")
      return "!\(affected).hasOnly([\(names)])"
    }
  }

  /// True if a request with this kind of access performs the operation.
  func covers(_ access: Scenario.Access) -> Bool {
    switch (self, access) {
    case (.listGroup, .group), (.listGroup, .namedQuery): true
    case (.listGroup, _), (_, .group): false
    default: true
    }
  }
}

extension AccessMatrix.Alternative {
  /// The condition and the restrictions in words; `true` if there are none.
  package var text: String {
    let parts = [condition].compactMap { $0 } + remarks
    return parts.isEmpty ? "true" : parts.joined(separator: ", and ")
  }

  /// The condition in the rules language; nil if nothing is left.
  package var condition: String? { residual == .nothing ? nil : residual.text }

  /// The restrictions to some requests, in words.
  package var remarks: [String] {
    var parts: [String] = []
    if let place { parts.append("the path matches \(place)") }
    switch reach {
    case .all: break
    case .namedQueries: parts.append("the query names the document")
    case .queriesBelowDocuments: parts.append("the query reads below a document")
    case .namedOrBelowDocuments:
      parts.append("the query names the document or reads below one")
    }
    return parts
  }
}

extension Counterexample {
  /// Returns a test that records the decision.
  package func record(name: String) -> JSON {
    SuiteWriter.test(
      name: name, request, on: documents, expect: decision.isAllowed ? .allow : .deny)
  }
}
