public import RulesEval
public import RulesLang

// The fields of queries.

extension Field {
  /// `StructuredQuery.select`.
  public static var structuredQuerySelect: Field<WireMessage?> {
    Field<WireMessage?>(.structuredQuery, 0)
  }
  /// `StructuredQuery.from`.
  public static var structuredQueryFrom: Field<[WireMessage]> {
    Field<[WireMessage]>(.structuredQuery, 1)
  }
  /// `StructuredQuery.where`.
  public static var structuredQueryWhere: Field<WireMessage?> {
    Field<WireMessage?>(.structuredQuery, 2)
  }
  /// `StructuredQuery.order_by`.
  public static var structuredQueryOrderBy: Field<[WireMessage]> {
    Field<[WireMessage]>(.structuredQuery, 3)
  }
  /// `StructuredQuery.limit`.
  public static var structuredQueryLimit: Field<Int32?> { Field<Int32?>(.structuredQuery, 4) }
  /// `StructuredQuery.offset`.
  public static var structuredQueryOffset: Field<Int32> { Field<Int32>(.structuredQuery, 5) }
  /// `StructuredQuery.start_at`.
  public static var structuredQueryStartAt: Field<WireMessage?> {
    Field<WireMessage?>(.structuredQuery, 6)
  }
  /// `StructuredQuery.end_at`.
  public static var structuredQueryEndAt: Field<WireMessage?> {
    Field<WireMessage?>(.structuredQuery, 7)
  }
  /// `StructuredQuery.find_nearest`.
  public static var structuredQueryFindNearest: Field<WireMessage?> {
    Field<WireMessage?>(.structuredQuery, 8)
  }

  /// `StructuredQuery.CollectionSelector.collection_id`.
  public static var collectionSelectorCollectionId: Field<Text> {
    Field<Text>(.collectionSelector, 0)
  }
  /// `StructuredQuery.CollectionSelector.all_descendants`.
  public static var collectionSelectorAllDescendants: Field<Bool> {
    Field<Bool>(.collectionSelector, 1)
  }

  /// `StructuredQuery.Filter.composite_filter`.
  public static var filterCompositeFilter: Field<WireMessage?> { Field<WireMessage?>(.filter, 0) }
  /// `StructuredQuery.Filter.field_filter`.
  public static var filterFieldFilter: Field<WireMessage?> { Field<WireMessage?>(.filter, 1) }
  /// `StructuredQuery.Filter.unary_filter`.
  public static var filterUnaryFilter: Field<WireMessage?> { Field<WireMessage?>(.filter, 2) }

  /// `StructuredQuery.CompositeFilter.op`.
  public static var compositeFilterOp: Field<CompositeOperator> {
    Field<CompositeOperator>(.compositeFilter, 0)
  }
  /// `StructuredQuery.CompositeFilter.filters`.
  public static var compositeFilterFilters: Field<[WireMessage]> {
    Field<[WireMessage]>(.compositeFilter, 1)
  }

  /// `StructuredQuery.FieldFilter.field`.
  public static var fieldFilterField: Field<WireMessage?> { Field<WireMessage?>(.fieldFilter, 0) }
  /// `StructuredQuery.FieldFilter.op`.
  public static var fieldFilterOp: Field<FieldOperator> { Field<FieldOperator>(.fieldFilter, 1) }
  /// `StructuredQuery.FieldFilter.value`.
  public static var fieldFilterValue: Field<Value?> { Field<Value?>(.fieldFilter, 2) }

  /// `StructuredQuery.UnaryFilter.op`.
  public static var unaryFilterOp: Field<UnaryOperator> { Field<UnaryOperator>(.unaryFilter, 0) }
  /// `StructuredQuery.UnaryFilter.field`.
  public static var unaryFilterField: Field<WireMessage?> { Field<WireMessage?>(.unaryFilter, 1) }

  /// `StructuredQuery.Order.field`.
  public static var orderField: Field<WireMessage?> { Field<WireMessage?>(.order, 0) }
  /// `StructuredQuery.Order.direction`.
  public static var orderDirection: Field<Direction> { Field<Direction>(.order, 1) }

  /// `StructuredQuery.FieldReference.field_path`.
  public static var fieldReferenceFieldPath: Field<Text> { Field<Text>(.fieldReference, 0) }

  /// `StructuredQuery.Projection.fields`.
  public static var projectionFields: Field<[WireMessage]> { Field<[WireMessage]>(.projection, 0) }

  /// `StructuredQuery.FindNearest.vector_field`.
  public static var findNearestVectorField: Field<WireMessage?> {
    Field<WireMessage?>(.findNearest, 0)
  }
  /// `StructuredQuery.FindNearest.query_vector`.
  public static var findNearestQueryVector: Field<Value?> { Field<Value?>(.findNearest, 1) }
  /// `StructuredQuery.FindNearest.distance_measure`.
  public static var findNearestDistanceMeasure: Field<DistanceMeasure> {
    Field<DistanceMeasure>(.findNearest, 2)
  }
  /// `StructuredQuery.FindNearest.limit`.
  public static var findNearestLimit: Field<Int32?> { Field<Int32?>(.findNearest, 3) }
  /// `StructuredQuery.FindNearest.distance_result_field`.
  public static var findNearestDistanceResultField: Field<Text> { Field<Text>(.findNearest, 4) }
  /// `StructuredQuery.FindNearest.distance_threshold`.
  public static var findNearestDistanceThreshold: Field<Double?> { Field<Double?>(.findNearest, 5) }

  /// `Cursor.values`.
  public static var cursorValues: Field<[Value]> { Field<[Value]>(.cursor, 0) }
  /// `Cursor.before`.
  public static var cursorBefore: Field<Bool> { Field<Bool>(.cursor, 1) }

  /// `StructuredAggregationQuery.structured_query`.
  public static var structuredAggregationQueryStructuredQuery: Field<WireMessage?> {
    Field<WireMessage?>(.structuredAggregationQuery, 0)
  }
  /// `StructuredAggregationQuery.aggregations`.
  public static var structuredAggregationQueryAggregations: Field<[WireMessage]> {
    Field<[WireMessage]>(.structuredAggregationQuery, 1)
  }

  /// `StructuredAggregationQuery.Aggregation.count`.
  public static var aggregationCount: Field<WireMessage?> { Field<WireMessage?>(.aggregation, 0) }
  /// `StructuredAggregationQuery.Aggregation.sum`.
  public static var aggregationSum: Field<WireMessage?> { Field<WireMessage?>(.aggregation, 1) }
  /// `StructuredAggregationQuery.Aggregation.avg`.
  public static var aggregationAvg: Field<WireMessage?> { Field<WireMessage?>(.aggregation, 2) }
  /// `StructuredAggregationQuery.Aggregation.alias`.
  public static var aggregationAlias: Field<Text> { Field<Text>(.aggregation, 3) }

  /// `StructuredAggregationQuery.Aggregation.Count.up_to`.
  public static var countUpTo: Field<Int64?> { Field<Int64?>(.count, 0) }

  /// `StructuredAggregationQuery.Aggregation.Sum.field`.
  public static var sumField: Field<WireMessage?> { Field<WireMessage?>(.sum, 0) }

  /// `StructuredAggregationQuery.Aggregation.Avg.field`.
  public static var avgField: Field<WireMessage?> { Field<WireMessage?>(.avg, 0) }

  /// `AggregationResult.aggregate_fields`.
  public static var aggregationResultAggregateFields: Field<MapValue> {
    Field<MapValue>(.aggregationResult, 0)
  }

  /// `ExplainOptions.analyze`.
  public static var explainOptionsAnalyze: Field<Bool> { Field<Bool>(.explainOptions, 0) }
}
