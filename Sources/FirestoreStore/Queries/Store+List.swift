public import RulesEval
public import RulesLang

extension Store {
  /// Returns a page of the documents of a collection. A full page has a token, even if there are no more
  /// documents.
  public func list(_ request: ListRequest) throws(Refusal) -> ListPage {
    try request.check(in: id)
    try request.query.checkRun()
    let size = request.documentCount
    if request.orders.isEmpty { return try listByName(request, size: size) }
    var query = request.query
    if !request.pageToken.isEmpty {
      guard case .skipping(let count) = try PageToken(request.pageToken) else {
        throw PageToken.refusal
      }
      query.offset = count
    }
    let found = matches(of: query)
    return ListPage(
      documents: found.map { ListedDocument(path: $0.path, stored: $0) },
      nextPageToken: found.count == size
        ? PageToken.skipping(query.offset + Int64(size)).text : Text())
  }

  private func listByName(_ request: ListRequest, size: Int) throws(Refusal) -> ListPage {
    var last: DocumentPath?
    if !request.pageToken.isEmpty {
      guard case .behind(let text) = try PageToken(request.pageToken),
        let path = DocumentPath(text, in: .none), path.isDocument
      else { throw PageToken.refusal }
      last = path
    }
    var documents: [ListedDocument] = []
    forEachCollection(of: request) { collection in
      let entries = collection.entries
      let start = last.map { collection.place(of: $0) } ?? entries.start
      return entries.forEach(from: start, to: entries.end) { entry in
        if entry.document == nil, !request.showsMissing { return true }
        let path = DocumentPath(collection.path.segments + [entry.key])
        if let last, !DocumentPath.precedes(last, path) { return true }
        documents.append(ListedDocument(path: path, stored: entry.document))
        return documents.count < size
      }
    }
    if documents.count < size { return ListPage(documents: documents, nextPageToken: Text()) }
    let token = documents.last.map { PageToken.behind($0.path.text).text } ?? Text()
    return ListPage(documents: documents, nextPageToken: token)
  }

  private func forEachCollection(
    of request: ListRequest, _ body: (StoredCollection) -> Bool
  ) {
    let parent = request.parent.segments
    guard request.collection.isEmpty else {
      if let collection = tree.collection(DocumentPath(parent + [request.collection])) {
        _ = body(collection)
      }
      return
    }
    tree.children(of: request.parent).forEach { name in
      tree.collection(DocumentPath(parent + [name.key])).map(body) ?? true
    }
  }

  /// Returns a page of the sorted IDs of the collections of a document or the root; a page size of 0 returns
  /// all.
  public func collections(
    below parent: DocumentPath, pageSize: Int, pageToken: Text
  ) throws(Refusal) -> (ids: [Text], nextPageToken: Text) {
    if pageSize < 0 {
      throw .invalidArgument("page_size must be greater than or equal to zero.")
    }
    let size = pageSize == 0 ? Int.max : pageSize
    let names = tree.children(of: parent)
    var start = names.start
    var last: Text?
    if !pageToken.isEmpty {
      guard case .behind(let id) = try PageToken(pageToken) else { throw PageToken.refusal }
      start = names.firstPlace(from: id)
      last = id
    }
    var ids: [Text] = []
    names.forEach(from: start, to: names.end) { name in
      if name.key == last { return true }
      ids.append(name.key)
      return ids.count < size
    }
    if ids.count < size { return (ids, Text()) }
    return (ids, ids.last.map { PageToken.behind($0).text } ?? Text())
  }
}
