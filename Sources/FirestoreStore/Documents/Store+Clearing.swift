public import RulesEval
import RulesLang

extension Store {
  /// Deletes all documents. Reads at earlier times are refused afterwards.
  ///
  /// - Returns: The paths of the documents that were stored.
  public mutating func clear() -> [DocumentPath] { delete(below: DocumentPath([])) }

  /// Deletes a document or a collection with everything below it, without a commit. Reads at earlier times
  /// are refused afterwards.
  ///
  /// - Returns: The paths of the documents that were stored.
  public mutating func delete(below path: DocumentPath) -> [DocumentPath] {
    var found: [DocumentPath] = []
    if path.segments.count.isMultiple(of: 2) {
      if self[path] != nil { found.append(path) }
      tree.forEachDocument(below: path) { document in
        found.append(document.path)
        return true
      }
    } else {
      let range = PathRange(lower: PathRange.End(path: path, isIncluded: true), upper: nil)
      tree.forEachDocument(below: path.documentAbove, in: range) { document in
        guard document.path.isWithin(path) else { return false }
        found.append(document.path)
        return true
      }
    }
    if path.segments.isEmpty { removeAll() } else { for path in found { put(nil, at: path) } }
    if !found.isEmpty { history.clear(until: lastTime) }
    return found
  }
}
