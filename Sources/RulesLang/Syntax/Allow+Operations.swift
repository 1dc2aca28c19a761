extension Allow {
  /// The range of the operation words.
  public var operationsRange: SourceRange {
    operations.reduce(operations.first?.range ?? keyword) { $0.union($1.range) }
  }
}
