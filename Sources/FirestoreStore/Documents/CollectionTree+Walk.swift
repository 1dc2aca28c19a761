import RulesEval
import RulesLang

extension StoredCollection {
  /// Passes the stored documents in a range of paths, in order or from the last to the first, until the
  /// body returns false.
  @discardableResult
  func forEach(
    in range: PathRange = .all, isBackward: Bool = false, _ body: (StoredDocument) -> Bool
  ) -> Bool {
    // The range ends are places of paths in the collection; other paths are before it or after it.
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

  /// Returns the place of the first entry that does not precede a path's segment in the collection.
  func place(of other: DocumentPath) -> OrderedChunks<CollectionEntry>.Place {
    if contains(other) { return entries.firstPlace(from: other.segments[path.segments.count]) }
    return DocumentPath.precedes(other, path) || other == path ? entries.start : entries.end
  }

  /// True if a path leads into the collection.
  private func contains(_ other: DocumentPath) -> Bool {
    other.segments.count > path.segments.count && other.isWithin(path)
  }
}

extension CollectionTree {
  /// A collection that a walk is in.
  private struct Level {
    /// The collection.
    var collection: StoredCollection
    /// The place of the next entry.
    var place: OrderedChunks<CollectionEntry>.Place
  }

  /// Passes the stored documents below a document or the root that are in a range, by path, until the body
  /// returns false.
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
      // All that follows is behind this path.
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
