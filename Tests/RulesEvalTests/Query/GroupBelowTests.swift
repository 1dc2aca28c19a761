import RulesLang
import Testing

@testable import RulesEval

/// A query of a collection group below a document: only names may be filtered and ordered.
@Suite struct GroupBelowTests {
  private static let document = DocumentPath(["a", "1", "s", "1"])

  @Test(arguments: [
    ([] as [Text], [] as [Text], true), (["__name__"], [], true), ([], ["__name__"], true),
    (["__name__"], ["__name__"], true), (["x"], [], false), ([], ["x"], false),
    (["__name__", "x"], [], false), ([], ["__name__", "x"], false),
  ])
  func itTakesNamesAlone(_ orders: [Text], _ filters: [Text], _ isTaken: Bool) {
    var query = Query(parent: DocumentPath(["a", "1"]), collection: "s")
    query.isCollectionGroup = true
    query.orderBy = orders.map { Query.Order(FieldPath([$0]), isDescending: false) }
    let value = Value.path(Self.document.value(in: .standard))
    if !filters.isEmpty {
      query.filter = .and(filters.map { .field(FieldPath([$0]), .greater, value) })
    }
    #expect((query.refusal(in: .standard) == nil) == isTaken)
    query.isCollectionGroup = false
    #expect(query.refusal(in: .standard) == nil)
  }
}
