import RulesEncoding
import RulesEval
import RulesLang

/// A path pattern of the rules, restricted to documents that match no narrower pattern.
struct AuditedPath {
  /// The documents; its exceptions are the narrower patterns, which have rows of their own.
  var path: ClaimPath
  /// The blocks with this pattern and with statements.
  var blocks: [MatchID]

  /// Returns the distinct patterns of reachable blocks with statements, in the order of the source.
  static func all(in rules: Checked) -> [AuditedPath] {
    var found: [AuditedPath] = []
    var known: [[Shape]: Int] = [:]
    for index in rules.ruleset.matches.indices {
      let match = rules.ruleset.matches[index]
      let service = rules.ruleset.services[match.service].name.text
      guard service == Ruleset.firestoreService, !match.allows.isEmpty,
        rules.matches[index].isReachable,
        let path = ClaimPath(rules.matches[index], in: rules.database)
      else { continue }
      // Patterns that differ in wildcard names only are one.
      let shape = path.steps.map { Shape($0) }
      if let known = known[shape] {
        found[known].blocks.append(MatchID(index))
      } else {
        known[shape] = found.count
        found.append(AuditedPath(path: path, blocks: [MatchID(index)]))
      }
    }
    // A document of several patterns is shown once, with the most specific one.
    let patterns = found.map { $0.path.steps }
    for place in found.indices {
      let narrower = patterns.filter {
        ClaimPath.covers(patterns[place], $0) && !ClaimPath.covers($0, patterns[place])
      }
      found[place].path.exceptions = narrower.filter { one in
        !narrower.contains { ClaimPath.covers($0, one) && !ClaimPath.covers(one, $0) }
      }
    }
    return found
  }

  /// A step of a path, ignoring wildcard names.
  private enum Shape: Hashable {
    case literal(Text)
    case one, run

    init(_ step: ClaimPath.Step) {
      switch step {
      case .literal(let text): self = .literal(text)
      case .capture: self = .one
      case .glob: self = .run
      }
    }
  }

  /// Returns the statements whose blocks can match a document of the path, with the step of the
  /// path that each capture stands for; nil for a capture that is not a single step.
  func statements(in rules: Checked) -> [(allow: AllowID, captures: [ClaimPath.Step?])] {
    var found: [(allow: AllowID, captures: [ClaimPath.Step?])] = []
    for index in rules.ruleset.allows.indices {
      let block = rules.ruleset.allows[index].match
      let facts = rules.matches[block.index]
      guard facts.isReachable, path.overlaps(facts.pattern, in: rules.database),
        !path.excepts(facts, in: rules.database)
      else { continue }
      found.append((AllowID(index), path.steps(of: facts.pattern, in: rules.database)))
    }
    return found
  }
}

extension ClaimPath {
  /// Creates the pattern of a block's documents; nil if no document can match.
  init?(_ facts: MatchFacts, in database: DatabaseName) {
    var steps: [Step] = []
    var taken: Set<Text> = ["request", "resource"]
    func name(_ slot: UInt8) -> Text {
      var name = facts.captures[Int(slot)].text
      while !taken.insert(name).inserted { name.append(0x5F) }
      return name
    }
    for (place, step) in facts.pattern.enumerated() {
      let isRoot = place < DatabaseName.rootCount && !steps.contains { $0.isGlob }
      switch step {
      case .literal(let text):
        if isRoot {
          guard text == database.root[place] else { return nil }
        } else {
          steps.append(.literal(text))
        }
      case .capture(let slot):
        if !isRoot { steps.append(.capture(name(slot))) }
      case .glob(let slot): steps.append(.glob(name(slot)))
      }
    }
    let isOpen = steps.contains { $0.isGlob }
    guard isOpen || (!steps.isEmpty && steps.count.isMultiple(of: 2)) else { return nil }
    self.init(steps)
  }

  /// True if the exceptions exclude all documents of a block.
  func excepts(_ facts: MatchFacts, in database: DatabaseName) -> Bool {
    guard !exceptions.isEmpty, let block = ClaimPath(facts, in: database) else { return false }
    return exceptions.contains { Self.covers($0, block.steps) }
  }

  /// Returns the steps including the database root.
  private func whole(in database: DatabaseName) -> [Step] {
    database.root.map { .literal($0) } + steps
  }

  /// True if some path may match both: they agree before the first `{x=**}` and after the last. False
  /// only if none does.
  func overlaps(_ pattern: [PatternStep], in database: DatabaseName) -> Bool {
    // Fast path without allocation: most blocks differ in a literal before any glob.
    let root = database.root
    for (place, step) in pattern.enumerated() where place < root.count + steps.count {
      let mine = place < root.count ? Step.literal(root[place]) : steps[place - root.count]
      if step.isGlob || mine.isGlob { break }
      if case .literal(let left) = mine, case .literal(let right) = step, left != right {
        return false
      }
    }
    let (own, other) = (whole(in: database), pattern)
    func agree(_ pairs: some Sequence<(Step, PatternStep)>) -> Bool {
      for (one, other) in pairs {
        if one.isGlob || other.isGlob { return true }
        if case .literal(let left) = one, case .literal(let right) = other, left != right {
          return false
        }
      }
      return true
    }
    let (isOpen, isOtherOpen) = (own.contains { $0.isGlob }, other.contains { $0.isGlob })
    if !isOtherOpen, other.count < own.count - (isOpen ? 1 : 0) { return false }
    if !isOpen, own.count < other.count - (isOtherOpen ? 1 : 0) { return false }
    if !isOpen, !isOtherOpen, own.count != other.count { return false }
    return agree(zip(own, other)) && agree(zip(own.reversed(), other.reversed()))
  }

  /// Returns for each capture of a pattern the step of this path at its position.
  func steps(of pattern: [PatternStep], in database: DatabaseName) -> [Step?] {
    let whole = whole(in: database)
    let glob = pattern.firstIndex { $0.isGlob } ?? pattern.count
    let ownGlob = whole.firstIndex { $0.isGlob }
    var found: [Step?] = []
    for (place, step) in pattern.enumerated() {
      switch step {
      case .literal: continue
      case .glob: found.append(nil)
      case .capture where place < glob:
        found.append(Self.step(of: whole, at: place, before: ownGlob))
      case .capture:
        let fromStart = whole.count - (pattern.count - place)
        found.append(ownGlob == nil ? Self.step(of: whole, at: fromStart, before: nil) : nil)
      }
    }
    return found
  }

  private static func step(of whole: [Step], at place: Int, before glob: Int?) -> Step? {
    guard whole.indices.contains(place), place < glob ?? whole.count else { return nil }
    return whole[place]
  }
}
