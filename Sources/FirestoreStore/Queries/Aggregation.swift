public import RulesEval
public import RulesLang

/// An aggregation of a query: a number computed from its results.
public struct Aggregation: Sendable {
  /// The kind of an aggregation.
  public enum Kind: Sendable {
    /// The number of documents, at most `upTo`.
    case count(upTo: Int64?)
    /// The sum of the numbers of a field.
    case sum(FieldPath)
    /// The mean of the numbers of a field.
    case average(FieldPath)
  }

  /// The kind of the aggregation.
  public var kind: Kind
  /// The name of the result; if empty, the server names it `field_1` and so on.
  public var alias: Text

  /// Maximum aggregations of a query, as Firestore documents.
  static let mostInQuery = 5

  /// Creates an aggregation.
  public init(_ kind: Kind, alias: Text = Text()) {
    self.kind = kind
    self.alias = alias
  }

  /// The aggregated field; nil for a count.
  var field: FieldPath? {
    switch kind {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }
}

extension Store {
  /// Returns the values of aggregations of a query, with their names.
  ///
  /// Documents that lack a field of any of the aggregations are not counted in any of them.
  public func aggregate(
    _ query: StoreQuery, _ aggregations: [Aggregation]
  ) throws(Refusal) -> [(alias: Text, value: Value)] {
    let names = try query.check(aggregations, in: id)
    let fields = Set(aggregations.compactMap { $0.field })
    try query.checkRun(aggregated: fields)
    let documents = matches(of: query, aggregated: fields)
    return zip(names, aggregations).map { name, aggregation in
      (name, aggregation.value(over: documents))
    }
  }
}

extension StoreQuery {
  /// Throws the first mistake for which aggregations of the query are refused before the rules are evaluated.
  /// Mistakes in single parts of the query come first, then those in the aggregations, then the others of the
  /// query.
  ///
  /// - Returns: The names of the results.
  @discardableResult
  public func check(_ aggregations: [Aggregation], in id: DatabaseID) throws(Refusal) -> [Text] {
    for aggregation in aggregations { try aggregation.checkLimit() }
    try checkParts(in: id)
    if !aggregations.isEmpty { try checkSelection(for: aggregations.compactMap { $0.field }) }
    let names = try Aggregation.names(of: aggregations)
    try check(in: id)
    return names
  }
}

extension StoreQuery {
  /// Throws if the query selects fields although fields are aggregated.
  private func checkSelection(for aggregated: [FieldPath]) throws(Refusal) {
    guard let selection, !aggregated.isEmpty else { return }
    let selected = selection.filter { $0 != StoreFilter.nameField }
    if selected.isEmpty { throw .aggregatedNames }
    for field in aggregated where !selected.contains(where: { field.names.starts(with: $0.names) })
    {
      throw .aggregatedBesideSelection(field)
    }
    throw .aggregatedSelection
  }
}

extension Aggregation {
  /// Returns the names of the results. Throws if there are no aggregations or too many, or one is invalid.
  fileprivate static func names(of aggregations: [Aggregation]) throws(Refusal) -> [Text] {
    if aggregations.isEmpty { throw .noAggregations }
    if aggregations.count > mostInQuery { throw .aggregations(aggregations.count) }
    for aggregation in aggregations { try aggregation.checkAlias() }
    var number = 0
    let names = aggregations.map { aggregation in
      if !aggregation.alias.isEmpty { return aggregation.alias }
      number += 1
      return Text("field_\(number)")
    }
    var seen: Set<Text> = []
    for (name, aggregation) in zip(names, aggregations) {
      if !seen.insert(name).inserted { throw .duplicateAlias(name) }
      if aggregation.field == StoreFilter.nameField {
        throw .invalidArgument("Aggregations are not supported for the property: __key__")
      }
    }
    return names
  }

  /// Throws if the limit of a count is negative.
  public func checkLimit() throws(Refusal) {
    if case .count(let limit?) = kind, limit < 0 {
      throw .invalidArgument(
        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
    }
  }

  private func checkAlias() throws(Refusal) {
    if alias.bytes.count > Impossibility.longestName {
      throw .invalidArgument(
        "The property.name is longer than \(Impossibility.longestName) bytes.")
    }
    if alias.isReserved {
      throw .invalidArgument("The property.name \"\(String(alias))\" is reserved.")
    }
  }

  /// Returns the value of the aggregation over documents.
  fileprivate func value(over documents: [StoredDocument]) -> Value {
    switch kind {
    case .count(let limit): return .int(min(Int64(documents.count), limit ?? .max))
    case .sum(let field):
      var sum = RunningSum()
      for document in documents { sum.add(document.data.value(at: field)) }
      return sum.value
    case .average(let field):
      var sum = RunningSum()
      for document in documents { sum.add(document.data.value(at: field)) }
      return sum.average
    }
  }
}
