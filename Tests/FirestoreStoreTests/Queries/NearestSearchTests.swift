import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct NearestSearchTests {
  private static let store: Store = {
    var store = Store(Fixture.id)
    let vectors: [(String, Value)] = [
      ("1", .vector([1, 0])), ("2", .vector([0, 1])), ("3", .vector([5, 5])),
      ("4", .list([.int(1), .int(0)])), ("5", .vector([1, 2, 3])),
      ("6", .vector([0, 0])),
    ]
    _ = try? store.commit(
      vectors.map { Fixture.set("vv/\($0.0)", ["e": $0.1]) }, at: Fixture.start)
    return store
  }()

  /// The names of the nearest documents with their distances in thousandths.
  private func near(
    _ measure: NearestSearch.Measure, limit: Int64 = 10, threshold: Double? = nil
  ) throws -> [String] {
    var query = StoreQuery(parent: DocumentPath([]), collection: "vv")
    query.nearest = NearestSearch(
      field: FieldPath(["e"]), vector: .vector([1, 0]), measure: measure, limit: limit,
      resultField: FieldPath(["d"]), threshold: threshold)
    return try Self.store.run(query).map { document in
      guard case .float(let distance)? = document.data["d"] else { return "none" }
      let thousandths = distance.isNaN ? "nan" : "\(Int((distance * 1000).rounded()))"
      return "\(String(document.path.id)): \(thousandths)"
    }
  }

  @Test func theNearestComeFirstAndWhatIsNoVectorOfTheSizeIsLeftOut() throws {
    #expect(try near(.euclidean) == ["1: 0", "6: 1000", "2: 1414", "3: 6403"])
    #expect(try near(.cosine) == ["1: 0", "3: 293", "2: 1000", "6: nan"])
    #expect(try near(.dotProduct) == ["3: 5000", "1: 1000", "2: 0", "6: 0"])
  }

  @Test func limitAndThresholdCutTheResults() throws {
    #expect(try near(.euclidean, limit: 2) == ["1: 0", "6: 1000"])
    #expect(try near(.euclidean, threshold: 1.5) == ["1: 0", "6: 1000", "2: 1414"])
    #expect(try near(.cosine, threshold: 0.5) == ["1: 0", "3: 293"])
    #expect(try near(.dotProduct, threshold: 1) == ["3: 5000", "1: 1000"])
  }
}
