import RulesEncoding
import RulesEval
import RulesLang
import Testing

@testable import RulesProof

/// Requests as drafts of counterexamples make them.
@Suite struct CandidateRequestTests {
  private let old = MapValue([("a", .int(1)), ("b", .int(2))])
  private let new = MapValue([("a", .int(1)), ("c", .int(3))])

  private func candidate(
    _ method: Method, before: MapValue? = nil, after: MapValue? = nil, path: Text = "/c/d",
    access: Scenario.Access = .document
  ) throws -> CandidateRequest {
    CandidateRequest(
      method: method, access: access, path: try #require(DocumentPath(path)), principal: nil,
      time: .epoch, before: before, after: after)
  }

  private func writes(_ candidate: CandidateRequest) throws -> [Write] {
    guard case .commit(let writes) = candidate.request.operation else {
      Issue.record("no commit")
      return []
    }
    return writes
  }

  private func query(_ candidate: CandidateRequest) throws -> Query {
    guard case .list(let query) = candidate.request.operation else {
      Issue.record("no query")
      return Query(parent: DocumentPath([]), collection: "")
    }
    return query
  }

  /// A write in words.
  private func words(_ write: Write) -> String {
    let path = String(write.path.text)
    guard case .set(let data, let mask) = write.change else {
      return "delete \(path) \(write.precondition)"
    }
    let keys = data.keys.map { String($0) }.joined(separator: ",")
    let named = mask.map { $0.map { String($0.names[0]) }.joined(separator: ",") } ?? "all"
    return "set \(path) \(keys) of \(named) \(write.precondition)"
  }

  @Test func eachMethodIsTheWriteThatASuiteWouldMake() throws {
    #expect(
      try writes(candidate(.create, after: new)).map { words($0) } == [
        "set /c/d a,c of all missing"
      ])
    // Only what changes is named, also what goes away.
    #expect(
      try writes(candidate(.update, before: old, after: new)).map { words($0) }
        == ["set /c/d a,c of c,b exists"])
    #expect(try writes(candidate(.delete, before: old)).map { words($0) } == ["delete /c/d none"])
    guard case .get(let paths) = try candidate(.get, before: old).request.operation else {
      Issue.record("no get")
      return
    }
    #expect(paths == [DocumentPath("/c/d")])
  }

  @Test func aKeyThatIsNoFieldPathIsWrittenWithTheWholeDocument() throws {
    let odd = MapValue([("a b", .int(1))])
    let found = try writes(candidate(.update, before: old, after: odd)).map { words($0) }
    #expect(found == ["set /c/d a b of all exists"])
  }

  /// An update of a document with this mask gives the document of the draft again.
  @Test func applyingTheWriteGivesTheDocumentAfterIt() throws {
    for (before, after) in [(old, new), (new, old), (old, MapValue()), (MapValue(), new)] {
      let candidate = try candidate(.update, before: before, after: after)
      let result = try #require(try writes(candidate).first).apply(to: before, time: .epoch)
      #expect(result.map { Value.areIdentical(.map($0), .map(after)) } == true)
    }
  }

  @Test func onlyOtherDocumentsThatChangeAreWritten() throws {
    var candidate = try candidate(.create, after: new)
    func other(_ path: Text, _ before: MapValue?, _ after: MapValue?) throws
      -> CandidateRequest.Other
    {
      CandidateRequest.Other(path: try #require(DocumentPath(path)), before: before, after: after)
    }
    candidate.others = [
      try other("/o/same", old, old), try other("/o/new", nil, new),
      try other("/o/gone", old, nil), try other("/o/none", nil, nil),
    ]
    #expect(candidate.plain == nil)
    var deleted = try other("/o/deleted", nil, nil)
    deleted.isDeleted = true
    candidate.others.append(deleted)
    #expect(
      try writes(candidate).map { words($0) } == [
        "set /c/d a,c of all missing", "set /o/new a,c of all missing", "delete /o/gone none",
        "delete /o/deleted none",
      ])
    #expect(candidate.documents.all.map { String($0.path.text) } == ["/o/gone", "/o/same"])
    candidate.others.removeAll { $0.path != DocumentPath("/o/same") }
    #expect(candidate.plain != nil)
  }

  @Test func aNaNThatStaysIsNoChange() throws {
    let odd = MapValue([("a", .float(.nan))])
    let path = try #require(DocumentPath("/o/p"))
    #expect(!CandidateRequest.Other(path: path, before: odd, after: odd).isChanged)
    let zero = MapValue([("a", .float(0))])
    let other = MapValue([("a", .float(-0.0))])
    #expect(CandidateRequest.Other(path: path, before: zero, after: other).isChanged)
  }

  @Test func theDocumentOfTheRequestIsStoredOnce() throws {
    var candidate = try candidate(.get, before: old)
    candidate.others = [CandidateRequest.Other(path: candidate.path, before: new, after: new)]
    let stored = try #require(candidate.documents[candidate.path])
    #expect(Value.areIdentical(.map(stored), .map(old)))
    #expect(candidate.documents.all.count == 1)
  }

  @Test func eachAccessIsAQueryOfItsKind() throws {
    let long: Text = "/a/b/c/d"
    let plain = try query(candidate(.list, before: old, path: long, access: .query))
    #expect(plain.parent == DocumentPath("/a/b") && plain.collection == "c")
    #expect(!plain.isCollectionGroup && plain.filter == nil)
    let group = try query(candidate(.list, before: old, path: long, access: .group(below: 0)))
    #expect(group.parent == DocumentPath([]) && group.isCollectionGroup)
    let named = try query(candidate(.list, before: old, path: long, access: .namedQuery))
    guard case .field(let field, .equal, .path(let path))? = named.filter else {
      Issue.record("the filter does not name the document")
      return
    }
    #expect(field == FieldPath(["__name__"]))
    #expect(path.text == "/databases/(default)/documents/a/b/c/d")
  }

  @Test func whatNobodyCanSendIsImpossible() throws {
    #expect(try candidate(.create, after: new).impossibility == nil)
    #expect(try candidate(.create, after: MapValue([("__a__", .null)])).impossibility != nil)
    #expect(try candidate(.get, path: "/c/__d__").impossibility != nil)
    var other = try candidate(.get)
    other.others = [
      CandidateRequest.Other(
        path: other.path, before: MapValue([("d", .set(try SetValue([])))]), after: nil)
    ]
    #expect(other.impossibility != nil)
  }
}
