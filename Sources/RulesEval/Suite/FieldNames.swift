package import RulesLang

extension Suite {
  /// The names of fields in all documents that the suite stores or writes.
  package var fieldNames: Set<Text> {
    var names = FieldNames()
    for (_, data) in documents.all { names.add(data) }
    for test in tests { names.add(test) }
    return names.found
  }
}

extension SuiteStream {
  /// The names of fields in all documents that the suite stores or writes.
  package var fieldNames: Set<Text> {
    var names = FieldNames(found: suite.fieldNames)
    for portion in 0..<portionCount {
      for test in read(portion)?.tests ?? [] { names.add(test) }
    }
    return names.found
  }
}

/// Collects the names of fields, including those of maps inside documents.
private struct FieldNames {
  private(set) var found: Set<Text> = []

  mutating func add(_ test: Test) {
    for (_, data) in test.documents { add(data) }
    switch test.subject {
    case .operation(.commit(let writes)): for write in writes { add(write) }
    case .steps(let steps): for step in steps { add(step) }
    case .operation(.get), .operation(.list), .supplied: break
    }
  }

  mutating func add(_ data: MapValue) {
    for (name, value) in data {
      found.insert(name)
      add(value)
    }
  }

  mutating func add(_ write: Write) {
    for (path, _) in write.transforms { found.formUnion(path.names) }
    guard case .set(let data, let mask) = write.change else { return }
    add(data)
    for path in mask ?? [] { found.formUnion(path.names) }
  }

  /// Adds the names inside a value. Recurses as deeply as JSON nests, which its parser limits.
  private mutating func add(_ value: Value) {
    switch value {
    case .map(let map): add(map)
    case .list(let elements): for element in elements { add(element) }
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .vector, .mapDiff, .constraint:
      break
    }
  }
}
