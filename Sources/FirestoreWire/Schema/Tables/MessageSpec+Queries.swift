extension MessageSpec {
  /// The rows of queries.
  static let queries: [MessageSpec] = [
    structuredQuery, collectionSelector, filter, compositeFilter, fieldFilter, unaryFilter, order,
    fieldReference, projection, findNearest, cursor, structuredAggregationQuery, aggregation, count,
    sum, avg, aggregationResult, explainOptions,
  ]

  private static let structuredQuery = MessageSpec(
    .structuredQuery, "google.firestore.v1.StructuredQuery",
    [
      .message(.structuredQuerySelect, 1, "select", of: .projection),
      .messages(.structuredQueryFrom, 2, "from", of: .collectionSelector),
      .message(.structuredQueryWhere, 3, "where", of: .filter),
      .messages(.structuredQueryOrderBy, 4, "order_by", of: .order),
      .int32Value(.structuredQueryLimit, 5, "limit"),
      .int32(.structuredQueryOffset, 6, "offset"),
      .message(.structuredQueryStartAt, 7, "start_at", of: .cursor),
      .message(.structuredQueryEndAt, 8, "end_at", of: .cursor),
      .message(.structuredQueryFindNearest, 9, "find_nearest", of: .findNearest),
    ])

  private static let collectionSelector = MessageSpec(
    .collectionSelector, "google.firestore.v1.StructuredQuery.CollectionSelector",
    [
      .text(.collectionSelectorCollectionId, 2, "collection_id"),
      .bool(.collectionSelectorAllDescendants, 3, "all_descendants"),
    ])

  private static let filter = MessageSpec(
    .filter, "google.firestore.v1.StructuredQuery.Filter",
    [
      .message(
        .filterCompositeFilter, 1, "composite_filter", of: .compositeFilter, in: "filter_type"),
      .message(.filterFieldFilter, 2, "field_filter", of: .fieldFilter, in: "filter_type"),
      .message(.filterUnaryFilter, 3, "unary_filter", of: .unaryFilter, in: "filter_type"),
    ])

  private static let compositeFilter = MessageSpec(
    .compositeFilter, "google.firestore.v1.StructuredQuery.CompositeFilter",
    [
      .enumeration(.compositeFilterOp, 1, "op"),
      .messages(.compositeFilterFilters, 2, "filters", of: .filter),
    ])

  private static let fieldFilter = MessageSpec(
    .fieldFilter, "google.firestore.v1.StructuredQuery.FieldFilter",
    [
      .message(.fieldFilterField, 1, "field", of: .fieldReference),
      .enumeration(.fieldFilterOp, 2, "op"),
      .value(.fieldFilterValue, 3, "value"),
    ])

  private static let unaryFilter = MessageSpec(
    .unaryFilter, "google.firestore.v1.StructuredQuery.UnaryFilter",
    [
      .enumeration(.unaryFilterOp, 1, "op"),
      .message(.unaryFilterField, 2, "field", of: .fieldReference, in: "operand_type"),
    ])

  private static let order = MessageSpec(
    .order, "google.firestore.v1.StructuredQuery.Order",
    [
      .message(.orderField, 1, "field", of: .fieldReference),
      .enumeration(.orderDirection, 2, "direction"),
    ])

  private static let fieldReference = MessageSpec(
    .fieldReference, "google.firestore.v1.StructuredQuery.FieldReference",
    [
      .text(.fieldReferenceFieldPath, 2, "field_path")
    ])

  private static let projection = MessageSpec(
    .projection, "google.firestore.v1.StructuredQuery.Projection",
    [
      .messages(.projectionFields, 2, "fields", of: .fieldReference)
    ])

  private static let findNearest = MessageSpec(
    .findNearest, "google.firestore.v1.StructuredQuery.FindNearest",
    [
      .message(.findNearestVectorField, 1, "vector_field", of: .fieldReference),
      .value(.findNearestQueryVector, 2, "query_vector"),
      .enumeration(.findNearestDistanceMeasure, 3, "distance_measure"),
      .int32Value(.findNearestLimit, 4, "limit"),
      .text(.findNearestDistanceResultField, 5, "distance_result_field"),
      .doubleValue(.findNearestDistanceThreshold, 6, "distance_threshold"),
    ])

  private static let cursor = MessageSpec(
    .cursor, "google.firestore.v1.Cursor",
    [
      .values(.cursorValues, 1, "values"),
      .bool(.cursorBefore, 2, "before"),
    ])

  private static let structuredAggregationQuery = MessageSpec(
    .structuredAggregationQuery, "google.firestore.v1.StructuredAggregationQuery",
    [
      .message(
        .structuredAggregationQueryStructuredQuery, 1, "structured_query", of: .structuredQuery,
        in: "query_type"),
      .messages(.structuredAggregationQueryAggregations, 3, "aggregations", of: .aggregation),
    ])

  private static let aggregation = MessageSpec(
    .aggregation, "google.firestore.v1.StructuredAggregationQuery.Aggregation",
    [
      .message(.aggregationCount, 1, "count", of: .count, in: "operator"),
      .message(.aggregationSum, 2, "sum", of: .sum, in: "operator"),
      .message(.aggregationAvg, 3, "avg", of: .avg, in: "operator"),
      .text(.aggregationAlias, 7, "alias"),
    ])

  private static let count = MessageSpec(
    .count, "google.firestore.v1.StructuredAggregationQuery.Aggregation.Count",
    [
      .int64Value(.countUpTo, 1, "up_to")
    ])

  private static let sum = MessageSpec(
    .sum, "google.firestore.v1.StructuredAggregationQuery.Aggregation.Sum",
    [
      .message(.sumField, 1, "field", of: .fieldReference)
    ])

  private static let avg = MessageSpec(
    .avg, "google.firestore.v1.StructuredAggregationQuery.Aggregation.Avg",
    [
      .message(.avgField, 1, "field", of: .fieldReference)
    ])

  private static let aggregationResult = MessageSpec(
    .aggregationResult, "google.firestore.v1.AggregationResult",
    [
      .fields(.aggregationResultAggregateFields, 2, "aggregate_fields")
    ])

  private static let explainOptions = MessageSpec(
    .explainOptions, "google.firestore.v1.ExplainOptions",
    [
      .bool(.explainOptionsAnalyze, 1, "analyze")
    ])
}
