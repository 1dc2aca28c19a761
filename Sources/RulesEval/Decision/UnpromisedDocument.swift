import RulesLang

// Rules are not filters, and for queries they are not sound either: what no filter mentions is
// absent, so `!('secret' in resource.data)` lets a query pass that returns documents with a secret
// (Docs/Fidelity.md §7). Such a document is looked for among the values that the rules mention; one
// that is found is proof.

extension Engine {
  /// Searches for a document that an allowed query can return although the rules refuse it.
  ///
  /// - Returns: Its data; nil if none was found, which proves nothing: at most `limit` documents are tried
  ///   for each disjunct.
  public func refusedResult(
    of request: Request, on documents: Documents, limit: Int = 150
  ) -> MapValue? {
    guard case .list(let query) = request.operation,
      let plan = try? Plan(
        request, on: documents, in: rules.database, profile: profile)
    else { return nil }
    let mentions = Mentions(rules.ruleset)
    for access in plan.accesses {
      guard case .success(.map(let resource)) = access.resource, resource["id"] == nil,
        case .map(let promise)? = resource["data"], !isGrantedAlike(access, with: plan.lookups)
      else { continue }
      let path = Self.somePath(access)
      for data in mentions.documents(keeping: promise).prefix(limit)
      where query.returns(path, with: data, in: rules.database) {
        var concrete = access
        concrete.path = path.fullSegments(in: rules.database).map { .segment($0) }
        concrete.resource = .success(Documents.resource(at: path, with: data, in: rules.database))
        if !grants(concrete, with: plan.lookups) { return data }
      }
    }
    return nil
  }

  /// True if the statement that grants an access does not read `resource`, so that it grants every document
  /// alike.
  private func isGrantedAlike(_ access: Access, with lookups: Lookups) -> Bool {
    guard let granting = statement(granting: access, lookups) else { return false }
    return rules.ruleset[granting].condition.map { !readsResource($0) } ?? true
  }

  /// True if a condition, or a function that it calls, reads `resource`.
  private func readsResource(_ condition: Body) -> Bool {
    rules.bodies(reachedFrom: [condition]).contains { body in
      body.nodes.contains { rules.binding($0) == .resource }
    }
  }

  /// Returns the path of some document in the collection that the access queries.
  private static func somePath(_ access: Access) -> DocumentPath {
    var segments: [Text] = []
    for step in access.path.dropFirst(DatabaseName.rootCount) {
      switch step {
      case .segment(let text): segments.append(text)
      case .anyDocument: segments.append("any")
      case .anyRun: break
      }
    }
    return DocumentPath(segments)
  }
}

/// The field names and constants that a rules file mentions, from which distinguishing documents are made.
private struct Mentions {
  private var names: [Text] = []
  private var constants: [Value] = [.bool(true), .int(1), .string("x"), .null]

  init(_ ruleset: Ruleset) {
    for expression in ruleset.expressions {
      switch expression.kind {
      case .member(_, let name): add(name.text)
      case .literal(let literal):
        constants.append(Value(literal))
        if case .string(let text) = literal { add(text) }
      default: continue
      }
    }
  }

  private mutating func add(_ name: Text) {
    if !names.contains(name) { names.append(name) }
  }

  /// Returns documents that satisfy the query's promise: a base document, then variants with another value or
  /// one more field.
  func documents(keeping promise: MapValue) -> [MapValue] {
    var base = promise
    for (name, value) in promise {
      if let choice = choices(value).first { base[name] = choice }
    }
    var found = [base]
    for (name, value) in promise {
      for choice in choices(value).dropFirst() {
        var other = base
        other[name] = choice
        found.append(other)
      }
    }
    for constant in constants.prefix(4) {
      for name in names where promise[name] == nil {
        var other = base
        other[name] = constant
        found.append(other)
      }
    }
    return found
  }

  /// Returns values that may satisfy what the filters promise of a field; the caller checks them against the
  /// query.
  private func choices(_ promised: Value) -> [Value] {
    guard case .constraint(let constraint) = promised else { return [promised] }
    var values: [Value] = []
    for entry in constraint.entries {
      switch (entry.comparator, entry.value) {
      case (.listContains, let element):
        values.append(.list([element]))
        values += constants.map { .list([element, $0]) }
      case (.greater, .int(let bound)) where bound < .max: values.append(.int(bound + 1))
      case (.less, .int(let bound)) where bound > .min: values.append(.int(bound - 1))
      case (_, let value): values.append(value)
      }
    }
    return values + constants
  }
}
