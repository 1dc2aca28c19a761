import RulesEval
import RulesLang

// All requests that told versions apart are gone through for each question, in files with thousands of
// them. Most changes are for documents whose paths begin with one text, so that most requests need not be
// looked at.

/// Requests that tell versions of a rules file apart; what was of use last comes first.
struct KnownRequests {
  /// One of them.
  final class Told {
    /// What tells the versions apart.
    let witness: DiffWitness
    /// The segments of its document's path.
    let segments: [Text?]
    /// The request, ready to be decided.
    let prepared: PreparedRequest
    /// What the rules themselves look at; nil if they do not decide it.
    let footprint: Footprint?
    /// What they say, once they were asked.
    var isAllowed: Bool??

    /// Makes one that nobody was asked about.
    init(_ witness: DiffWitness, prepared: PreparedRequest, footprint: Footprint?) {
      self.witness = witness
      // Element by element: Embedded Swift has no cast from an array of names to one of names or none.
      segments = witness.document.segments.map(Optional.some)
      self.prepared = prepared
      self.footprint = footprint
    }
  }

  /// All of them.
  private(set) var all: [Told] = []
  /// The same by the first segment of their documents' paths.
  private var groups: [(first: Text, told: [Told])] = []

  /// Those that may meet changed statements, and perhaps others.
  func candidates(for changed: ChangedStatements?) -> [Told] {
    guard let first = changed?.onlyFirst else { return all }
    return groups.first { $0.first == first }?.told ?? []
  }

  /// Adds one.
  mutating func insert(_ told: Told) {
    all.insert(told, at: 0)
    guard let first = told.witness.document.segments.first else { return }
    if let place = groups.firstIndex(where: { $0.first == first }) {
      groups[place].told.insert(told, at: 0)
    } else {
      groups.append((first, [told]))
    }
  }

  /// Notes that one was of use.
  mutating func use(_ told: Told) {
    all.moveToFront(told)
    let first = told.witness.document.segments.first
    if let place = groups.firstIndex(where: { $0.first == first }) {
      groups[place].told.moveToFront(told)
    }
  }
}

extension [KnownRequests.Told] {
  fileprivate mutating func moveToFront(_ told: KnownRequests.Told) {
    guard let place = firstIndex(where: { $0 === told }) else { return }
    insert(remove(at: place), at: 0)
  }
}
