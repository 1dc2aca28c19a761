import RulesLang

/// A trie of the match blocks' patterns: finds the blocks that match a path segment by segment instead of
/// block by block.
///
/// Patterns with a common beginning share it, and the literal segments that may follow are found by one probe
/// of a hash table; so unrelated blocks cost nothing. Blocks are numbered in the order in which the engine
/// tries them (Docs/Language.md §4).
struct Dispatch: ~Copyable, Sendable {
  /// A step of the path that is looked up in the trie.
  struct Step: Sendable {
    let raw: UInt32

    /// Creates the step of one segment: a symbol of the rules, or `other`.
    init(_ symbol: Symbol) { raw = symbol.raw }
    private init(raw: UInt32) { self.raw = raw }

    /// The step for the unknown document ID of a query.
    static let anyDocument = Step(raw: .max)
    /// The step for the unknown segments above a collection group, of any number.
    static let anyRun = Step(raw: .max - 1)
    /// True if the step is one segment, known or not.
    var isSegment: Bool { raw < UInt32.max - 1 }
  }

  /// The part of the path that a capture is bound to.
  enum Source: Sendable {
    /// The segment at this place.
    case fromStart(Int)
    /// The segment this far from the end; 1 is the last.
    case fromEnd(Int)
    /// The segments that the glob covers.
    case run(before: Int, after: Int)
  }

  /// A block with statements.
  struct Block: Sendable {
    var match: MatchID
    /// The index in `sources` of its first capture's source; the others follow by slot.
    var firstSource: Int
    /// The steps behind a glob that the engine compares with the same segments as the first steps of `suffix`
    /// (`MatchFacts.overlap`), as a range of `suffixes`.
    var overlap: Range<Int>
    /// The steps behind a glob, as a range of `suffixes`.
    var suffix: Range<Int>
    /// The statements, as a range of `allows`.
    var allows: Range<Int>
  }

  /// A statement of a block.
  struct Candidate: Sendable {
    var allow: AllowID
    var methods: MethodSet
  }

  private struct Node {
    /// The node behind a capture `{x}`; 0 if there is none.
    var capture = 0
    /// The blocks whose patterns end here, as a range of `numbers`.
    var ends = 0..<0
    /// The blocks whose patterns have a glob next, as a range of `numbers`.
    var globs = 0..<0
  }

  /// The blocks that end or have a glob at a node, while the trie is being built.
  private struct Blocks {
    var ends: [UInt32] = []
    var globs: [UInt32] = []
  }

  private(set) var blocks: [Block] = []
  private(set) var allows: [Candidate] = []
  private(set) var sources: [Source] = []
  /// The literal steps behind globs, by symbol; `other` for captures.
  private var suffixes: [Symbol] = []
  private var nodes: [Node] = [Node()]
  private var numbers: [UInt32] = []
  private var edges = EdgeTable()
  private var minimumRun = 0

  /// Creates an empty trie, which matches no path.
  init() {}

  /// Builds the trie of the reachable blocks with statements of a rules file.
  init(_ rules: Checked, symbols: inout Symbols) {
    minimumRun = rules.ruleset.version == .one ? 1 : 0
    var found: [Blocks] = [Blocks()]
    for block in rules.blocksInOrder {
      let facts = rules.matches[block.index]
      if facts.isReachable, !rules.ruleset[block].allows.isEmpty {
        add(block, facts: facts, in: rules, symbols: &symbols, into: &found)
      }
    }
    for (place, blocks) in found.enumerated() {
      let first = numbers.count
      numbers += blocks.ends
      nodes[place].ends = first..<numbers.count
      numbers += blocks.globs
      nodes[place].globs = nodes[place].ends.upperBound..<numbers.count
    }
  }

  private mutating func add(
    _ id: MatchID, facts: MatchFacts, in rules: Checked, symbols: inout Symbols,
    into found: inout [Blocks]
  ) {
    let pattern = facts.pattern
    let number = UInt32(blocks.count)
    let (firstSource, firstSuffix, firstAllow) = (sources.count, suffixes.count, allows.count)
    for allow in rules.ruleset[id].allows {
      allows.append(Candidate(allow: allow, methods: rules.methods[allow.index]))
    }
    var node = 0
    var glob: Int?
    for (place, step) in pattern.enumerated() {
      switch step {
      case .literal(let text):
        let symbol = symbols.intern(text)
        if glob != nil { suffixes.append(symbol) } else { node = follow(from: node, by: symbol) }
      case .capture:
        sources.append(glob.map { facts.source(of: place, behind: $0) } ?? .fromStart(place))
        if glob != nil { suffixes.append(.other) } else { node = followCapture(node) }
      case .glob:
        sources.append(.run(before: place, after: pattern.count - place - 1 - facts.overlap))
        glob = place
      }
    }
    while found.count < nodes.count { found.append(Blocks()) }
    if glob == nil { found[node].ends.append(number) } else { found[node].globs.append(number) }
    let inner = firstSuffix + facts.overlap
    blocks.append(
      Block(
        match: id, firstSource: firstSource, overlap: firstSuffix..<inner,
        suffix: inner..<suffixes.count, allows: firstAllow..<allows.count))
  }

  private mutating func follow(from node: Int, by symbol: Symbol) -> Int {
    if let known = edges.find(from: node, by: symbol.raw) { return known }
    nodes.append(Node())
    edges.add(from: node, by: symbol.raw, to: nodes.count - 1)
    return nodes.count - 1
  }

  private mutating func followCapture(_ node: Int) -> Int {
    if nodes[node].capture == 0 {
      nodes.append(Node())
      nodes[node].capture = nodes.count - 1
    }
    return nodes[node].capture
  }

  // MARK: Finding

  /// Appends the blocks that match a path, `count` steps from `first`, in the order in which they are
  /// tried.
  func find(
    _ steps: borrowing Table<Step>, from first: Int, count: Int, into found: inout Table<UInt32>
  ) {
    let start = found.count
    walk(from: 0, along: steps, at: first, to: first + count, into: &found)
    // There are only a few, usually in order.
    var place = start + 1
    while place < found.count {
      var other = place
      while other > start, found[other - 1] > found[other] {
        (found[other - 1], found[other]) = (found[other], found[other - 1])
        other -= 1
      }
      place += 1
    }
  }

  /// Walks the trie from a node along the rest of a path. Recurses as deeply as patterns are long, which the
  /// checker limits.
  private func walk(
    from node: Int, along path: borrowing Table<Step>, at place: Int, to end: Int,
    into found: inout Table<UInt32>
  ) {
    for entry in nodes[node].globs {
      let number = numbers[entry]
      let suffix = blocks[Int(number)].suffix
      let run = end - place - suffix.count
      if run >= minimumRun, !isTooOpen(path, from: place, count: run),
        isMatch(blocks[Int(number)].overlap, in: path, from: place + run),
        isMatch(suffix, in: path, from: place + run)
      {
        found.append(number)
      }
    }
    guard place < end else {
      for entry in nodes[node].ends { found.append(numbers[entry]) }
      return
    }
    let step = path[place]
    if step.isSegment, step.raw != Symbol.other.raw, let next = edges.find(from: node, by: step.raw)
    {
      walk(from: next, along: path, at: place + 1, to: end, into: &found)
    }
    if nodes[node].capture != 0, step.raw != Step.anyRun.raw {
      walk(from: nodes[node].capture, along: path, at: place + 1, to: end, into: &found)
    }
  }

  /// True if a glob of version 1 does not match the steps: it does not match two unknown segments without a
  /// run of segments beside them.
  private func isTooOpen(_ path: borrowing Table<Step>, from start: Int, count: Int) -> Bool {
    if minimumRun == 0 { return false }
    var unknown = 0
    for place in start..<(start + count) {
      if path[place].raw == Step.anyRun.raw { return false }
      if path[place].raw == Step.anyDocument.raw { unknown += 1 }
    }
    return unknown > 1
  }

  private func isMatch(
    _ suffix: Range<Int>, in path: borrowing Table<Step>, from start: Int
  ) -> Bool {
    for offset in 0..<suffix.count {
      let symbol = suffixes[suffix.lowerBound + offset]
      let step = path[start + offset]
      guard symbol == .other ? step.raw != Step.anyRun.raw : step.raw == symbol.raw else {
        return false
      }
    }
    return true
  }
}

extension MatchFacts {
  /// Returns the source of a capture's value behind the glob, counted from the end of the path.
  fileprivate func source(of place: Int, behind glob: Int) -> Dispatch.Source {
    let isOverlapped = place - glob <= overlap
    return .fromEnd(pattern.count - place - (isOverlapped ? overlap : 0))
  }
}

/// The trie's edges for literal segments: a hash table from node and symbol to node, with open addressing.
private struct EdgeTable: Sendable {
  private var keys: [UInt64] = Array(repeating: 0, count: 8)
  private var targets: [Int] = Array(repeating: 0, count: 8)
  private var count = 0

  /// Returns the node behind an edge; nil if there is none.
  ///
  /// - Requires: `symbol` is not 0.
  func find(from node: Int, by symbol: UInt32) -> Int? {
    let key = UInt64(node) << 32 | UInt64(symbol)
    var slot = Self.hash(key) & (keys.count - 1)
    while keys[slot] != 0 {
      if keys[slot] == key { return targets[slot] }
      slot = (slot + 1) & (keys.count - 1)
    }
    return nil
  }

  mutating func add(from node: Int, by symbol: UInt32, to target: Int) {
    count += 1
    if count * 2 > keys.count { grow() }
    put(UInt64(node) << 32 | UInt64(symbol), leadingTo: target)
  }

  private mutating func grow() {
    let old = zip(keys, targets).filter { $0.0 != 0 }
    keys = Array(repeating: 0, count: keys.count * 2)
    targets = Array(repeating: 0, count: keys.count)
    for (key, target) in old { put(key, leadingTo: target) }
  }

  private mutating func put(_ key: UInt64, leadingTo target: Int) {
    var slot = Self.hash(key) & (keys.count - 1)
    while keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
    keys[slot] = key
    targets[slot] = target
  }

  private static func hash(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 32)
  }
}
