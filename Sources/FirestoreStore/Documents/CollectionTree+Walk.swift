import RulesEval
import RulesLang

extension StoredCollection {
  /// Calls `body` for the stored documents in a range of paths, in ascending or descending order, until it
  /// returns false.
  @discardableResult
  func forEach(
    in range: PathRange = .all, isBackward: Bool = false, _ body: (StoredDocument) -> Bool
  ) -> Bool {
    // Ends of the range that are in the collection become places; other ends are before or after the whole
    // collection.
    let start = range.lower.map { place(of: $0.path) } ?? entries.start
    var end = range.upper.map { place(of: $0.path) } ?? entries.end
    if let upper = range.upper, end < entries.end, contains(upper.path),
      entries[end].key == upper.path.segments[path.segments.count]
    {
      end = entries.place(after: end)
    }
    return entries.forEach(from: start, to: end, isBackward: isBackward) { entry in
      guard let document = entry.document, range.contains(document.path) else { return true }
      return body(document)
    }
  }

  /// Returns the place of the first entry that is not before a path's segment in the collection.
  func place(of other: DocumentPath) -> OrderedChunks<CollectionEntry>.Place {
    if contains(other) { return entries.firstPlace(from: other.segments[path.segments.count]) }
    return DocumentPath.precedes(other, path) || other == path ? entries.start : entries.end
  }

  /// True if the collection is a prefix of a path.
  private func contains(_ other: DocumentPath) -> Bool {
    other.segments.count > path.segments.count && other.isWithin(path)
  }
}

extension CollectionTree {
  /// A collection on the stack of a traversal.
  private struct Level {
    /// The collection.
    var collection: StoredCollection
    /// The place of the next entry.
    var place: OrderedChunks<CollectionEntry>.Place
  }

  /// Calls `body` for the stored documents of a range below a document or the root, by path, until it returns
  /// false.
  func forEachDocument(
    below path: DocumentPath, in range: PathRange = .all, _ body: (StoredDocument) -> Bool
  ) {
    var levels: [Level] = []
    push(children(of: path), of: path, in: range, onto: &levels)
    while var level = levels.popLast() {
      guard level.place < level.collection.entries.end else { continue }
      let entry = level.collection.entries[level.place]
      level.place = level.collection.entries.place(after: level.place)
      levels.append(level)
      let own = DocumentPath(level.collection.path.segments + [entry.key])
      // All further paths are greater.
      if range.isAbove(own) { return }
      if let document = entry.document, !range.isBelow(own), !body(document) { return }
      push(children(of: own), of: own, in: range, onto: &levels)
    }
  }

  /// Pushes the collections below a document, the first one last, each at the first place in the range.
  private func push(
    _ names: OrderedChunks<CollectionName>, of path: DocumentPath, in range: PathRange,
    onto levels: inout [Level]
  ) {
    var found: [Level] = []
    names.forEach { name in
      let own = DocumentPath(path.segments + [name.key])
      guard let collection = collection(own) else { return true }
      let start = range.lower.map { collection.place(of: $0.path) } ?? collection.entries.start
      found.append(Level(collection: collection, place: start))
      return true
    }
    levels += found.reversed()
  }
}
