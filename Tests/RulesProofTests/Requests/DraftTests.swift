import RulesEncoding
import RulesEval
import RulesLang
import Testing

@testable import RulesProof

/// Requests as drafts of counterexamples make them.
@Suite struct DraftTests {
  private let old = MapValue([("a", .int(1)), ("b", .int(2))])
  private let new = MapValue([("a", .int(1)), ("c", .int(3))])

  private func draft(
    _ method: Method, before: MapValue? = nil, after: MapValue? = nil, path: Text = "/c/d",
    access: Scenario.Access = .document
  ) throws -> Draft {
    Draft(
      method: method, access: access, path: try #require(DocumentPath(path)), principal: nil,
      time: .epoch, before: before, after: after)
  }

  private func writes(_ draft: Draft) throws -> [Write] {
    guard case .commit(let writes) = draft.request.operation else {
      Issue.record("no commit")
      return []
    }
    return writes
  }

  private func query(_ draft: Draft) throws -> Query {
    guard case .list(let query) = draft.request.operation else {
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
      try writes(draft(.create, after: new)).map { words($0) } == ["set /c/d a,c of all missing"])
    // Only what changes is named, also what goes away.
    #expect(
      try writes(draft(.update, before: old, after: new)).map { words($0) }
        == ["set /c/d a,c of c,b exists"])
    #expect(try writes(draft(.delete, before: old)).map { words($0) } == ["delete /c/d none"])
    guard case .get(let paths) = try draft(.get, before: old).request.operation else {
      Issue.record("no get")
      return
    }
    #expect(paths == [DocumentPath("/c/d")])
  }

  @Test func aKeyThatIsNoFieldPathIsWrittenWithTheWholeDocument() throws {
    let odd = MapValue([("a b", .int(1))])
    let found = try writes(draft(.update, before: old, after: odd)).map { words($0) }
    #expect(found == ["set /c/d a b of all exists"])
  }

  /// An update of a document with this mask gives the document of the draft again.
  @Test func applyingTheWriteGivesTheDocumentAfterIt() throws {
    for (before, after) in [(old, new), (new, old), (old, MapValue()), (MapValue(), new)] {
      let draft = try draft(.update, before: before, after: after)
      let result = try #require(try writes(draft).first).apply(to: before, time: .epoch)
      #expect(result.map { Value.areIdentical(.map($0), .map(after)) } == true)
    }
  }

  @Test func onlyOtherDocumentsThatChangeAreWritten() throws {
    var draft = try draft(.create, after: new)
    func other(_ path: Text, _ before: MapValue?, _ after: MapValue?) throws -> Draft.Other {
      Draft.Other(path: try #require(DocumentPath(path)), before: before, after: after)
    }
    draft.others = [
      try other("/o/same", old, old), try other("/o/new", nil, new),
      try other("/o/gone", old, nil), try other("/o/none", nil, nil),
    ]
    #expect(draft.plain == nil)
    var deleted = try other("/o/deleted", nil, nil)
    deleted.isDeleted = true
    draft.others.append(deleted)
    #expect(
      try writes(draft).map { words($0) } == [
        "set /c/d a,c of all missing", "set /o/new a,c of all missing", "delete /o/gone none",
        "delete /o/deleted none",
      ])
    #expect(draft.documents.all.map { String($0.path.text) } == ["/o/gone", "/o/same"])
    draft.others.removeAll { $0.path != DocumentPath("/o/same") }
    #expect(draft.plain != nil)
  }

  @Test func aNaNThatStaysIsNoChange() throws {
    let odd = MapValue([("a", .float(.nan))])
    let path = try #require(DocumentPath("/o/p"))
    #expect(!Draft.Other(path: path, before: odd, after: odd).isChanged)
    let zero = MapValue([("a", .float(0))])
    let other = MapValue([("a", .float(-0.0))])
    #expect(Draft.Other(path: path, before: zero, after: other).isChanged)
  }

  @Test func theDocumentOfTheRequestIsStoredOnce() throws {
    var draft = try draft(.get, before: old)
    draft.others = [Draft.Other(path: draft.path, before: new, after: new)]
    let stored = try #require(draft.documents[draft.path])
    #expect(Value.areIdentical(.map(stored), .map(old)))
    #expect(draft.documents.all.count == 1)
  }

  @Test func eachAccessIsAQueryOfItsKind() throws {
    let long: Text = "/a/b/c/d"
    let plain = try query(draft(.list, before: old, path: long, access: .query))
    #expect(plain.parent == DocumentPath("/a/b") && plain.collection == "c")
    #expect(!plain.isCollectionGroup && plain.filter == nil)
    let group = try query(draft(.list, before: old, path: long, access: .group(below: 0)))
    #expect(group.parent == DocumentPath([]) && group.isCollectionGroup)
    let named = try query(draft(.list, before: old, path: long, access: .namedQuery))
    guard case .field(let field, .equal, .path(let path))? = named.filter else {
      Issue.record("the filter does not name the document")
      return
    }
    #expect(field == FieldPath(["__name__"]))
    #expect(path.text == "/databases/(default)/documents/a/b/c/d")
  }

  @Test func whatNobodyCanSendIsImpossible() throws {
    #expect(try draft(.create, after: new).impossibility == nil)
    #expect(try draft(.create, after: MapValue([("__a__", .null)])).impossibility != nil)
    #expect(try draft(.get, path: "/c/__d__").impossibility != nil)
    var other = try draft(.get)
    other.others = [
      Draft.Other(path: other.path, before: MapValue([("d", .set(try SetValue([])))]), after: nil)
    ]
    #expect(other.impossibility != nil)
  }
}
