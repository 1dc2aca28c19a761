import RulesLang

// The promise of a query's disjunct about its documents: the `resource` of a list request (Docs/Language.md
// §9). It is built from the filters alone; stored documents are only read for a filter that names one.

extension Query {
  static let nameField = FieldPath([name])
  private static let name: Text = "__name__"
  private static let data: Text = "data"

  /// Returns the document that a disjunct names: by an equality on `__name__` and no other filter on it.
  static func namedDocument(_ disjunct: [Condition]) -> PathValue? {
    guard let entries = grouped(disjunct).first(where: { $0.field == nameField })?.entries,
      entries.count == 1, entries[0].comparator == .equal, case .path(let path) = entries[0].value
    else { return nil }
    return path
  }

  /// Returns `resource` for a disjunct that names no document: `data`, and `__name__` if it is constrained,
  /// but never an `id`.
  func promise(_ disjunct: [Condition]) -> Value {
    var data = MapValue()
    // A filter on a part of a map takes precedence over one on the map.
    let groups = Self.grouped(disjunct).filter { $0.field != Self.nameField }
    for depth in 1...max(1, groups.map { $0.field.names.count }.max() ?? 1) {
      for (field, entries) in groups where field.names.count == depth {
        data.set(Self.value(of: entries), at: field)
      }
    }
    data = data.ordered(by: Self.fieldOrder(disjunct).map { $0.names[...] })
    var resource = MapValue()
    resource.append(Self.data, value: .map(data))
    if let name = nameConstraint(disjunct) {
      resource.append(Self.name, value: .constraint(name))
    }
    return .map(resource)
  }

  /// Returns the fields of filters in the order in which the emulator puts them into `resource.data`: that of
  /// a hash map into which the last filter is put first (Docs/Fidelity.md §21).
  private static func fieldOrder(_ disjunct: [Condition]) -> [FieldPath] {
    if disjunct.count < 2 { return disjunct.map { $0.field } }
    var seen: Set<FieldPath> = []
    let fields = disjunct.reversed().map { $0.field }.filter { seen.insert($0).inserted }
    // One filter more than usual fits before the table grows.
    return JavaHash.order(of: fields.map { JavaHash.hash(of: $0) }, spare: 1).map { fields[$0] }
  }

  /// Groups filters by field; fields are in the order of their first filter.
  private static func grouped(
    _ disjunct: [Condition]
  ) -> [(field: FieldPath, entries: [Constraint.Entry])] {
    var groups: [(field: FieldPath, entries: [Constraint.Entry])] = []
    for condition in disjunct {
      if let place = groups.firstIndex(where: { $0.field == condition.field }) {
        for entry in condition.entries
        where !groups[place].entries.contains(where: { $0.isSame(as: entry) }) {
          groups[place].entries.append(entry)
        }
      } else {
        groups.append((condition.field, distinct(condition.entries)))
      }
    }
    return groups
  }

  private static func distinct(_ entries: [Constraint.Entry]) -> [Constraint.Entry] {
    var kept: [Constraint.Entry] = []
    for entry in entries where !kept.contains(where: { $0.isSame(as: entry) }) {
      kept.append(entry)
    }
    return kept
  }

  /// Returns the value of a field with these filters: for a single equality its operand; else a constraint.
  private static func value(of entries: [Constraint.Entry]) -> Value {
    if entries.count == 1, entries[0].comparator == .equal { return entries[0].value }
    return .constraint(Constraint(entries.filter(isKept)))
  }

  /// True if a filter leaves a trace in the constraint: ranges over types without an order leave none.
  private static func isKept(_ entry: Constraint.Entry) -> Bool {
    switch entry.comparator {
    case .equal, .notEqual, .listContains: true
    case .less, .lessEqual, .greater, .greaterEqual:
      switch entry.value {
      case .int, .float, .string, .timestamp, .bytes: true
      case .null, .bool, .list, .map, .set, .duration, .latlng, .path, .mapDiff, .vector,
        .constraint:
        false
      }
    }
  }

  private func nameConstraint(_ disjunct: [Condition]) -> Constraint? {
    if isCollectionGroup, !parent.segments.isEmpty { return Constraint([]) }
    guard let entries = Self.grouped(disjunct).first(where: { $0.field == Self.nameField })?.entries
    else { return nil }
    return Constraint(entries.filter { $0.comparator == .notEqual || $0.comparator == .equal })
  }
}

extension MapValue {
  /// Returns the map with its keys, at each level, in the order of the paths; keys that no path leads to come
  /// last.
  fileprivate func ordered(by paths: [ArraySlice<Text>]) -> MapValue {
    if count < 2, paths.allSatisfy({ $0.count < 2 }) { return self }
    var result = MapValue()
    for path in paths {
      guard let name = path.first, !result.contains(name), let value = self[name] else { continue }
      let inner = paths.filter { $0.count > 1 && $0.first == name }.map { $0.dropFirst() }
      if case .map(let map) = value, !inner.isEmpty {
        result.append(name, value: .map(map.ordered(by: inner)))
      } else {
        result.append(name, value: value)
      }
    }
    for (name, value) in self where !result.contains(name) { result.append(name, value: value) }
    return result
  }
}
