extension Allow {
  /// The words for methods.
  public var operationsRange: SourceRange {
    operations.reduce(operations.first?.range ?? keyword) { $0.union($1.range) }
  }
}
