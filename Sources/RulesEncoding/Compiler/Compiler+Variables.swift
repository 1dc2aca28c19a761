import RulesEval
package import RulesLang
package import RulesSolver

// The variables of conditions: `request`, `resource`, captures, parameters and `let`s.

extension Compiler {
  /// Returns the value of a variable.
  package func variable(_ id: ExprID, in frame: SymbolicFrame) -> Cases {
    switch rules.binding(id) {
    case .local(let slot): frame.locals[Int(slot)]
    case .capture(let slot): frame.captures[Int(slot)]
    case .request: request
    case .resource: resource(at: id, in: frame)
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: .error
    }
  }

  /// The path of the document, with the database root.
  var documentPath: Cases {
    if let known = subjects.path { return known }
    let path = part(0..<(DatabaseName.rootCount + scene.segments.count))
    subjects.path = path
    return path
  }

  private var request: Cases {
    if let known = subjects.request { return known }
    let request = newRequest()
    subjects.request = request
    return request
  }

  private func newRequest() -> Cases {
    let method = scene.scenario.method
    var fields: [(Text, Cases)] = [
      ("auth", auth), ("method", Cases(problem.text(Text(method.word)))),
      ("path", requestPath), ("time", Cases(scene.time)),
      ("headers", Cases(problem.constant(.map(MapValue())))),
      ("inTransaction", Cases(problem.constant(.bool(method.isWrite)))),
    ]
    if method.isWrite {
      fields.append(("resource", pending))
      fields.append(("readFields", Cases(problem.terms.null)))
      for (place, name) in (["transforms", "writeFields"] as [Text]).enumerated() {
        let unknown = RequestVariable.unknown(-2 - place - scene.number * Self.unknownsOfAWrite)
        fields.append((name, Cases(problem.terms.variable(unknown, types: [.null, .list]))))
      }
      if method == .create { fields.append(("autoId", autoID)) }
    } else {
      fields.append(("fields", Cases(problem.terms.null)))
    }
    if method == .list { fields.append(("query", query)) }
    return Cases(.view(fields.map { Shape.Field(key: $0.0, value: $0.1) }))
  }

  /// The number of the unknown for the parent of a query that may be the root.
  private static let openParent = -1_900_000

  /// The flag that a query which names its document is a query of a collection group.
  package static let isNamedInGroup = RequestFlag.defined(-21)

  /// Returns the flag that a query of a collection group which names its document reads below the first
  /// `length` segments of the document's path; the shortest of several counts.
  package static func isNamedBelow(_ length: Int) -> RequestFlag { .defined(-1_800_000 - length) }

  /// The numbers of the unknowns for the collection and the parent of a query that names its document.
  private static let (namedKind, namedParent) = (-22, -23)

  /// The distance between the numbers of unknowns of two writes of a commit.
  private static let unknownsOfAWrite = 100_000_000

  /// `request.autoId`, which exists only if the client requires that the document is new.
  private var autoID: Cases {
    let isThere = problem.flag(.defined(-1 - scene.number * Self.unknownsOfAWrite))
    return Cases(cases: [Cases.Case(guardRef: isThere, shape: .truth(.no))])
  }

  private var auth: Cases {
    let record = Shape.record([
      Shape.Field(key: "uid", value: Cases(scene.uid)),
      Shape.Field(key: "token", value: Cases(scene.token)),
    ])
    return Cases(cases: [
      Cases.Case(guardRef: scene.signedOut, shape: .term(problem.terms.null)),
      Cases.Case(guardRef: !scene.signedOut, shape: record),
    ])
  }

  private var requestPath: Cases {
    switch scene.scenario.access {
    case .document, .namedQuery: return documentPath
    case .query: return part(0..<(DatabaseName.rootCount + scene.segments.count - 1))
    case .group: return .error
    }
  }

  /// `request.query`. A missing limit is null, a missing offset is 0; queries with a negative one are refused
  /// before the rules are evaluated (Docs/Fidelity.md §6).
  private var query: Cases {
    let limit = problem.terms.variable(.limit, types: [.null, .int])
    let offset = problem.terms.variable(.offset, types: .int)
    problem.require(!problem.atMost(limit, in: .int, bound: -1))
    problem.require(!problem.atMost(offset, in: .int, bound: -1))
    var fields: [(Text, Cases)] = [
      ("limit", Cases(limit)), ("offset", Cases(offset)),
      ("orderBy", Cases(problem.terms.variable(.unknown(-1), types: .map))),
      ("kind", kind),
      ("distinct", Cases(.truth(.no))), ("selectOnlyKeys", Cases(.truth(.no))),
      ("groupBy", Cases(problem.constant(.map(MapValue())))),
    ]
    switch scene.scenario.access {
    case .document, .query:
      fields += [
        ("parent", parent(scene.segments.count - 2)), ("allDescendants", Cases(.truth(.no))),
      ]
    case .namedQuery:
      let isGroup = problem.flag(Self.isNamedInGroup)
      let parent = problem.terms.variable(.unknown(Self.namedParent), types: [.null, .path])
      fields += [
        ("parent", Cases(cases: [Cases.Case(guardRef: !isGroup, shape: .term(parent))])),
        ("ancestor", namedAncestor(isGroup)),
        ("allDescendants", Cases(.truth(isGroup))),
      ]
    case .group(let below):
      fields += [("ancestor", parent(below)), ("allDescendants", Cases(.truth(.yes)))]
    }
    return Cases(.view(fields.map { Shape.Field(key: $0.0, value: $0.1) }))
  }

  /// Returns the ancestor of a collection group query that names its document: the root or a document above
  /// it. Below a document, such a query takes filters on names.
  private func namedAncestor(_ isGroup: Ref) -> Cases {
    if scene.scenario.isOpen {
      let unknown = openPath(number: Self.openParent, types: [.null, .path])
      return under(isGroup, value: unknown)
    }
    var found: [Cases.Case] = []
    var isElsewhere = isGroup
    for length in stride(from: 2, through: scene.segments.count - 2, by: 2) {
      let isHere = problem.flag(Self.isNamedBelow(length))
      found += under(problem.graph.and(isElsewhere, isHere), value: parent(length)).cases
      isElsewhere = problem.graph.and(isElsewhere, !isHere)
    }
    return Cases(cases: found + under(isElsewhere, value: Cases(problem.terms.null)).cases)
  }

  /// The ID of the queried collection; a query that names its document may be of any collection. For the
  /// longer paths that the scenario represents, the last segment but one may be what nothing else sees.
  private var kind: Cases {
    scene.scenario.access == .namedQuery || scene.scenario.isOpen
      ? Cases(problem.terms.variable(.unknown(Self.namedKind), types: .string))
      : Cases(scene.segments[scene.segments.count - 2])
  }

  /// Returns the path of the first `count` segments; null for none.
  private func parent(_ count: Int) -> Cases {
    if count == 0 {
      // For the longer paths that the scenario represents, the parent is a path.
      return scene.scenario.isOpen
        ? openPath(number: Self.openParent, types: [.null, .path]) : Cases(problem.terms.null)
    }
    return part(0..<(DatabaseName.rootCount + count))
  }

  private func document(_ data: TermID) -> Shape {
    .record([
      Shape.Field(key: "data", value: Cases(data)),
      Shape.Field(key: "id", value: Cases(scene.segments[scene.segments.count - 1])),
      Shape.Field(key: "__name__", value: documentPath),
    ])
  }

  /// Returns `resource`: the document before the request, or the promise of a query's filters.
  private func resource(at id: ExprID, in frame: SymbolicFrame) -> Cases {
    let isPromise: Bool
    switch scene.scenario.access {
    case .document, .namedQuery: isPromise = false
    case .query, .group: isPromise = !frame.seesDocument
    }
    if isPromise {
      // A filter on the document name leaves a constraint, which is not interpreted.
      return Cases(
        .view([
          Shape.Field(key: "data", value: Cases(promisedData)),
          Shape.Field(key: "__name__", value: promisedName(id)),
        ]))
    }
    return stored
  }

  /// The promised data. It is empty for a collection group below a document: such a query is refused if it
  /// has filters (Docs/Fidelity.md §6).
  private var promisedData: TermID {
    guard case .group(let below) = scene.scenario.access, below > 0 else { return scene.promise }
    return problem.constant(.map(MapValue()))
  }

  private var stored: Cases {
    if let known = subjects.stored { return known }
    var stored = Cases(cases: [
      Cases.Case(guardRef: scene.isStored, shape: document(scene.before))
    ])
    if rules.profile.hasMissingResource {
      stored.cases.append(
        Cases.Case(guardRef: !scene.isStored, shape: .term(problem.terms.null)))
    }
    subjects.stored = stored
    return stored
  }

  private func promisedName(_ id: ExprID) -> Cases {
    opaque(number: -20, at: id, reason: "the name of a query's documents")
  }

  /// `request.resource`: the document after the request, null for a delete.
  private var pending: Cases {
    Cases(cases: [
      Cases.Case(guardRef: scene.isWritten, shape: document(scene.after)),
      Cases.Case(guardRef: !scene.isWritten, shape: .term(problem.terms.null)),
    ])
  }

  /// Returns the possible types of a term's members.
  func memberTypes(of term: TermID) -> TypeSet {
    problem.terms.partTypes(of: term).intersection(valueTypes)
  }
}
