import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// The size that logs of requests are bounded by.
@Suite struct RequestSizeTests {
  private static let long = Text(String(repeating: "x", count: 1_500))
  private static let path = DocumentPath(["a", long])

  @Test(arguments: [
    Request.Operation.get([path, path]),
    .list(Query(parent: path, collection: long)),
    .commit([
      Write(to: path, .set(MapValue([]), mask: [FieldPath([long])]))
    ]),
  ])
  func longNamesCount(_ operation: Request.Operation) {
    let request = Request(principal: nil, time: .epoch, operation: operation)
    #expect(request.size(with: Documents([])) > 3_000)
  }
}
