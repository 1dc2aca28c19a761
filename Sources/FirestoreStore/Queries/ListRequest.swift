public import RulesEval
public import RulesLang

/// A request to list the documents of a collection in pages.
public struct ListRequest: Sendable {
  /// The document that contains the collection; empty for the root.
  public var parent: DocumentPath
  /// The ID of the collection; empty for all collections of `parent`.
  public var collection: Text
  /// Maximum documents of a page; 0 for the server's default.
  public var pageSize = 0
  /// The token at the end of the previous page; empty for the first page.
  public var pageToken = Text()
  /// The order; by name if empty.
  public var orders: [Query.Order] = []
  /// True to list missing documents with documents below them as well, which only administrators may do.
  public var showsMissing = false

  /// Creates a request for the first page.
  public init(parent: DocumentPath, collection: Text) {
    self.parent = parent
    self.collection = collection
  }

  /// Documents of a page if the request has no page size (Docs/Emulator.md, Reads and lists).
  private static let usualPageSize = 30
  /// Maximum documents of a page (Docs/Emulator.md, Reads and lists).
  private static let greatestPageSize = 150

  /// The number of documents of a full page.
  var documentCount: Int {
    pageSize <= 0 ? Self.usualPageSize : min(pageSize, Self.greatestPageSize)
  }

  /// The query that the rules decide, whose limit is the number of documents of a full page.
  public var query: StoreQuery {
    var query = StoreQuery(parent: parent, collection: collection)
    query.orders = orders
    query.limit = Int64(documentCount)
    return query
  }

  /// Throws the first mistake for which the request is refused before the rules are evaluated.
  public func check(in id: DatabaseID) throws(Refusal) {
    if showsMissing, !orders.isEmpty {
      throw .invalidArgument("cannot specify an order when show_missing is true")
    }
    if pageSize < 0 { throw .invalidArgument("Page size must be nonnegative.") }
    try query.check(in: id)
    if !pageToken.isEmpty { _ = try PageToken(pageToken) }
  }

  /// Reads an order: `x desc, y`.
  public static func orders(_ text: Text) throws(Refusal) -> [Query.Order] {
    if text.isEmpty { return [] }
    var orders: [Query.Order] = []
    for part in pieces(of: text.bytes, apart: UInt8(ascii: ",")) {
      let words = pieces(of: part, apart: UInt8(ascii: " ")).filter { !$0.isEmpty }
      guard let name = words.first, words.count <= 2 else { throw .badOrder(text) }
      let path = try FieldPath(mask: Text(wellFormed: name))
      var isDescending = false
      if words.count == 2 {
        switch Text(wellFormed: words[1]) {
        case "asc", "ASC": isDescending = false
        case "desc", "DESC": isDescending = true
        default: throw .badOrder(text)
        }
      }
      orders.append(Query.Order(path, isDescending: isDescending))
    }
    return orders
  }

  /// Splits a text at separators outside of back-quotes.
  private static func pieces(of bytes: [UInt8], apart separator: UInt8) -> [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in bytes {
      if byte == separator, !isQuoted {
        pieces.append([])
        continue
      }
      if byte == UInt8(ascii: "`"), !isEscaped { isQuoted.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      pieces[pieces.count - 1].append(byte)
    }
    return pieces
  }
}

/// A document of a page.
public struct ListedDocument: Sendable {
  /// The path.
  public var path: DocumentPath
  /// The document; nil for a missing one with documents below it.
  public var stored: StoredDocument?
}

/// A page of documents.
public struct ListPage: Sendable {
  /// The documents.
  public var documents: [ListedDocument]
  /// The token of the next page; empty at the last page.
  public var nextPageToken: Text
}

extension Refusal {
  /// Returns the refusal of a malformed order.
  fileprivate static func badOrder(_ text: Text) -> Refusal {
    .invalidArgument("Invalid order by clause \"\(quoting(text))\".")
  }
}
