import RulesEval
import RulesLang

// In files with thousands of statements, searching all known witnesses for each question is slow.
// Most changes concern documents below one collection, so witnesses are indexed by first segment.

/// Witnesses that distinguish versions of a rules file, most recently used first.
struct KnownRequests {
  /// A witness, prepared for evaluation.
  final class KnownWitness {
    /// The request that distinguishes two versions.
    let witness: DiffWitness
    /// The segments of its document's path.
    let segments: [Text?]
    /// The prepared request.
    let prepared: PreparedRequest
    /// The footprint of the unchanged rules' decision; nil if they do not decide it.
    let footprint: Footprint?
    /// The unchanged rules' decision, once computed.
    var isAllowed: Bool??

    /// Creates a witness without a decision.
    init(_ witness: DiffWitness, prepared: PreparedRequest, footprint: Footprint?) {
      self.witness = witness
      // Element by element: Embedded Swift cannot convert an array to one of optionals.
      segments = witness.document.segments.map(Optional.some)
      self.prepared = prepared
      self.footprint = footprint
    }
  }

  /// All witnesses.
  private(set) var all: [KnownWitness] = []
  /// The witnesses by the first segment of their documents.
  private var groups: [(first: Text, told: [KnownWitness])] = []

  /// Returns the witnesses that may match changed statements, and possibly others.
  func candidates(for changed: ChangedStatements) -> [KnownWitness] {
    guard let first = changed.onlyFirst else { return all }
    return groups.first { $0.first == first }?.told ?? []
  }

  /// Adds a witness.
  mutating func insert(_ told: KnownWitness) {
    all.insert(told, at: 0)
    guard let first = told.witness.document.segments.first else { return }
    if let place = groups.firstIndex(where: { $0.first == first }) {
      groups[place].told.insert(told, at: 0)
    } else {
      groups.append((first, [told]))
    }
  }

  /// Marks a witness as used.
  mutating func use(_ told: KnownWitness) {
    all.moveToFront(told)
    let first = told.witness.document.segments.first
    if let place = groups.firstIndex(where: { $0.first == first }) {
      groups[place].told.moveToFront(told)
    }
  }
}

extension [KnownRequests.KnownWitness] {
  fileprivate mutating func moveToFront(_ told: KnownRequests.KnownWitness) {
    guard let place = firstIndex(where: { $0 === told }) else { return }
    insert(remove(at: place), at: 0)
  }
}
