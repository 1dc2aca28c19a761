import RulesLang

// Warnings of impossible data. No client can send such a request, so a test of it proves nothing. It is
// decided all the same, because it may be about the text of the rules. `Impossibility` defines what is
// possible, for the prover, too.

extension SuiteReader {
  /// Warns of stored data that no document can have.
  mutating func warnOfDocument(_ data: MapValue, at json: JSON) {
    let part = data.impossiblePart { (map) throws(Impossibility) in try map.checkStorable() }
    if let part { return warn(part.reason, at: json.range(of: part.steps[...])) }
    warnOfSize(data, at: json)
  }

  /// Warns of a document above the maximum size.
  private mutating func warnOfSize(_ data: MapValue, at json: JSON) {
    // In JSON it is never shorter than it is stored.
    guard json.range.count > Impossibility.greatestSize else { return }
    let size = data.leastStoredSize
    if size > Impossibility.greatestSize { warn(.size(size), at: json.range) }
  }

  /// Warns of written data that no document can have. With `keysArePaths` the keys, of an update, are field
  /// paths.
  mutating func warnOfSentData(_ data: MapValue, at json: JSON, keysArePaths: Bool) {
    let part = data.impossiblePart { (map) throws(Impossibility) in try map.checkStorable() }
    guard let part else { return warnOfSize(data, at: json) }
    warn(part.reason, at: json.range(of: part.steps[...], keysArePaths: keysArePaths))
  }

  /// Warns of a value that no field can have.
  mutating func warnOfField(_ value: Value, at range: SourceRange) {
    do throws(Impossibility) {
      try MapValue([("x", value)]).checkStorable()
    } catch {
      warn(error, at: range)
    }
  }

  /// Warns of a path that leads to no field.
  mutating func warnOfFieldPath(_ path: FieldPath, at range: SourceRange) {
    do throws(Impossibility) {
      try path.checkNames()
    } catch {
      warn(error, at: range)
    }
  }

  /// Warns of a field that no query can filter or sort by.
  mutating func warnOfQueried(_ field: FieldPath, at range: SourceRange) {
    if field != Query.nameField { warnOfFieldPath(field, at: range) }
  }

  /// Warns of a filter's operand that no field, or no element of a field, can equal.
  mutating func warnOfFilter(
    _ value: Value, comparison: Query.Comparison, at range: SourceRange
  ) {
    switch (comparison, value) {
    case (.in, .list(let elements)), (.notIn, .list(let elements)):
      for element in elements { warnOfField(element, at: range) }
    case (.arrayContains, _): warnOfField(.list([value]), at: range)
    case (.equal, _), (.notEqual, _), (.less, _), (.lessEqual, _), (.greater, _),
      (.greaterEqual, _), (.in, _), (.notIn, _), (.arrayContainsAny, _):
      warnOfField(value, at: range)
    }
  }

  /// Warns of a token that Firebase cannot issue.
  mutating func warnOfToken(of principal: Principal, at json: JSON) {
    let part = principal.token.impossiblePart { (map) throws(Impossibility) in
      try map.checkClaims()
    }
    if let part { warn(part.reason, at: json.range(of: part.steps[...])) }
  }

  /// Warns of a path that no document or collection can have.
  mutating func warnOfPath(_ path: DocumentPath, at range: SourceRange) {
    do throws(Impossibility) {
      try path.checkIdentifiers()
    } catch {
      warn(error, at: range)
    }
  }
}

extension JSON {
  /// Returns the range of the part at the end of some steps; for a field, the range of its key.
  ///
  /// With `keysArePaths` the keys at the top are field paths, along whose names the steps lead.
  fileprivate func range(
    of steps: ArraySlice<ImpossiblePart.Step>, keysArePaths: Bool = false
  ) -> SourceRange {
    switch (kind, steps.first) {
    case (.object(let members), .field):
      if let only = members.first, members.count == 1, only.key == "$map" {
        return only.value.range(of: steps)
      }
      for member in members {
        let names = keysArePaths ? FieldPath(member.key)?.names ?? [] : [member.key]
        guard names.lead(along: steps) else { continue }
        let rest = steps.dropFirst(names.count)
        return rest.isEmpty ? member.keyRange : member.value.range(of: rest)
      }
      return range
    case (.array(let elements), .element(let place)) where place < elements.count:
      return elements[place].range(of: steps.dropFirst())
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _):
      return range
    }
  }
}

extension [Text] {
  /// True if the shorter one of names and steps is a prefix of the other.
  fileprivate func lead(along steps: ArraySlice<ImpossiblePart.Step>) -> Bool {
    !isEmpty
      && zip(self, steps).allSatisfy { name, step in
        switch step {
        case .field(let field): field == name
        case .element: false
        }
      }
  }
}
