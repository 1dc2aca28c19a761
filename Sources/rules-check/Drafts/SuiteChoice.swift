import RulesEval
import RulesHost
import RulesLang
import RulesProof

/// Chooses the suite of a rules file to which a new test is added: the one with the most tests about the same
/// collection, else the one that `init` writes, else the first.
struct SuiteChoice {
  /// For each suite, the number of tests about each collection.
  private let counts: [[String: Int]]
  /// The index of the suite with the name of the rules.
  private let generated: Int?

  /// Creates the choice among a rules file's suites.
  ///
  /// - Requires: There is at least one.
  init(among suites: [LoadedSuite], about rulesPath: String) {
    counts = suites.map { suite in
      suite.tests.reduce(into: [:]) { counts, test in
        for collection in Self.collections(of: test) { counts[collection, default: 0] += 1 }
      }
    }
    let name = SuiteSearch.path(for: rulesPath)
    generated = suites.firstIndex { FileSystem.isSame($0.source.name, name) }
  }

  /// Returns the suite for a test about a document, and the reason for it; no reason if there is only one.
  func suite(for document: DocumentPath) -> (place: Int, reason: String?) {
    if counts.count == 1 { return (0, nil) }
    let collection = Self.collection(of: document.segments)
    let best = counts.indices.max {
      let (one, other) = (counts[$0][collection] ?? 0, counts[$1][collection] ?? 0)
      return one < other || one == other && isLater($0, $1)
    }
    if let best, counts[best][collection] != nil {
      return (best, "most tests about \(collection) are there")
    }
    let none = "no suite has tests about \(collection)"
    if let generated { return (generated, "\(none), and it is named like the rules") }
    return (0, "\(none), and it is the first")
  }

  /// True if a suite comes after another one with as many tests.
  private func isLater(_ one: Int, _ other: Int) -> Bool {
    other == generated || one != generated && one > other
  }

  private static func collections(of test: Test) -> Set<String> {
    switch test.subject {
    case .steps(let steps): Set(steps.flatMap { collections(of: $0) })
    case .supplied: Set(DocumentPath(Text(test.path)).map { [collection(of: $0.segments)] } ?? [])
    case .operation(.get(let paths)): Set(paths.map { collection(of: $0.segments) })
    case .operation(.list(let query)):
      [collection(of: query.parent.segments + [query.collection, "any"])]
    case .operation(.commit(let writes)): Set(writes.map { collection(of: $0.path.segments) })
    }
  }

  /// Returns the collection of a document, with the IDs of the documents above left out:
  /// `/rooms/{}/messages`.
  private static func collection(of segments: [Text]) -> String {
    segments.dropLast().enumerated().reduce("") { text, segment in
      text + "/" + (segment.offset.isMultiple(of: 2) ? String(segment.element) : "{}")
    }
  }
}
