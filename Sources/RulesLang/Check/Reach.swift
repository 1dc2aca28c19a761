/// The services whose requests can run a piece of a rules file.
struct Reach: OptionSet, Sendable {
  /// One bit for each known service.
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  static let firestore = Reach(rawValue: 1)
  static let storage = Reach(rawValue: 2)

  /// Creates the set of one service; empty for an unknown one.
  init(service: Text) {
    switch service {
    case Ruleset.firestoreService: self = .firestore
    case Ruleset.storageService: self = .storage
    default: self = []
    }
  }
}

/// Finds the services that reach each function, as Google's checker computes it.
///
/// That checker goes through the file from the inside out with one list of called names. At the end of a
/// block, the functions declared in the block are removed from the list, and the names that they call are
/// added. A name that a block calls and does not declare stays on the list and is taken by the next block
/// that declares it, even if that block does not contain the call. So a function may count as unreached
/// although a condition calls it, because the call was taken for one of another function of that name. A
/// method call counts as a call of a function of its name. (Docs/Language.md §10)
struct ReachFinder {
  private let ruleset: Ruleset
  /// The names that each function calls.
  private let calls: [[Text]]
  /// The names that each condition calls, by `AllowID`.
  private let conditions: [[Text]]
  private var pending: [Text: Reach] = [:]
  private var reaches: [Reach]

  /// Returns the services that reach each function.
  static func find(_ ruleset: Ruleset, calls: [[Text]], conditions: [[Text]]) -> [Reach] {
    var finder = ReachFinder(in: ruleset, calls: calls, conditions: conditions)
    for (index, service) in ruleset.services.enumerated() {
      for match in service.matches { finder.leave(match) }
      finder.putAdded(to: .service(index))
      finder.take(ruleset.services[index].functions)
    }
    finder.putAdded(to: .file)
    finder.take(ruleset.fileFunctions)
    return finder.reaches
  }

  private init(in ruleset: Ruleset, calls: [[Text]], conditions: [[Text]]) {
    self.ruleset = ruleset
    self.calls = calls
    self.conditions = conditions
    reaches = Array(repeating: [], count: calls.count)
  }

  /// Processes a block from the inside out. Recurses as deeply as match blocks nest, which the parser limits.
  private mutating func leave(_ match: MatchID) {
    for inner in ruleset[match].matches { leave(inner) }
    for allow in ruleset[match].allows {
      let reach = ruleset.reach(of: ruleset[allow])
      if !reach.isEmpty { put(on: conditions[allow.index], reach: reach) }
    }
    putAdded(to: .match(match))
    take(ruleset[match].functions)
  }

  /// Marks the added conditions of a scope as reached, like those of statements.
  private mutating func putAdded(to owner: ScopeOwner) {
    for id in ruleset.addedConditions where ruleset[id].owner == owner {
      reaches[id.index] = .firestore
      put(on: calls[id.index], reach: .firestore)
    }
  }

  private mutating func put(on names: [Text], reach: Reach) {
    for name in names { pending[name, default: []].formUnion(reach) }
  }

  private mutating func take(_ functions: [FunctionID]) {
    guard !functions.isEmpty, !pending.isEmpty else { return }
    var hasTaken = true
    while hasTaken {
      hasTaken = false
      for id in functions {
        guard let reach = pending.removeValue(forKey: ruleset[id].name.text),
          !reaches[id.index].isSuperset(of: reach)
        else { continue }
        reaches[id.index].formUnion(reach)
        put(on: calls[id.index], reach: reaches[id.index])
        hasTaken = true
      }
    }
  }
}

extension Ruleset {
  /// Returns the services that reach the condition of a statement: none if the statement can never apply.
  func reach(of allow: Allow) -> Reach {
    guard !MethodSet(of: allow).isEmpty else { return [] }
    return Reach(service: services[self[allow.match].service].name.text)
  }
}
