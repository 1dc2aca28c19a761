import RulesEval
import RulesLang
import Testing

@testable import RulesHost

/// What is sent to an emulator.
@Suite struct RESTTests {
  private let path = DocumentPath(["c", "d"])

  @Test func aWriteNamesItsMaskTransformsAndPrecondition() {
    var write = Write(
      to: path,
      .set(MapValue([("a", .int(1))]), mask: [FieldPath(["a"]), FieldPath(["b c", "d"])]),
      precondition: .exists)
    write.transforms = [
      (FieldPath(["n"]), .increment(.int(2))), (FieldPath(["t"]), .serverTimestamp),
    ]
    #expect(
      REST.write(write, under: "root").compact == #"""
        {"update":{"name":"root/c/d","fields":{"a":{"integerValue":"1"}}},\#
        "updateMask":{"fieldPaths":["a","`b c`.d"]},\#
        "updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"2"}},\#
        {"fieldPath":"t","setToServerValue":"REQUEST_TIME"}],"currentDocument":{"exists":true}}
        """#)
    #expect(
      REST.write(Write(to: path, .delete), under: "root").compact == #"{"delete":"root/c/d"}"#)
  }

  @Test(arguments: [
    (Text("a_1"), "a_1"), ("1a", "`1a`"), ("a.b", "`a.b`"), ("a`b\\", "`a\\`b\\\\`"), ("é", "`é`"),
    ("", "``"), ("[", "`[`"), ("@", "`@`"),
  ])
  func aFieldNameThatIsNoWordStandsInBackQuotes(_ name: Text, _ expected: String) {
    let write = Write(to: path, .set(MapValue(), mask: [FieldPath([name])]))
    let mask = JSONText.array([.string(expected)]).compact
    #expect(REST.write(write, under: "").compact.contains("\"fieldPaths\":\(mask)"))
  }

  @Test func numbersThatJSONHasNotAreTexts() {
    let values: [Value] = [.float(.nan), .float(.infinity), .float(-.infinity), .float(1)]
    #expect(
      values.map { REST.value($0, under: "").compact } == [
        #"{"doubleValue":"NaN"}"#, #"{"doubleValue":"Infinity"}"#,
        #"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":1.0}"#,
      ])
  }

  @Test func aQueryHasItsPartsInOrder() {
    var query = Query(parent: DocumentPath([]), collection: "c")
    query.isCollectionGroup = true
    query.filter = .and([
      .field(FieldPath(["a"]), .equal, .null), .field(FieldPath(["b"]), .less, .int(1)),
    ])
    query.limit = 3
    #expect(
      REST.query(query, under: "root").compact == #"""
        {"from":[{"collectionId":"c","allDescendants":true}],\#
        "where":{"compositeFilter":{"op":"AND","filters":[\#
        {"unaryFilter":{"field":{"fieldPath":"a"},"op":"IS_NULL"}},\#
        {"fieldFilter":{"field":{"fieldPath":"b"},"op":"LESS_THAN","value":{"integerValue":"1"}}}]}},\#
        "limit":3}
        """#)
  }
}
