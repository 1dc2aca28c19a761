import FirestoreStore
import RulesEval
import RulesLang

/// The documents that a target listens to, by place.
struct Interest: Hashable, Sendable {
  /// The position of the documents relative to the place.
  enum Reach: Hashable, Sendable {
    /// The document at the place.
    case document
    /// The documents of one collection directly below the place.
    case children
    /// The documents at any depth below the place.
    case descendants
  }

  /// The position of the documents relative to `place`.
  let reach: Reach
  /// The path of the document, or of the one above the documents; empty for the root.
  let place: ArraySlice<Text>
  /// The ID of the documents' collection; empty for a document.
  let collection: Text

  /// Returns every interest that includes a document.
  static func all(inWritesOf path: DocumentPath) -> [Interest] {
    let segments = path.segments[...]
    guard segments.count >= 2 else { return [] }
    var interests = [Interest(reach: .document, place: segments, collection: Text())]
    let above = segments.dropLast(2)
    let collection = segments[above.endIndex]
    interests.append(Interest(reach: .children, place: above, collection: collection))
    for depth in stride(from: 0, through: above.count, by: 2) {
      interests.append(
        Interest(reach: .descendants, place: above.prefix(depth), collection: collection))
    }
    return interests
  }
}

extension ListenTarget {
  /// The interests of the target, which is notified of writes of their documents. A query of any collection
  /// has none (`StoreQuery.covers`).
  var interests: [Interest] {
    switch subject {
    case .documents(let paths):
      return paths.map { Interest(reach: .document, place: $0.segments[...], collection: Text()) }
    case .query(let query):
      guard let collection = query.collection else { return [] }
      let reach: Interest.Reach = query.allDescendants ? .descendants : .children
      return [
        Interest(reach: reach, place: query.parent.segments[...], collection: collection)
      ]
    }
  }
}
