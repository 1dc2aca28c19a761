import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct ListTests {
  /// The names of all pages, pages apart from each other by a bar; missing documents in parentheses.
  private func pages(_ store: Store, _ request: ListRequest) throws -> String {
    var request = request
    var pages: [String] = []
    repeat {
      let page = try store.list(request)
      pages.append(
        page.documents.map { document in
          let id = String(document.path.id)
          return document.stored == nil ? "(\(id))" : id
        }.joined(separator: " "))
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && pages.count < 20
    return pages.joined(separator: "|")
  }

  @Test func documentsAreListedByNameWithTheMissingOnesIfAsked() throws {
    let store = try Fixture.store(["m/ghost/s/1", "m/real", "m/a", "m/z/s/1/t/1"])
    var request = ListRequest(parent: DocumentPath([]), collection: "m")
    #expect(try pages(store, request) == "a real")
    request.showsMissing = true
    #expect(try pages(store, request) == "a (ghost) real (z)")
    request.pageSize = 1
    #expect(try pages(store, request) == "a|(ghost)|real|(z)|")
    request.showsMissing = false
    #expect(try pages(store, request) == "a|real|")
    request.pageSize = 2
    #expect(try pages(store, request) == "a real|")
    request.collection = "none"
    #expect(try pages(store, request) == "")
    request = ListRequest(parent: Fixture.path("m/z"), collection: "s")
    request.showsMissing = true
    #expect(try pages(store, request) == "(1)")
  }

  @Test func allCollectionsBelowAParentAreListedTogether() throws {
    let store = try Fixture.store(["b/2", "a/1", "a/3", "c/1/d/1"])
    var request = ListRequest(parent: DocumentPath([]), collection: "")
    request.pageSize = 2
    #expect(try pages(store, request) == "1 3|2")
  }

  @Test func anOrderIsFollowedFromPageToPage() throws {
    let store = try Fixture.store(["b/1", "b/2", "b/3", "b/4", "b/5"])
    var request = ListRequest(parent: DocumentPath([]), collection: "b")
    request.orders = try ListRequest.orders("x desc")
    request.pageSize = 2
    #expect(try pages(store, request) == "5 4|3 2|1")
    #expect(
      try ListRequest.orders("x desc, `a b`.c,y asc").map { $0.isDescending } == [
        true, false, false,
      ])
  }

  @Test(arguments: [(0, 30), (1, 1), (150, 150), (151, 150), (10_000, 150)])
  func aPageHasTheOfficialNumberOfDocuments(_ asked: Int, _ expected: Int) throws {
    let store = try Fixture.store((0..<400).map { "b/\($0)" })
    var request = ListRequest(parent: DocumentPath([]), collection: "b")
    request.pageSize = asked
    #expect(request.query.limit == Int64(expected))
    for orders in [[], [Query.Order(FieldPath(["x"]), isDescending: false)]] {
      request.orders = orders
      let page = try store.list(request)
      #expect(page.documents.count == expected && !page.nextPageToken.isEmpty)
    }
    #expect(
      try store.collections(below: request.parent, pageSize: 0, pageToken: Text()).ids == ["b"])
  }

  @Test(arguments: ["x up", "x desc y", ",", "x,"])
  func aTextThatIsNoOrderIsRefused(_ text: String) {
    #expect(throws: Refusal.self) { try ListRequest.orders(Text(text)) }
  }

  @Test(arguments: ["x", "n6", "nzz", "n61", "nff", "s-1", "s", "s99999999999999999999", "n2f61"])
  func aTokenThatNoPageEndedWithIsRefused(_ token: String) {
    let store = Store(Fixture.id)
    var request = ListRequest(parent: DocumentPath([]), collection: "b")
    request.pageToken = Text(token)
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try store.list(request) }
    #expect(refusal == "3 invalid page token")
  }

  @Test func badRequestsForPagesAreRefused() {
    let store = Store(Fixture.id)
    func refusal(_ change: (inout ListRequest) -> Void) -> String? {
      var request = ListRequest(parent: DocumentPath([]), collection: "b")
      change(&request)
      return Fixture.refusal { () throws(Refusal) in _ = try store.list(request) }
    }
    #expect(refusal { $0.pageSize = -1 } == "3 Page size must be nonnegative.")
    let ordered = refusal {
      $0.orders = [Query.Order(FieldPath(["x"]), isDescending: false)]
      $0.showsMissing = true
    }
    #expect(ordered == "3 cannot specify an order when show_missing is true")
    let order = Fixture.refusal { () throws(Refusal) in _ = try ListRequest.orders("x up") }
    #expect(order == "3 Invalid order by clause \"x up\".")
  }

  @Test func collectionsAreListedSortedInPages() throws {
    let store = try Fixture.store(["b/2", "a/1", "é/1", "B/1/x/1", "c/1/d/1/e/1"])
    func pages(_ parent: String, size: Int) throws -> String {
      var (token, pages) = (Text(), [String]())
      repeat {
        let page = try store.collections(
          below: Fixture.path(parent), pageSize: size, pageToken: token)
        pages.append(page.ids.map { String($0) }.joined(separator: " "))
        token = page.nextPageToken
      } while !token.isEmpty && pages.count < 20
      return pages.joined(separator: "|")
    }
    #expect(try pages("", size: 0) == "B a b c é")
    #expect(try pages("", size: 2) == "B a|b c|é")
    #expect(try pages("c/1", size: 5) == "d")
    #expect(try pages("c/1/d/1", size: 1) == "e|")
    #expect(try pages("c/9", size: 1) == "")
    #expect(throws: Refusal.self) {
      try store.collections(below: DocumentPath([]), pageSize: -1, pageToken: Text())
    }
  }
}
