import RulesLang

// The properties of a query that rules see, without the promise of its filters (Docs/Language.md §9).

extension Query {
  /// Returns the path of the queried documents.
  func steps(in database: DatabaseName) -> [RequestStep] {
    let group: [RequestStep] = isCollectionGroup ? [.anyRun] : []
    let named: RequestStep = collection.isEmpty ? .anyDocument : .segment(collection)
    return parent.steps(in: database) + group + [named, .anyDocument]
  }

  /// Returns the path of the collection.
  func path(in database: DatabaseName) -> PathValue {
    PathValue(plain: parent.fullSegments(in: database) + [collection])
  }

  /// Returns the value of `request.query`.
  func value(in database: DatabaseName) -> Value {
    typealias Names = RequestNames
    var map = MapValue()
    map.reserve(Self.keyCount)
    map.append(Names.distinct, value: .bool(false))
    map.append(Names.selectOnlyKeys, value: .bool(false))
    map.append(Names.groupBy, value: .map(MapValue()))
    map.append(Names.kind, value: collection.isEmpty ? .null : .string(collection))
    map.append(
      isCollectionGroup ? Names.ancestor : Names.parent,
      value: parent.segments.isEmpty ? .null : .path(parent.value(in: database)))
    map.append(Names.orderBy, value: .map(order))
    map.append(Names.limit, value: limit.map { .int($0) } ?? .null)
    map.append(Names.offset, value: .int(offset))
    map.append(Names.allDescendants, value: .bool(isCollectionGroup))
    return .map(map)
  }

  /// The value of `request.query.orderBy`.
  var order: MapValue {
    MapValue(orderBy.map { ($0.field.text, .string($0.isDescending ? "DESC" : "ASC")) })
  }

  /// The number of keys of `request.query`.
  private static let keyCount = 9
}
