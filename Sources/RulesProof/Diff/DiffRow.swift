import RulesEval
import RulesLang
import RulesSolver

/// The documents of one pattern, without those of patterns that it covers.
struct DiffRow {
  /// The pattern, with names as written in one of the files.
  var text: String
  /// The pattern with the patterns that it covers as exceptions.
  var pattern: ClaimPath
  /// The pattern's paths, one for each length (nil stands for any segment), each with the paths that
  /// belong to other rows.
  var paths: [(path: [Text?], except: [[Text?]])]
  /// The length whose path stands for all longer paths, too; nil if the pattern has no glob.
  var open: Int?
  /// True if documents of the pattern may be in other rows, of more specific patterns.
  var isOfRest = false

  /// Returns the rows of two rules files: those of the newer file in its order, then those that only
  /// the older one has. With `changed`, rows whose paths reach no changed statement are left out.
  static func all(
    from old: Checked, to new: Checked, within budget: Budget,
    concerning changed: ChangedStatements? = nil
  ) -> [DiffRow] {
    var shapes = new.shapes()
    let known = Set(shapes.map { $0.shape })
    for candidate in old.shapes() where !known.contains(candidate.shape) {
      shapes.append(candidate)
    }
    var extent = old.extent
    extent.add(new.extent)
    let lengths = (1...extent.greatestLength).filter { $0.isMultiple(of: 2) }
    var rows: [DiffRow] = []
    for (index, (shape, text)) in shapes.enumerated() {
      let own = lengths.compactMap { shape.texts($0) }
      budget.charge(100)
      if let changed, !own.contains(where: { changed.concern($0) }) { continue }
      budget.charge(4 * shapes.count)
      let special = shapes.indices.filter { other in
        other != index && shape.covers(shapes[other].shape, lengths: lengths)
          && (other < index || !shapes[other].shape.covers(shape, lengths: lengths))
      }
      let paths = lengths.compactMap { length -> (path: [Text?], except: [[Text?]])? in
        guard let path = shape.texts(length) else { return nil }
        let except = special.compactMap { shapes[$0].shape.texts(length) }
        return except.contains { $0.allSatisfy { $0 == nil } } ? nil : (path, except)
      }
      let isOpen = shape.steps.contains(.run)
      if !paths.isEmpty {
        rows.append(
          DiffRow(
            text: text, pattern: shape.path(except: special.map { shapes[$0].shape }), paths: paths,
            open: isOpen ? lengths.last : nil, isOfRest: !special.isEmpty))
      }
    }
    return rows
  }
}
