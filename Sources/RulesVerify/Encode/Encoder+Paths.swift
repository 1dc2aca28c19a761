import RulesEval
import RulesLang

// Path literals, and matching of request paths by match blocks (Docs/Language.md §4).

extension Encoder {
  // MARK: Written out

  /// Returns the value of a path literal. An interpolation is a path, or a value converted as by
  /// `string()`.
  func path(_ parts: [PathPart], in frame: Frame) -> Cases {
    var shape = ""
    var operands: [Cases] = []
    var isPlain = true
    for part in parts {
      switch part.kind {
      case .literal(let text):
        shape += "/"
        operands.append(Cases(question.text(text)))
      case .interpolation(let inner):
        shape += "/$"
        operands.append(cases(of: inner, in: frame))
      case .capture(let name), .glob(let name):
        isPlain = false
        shape += "/{" + String(name.text) + "}"
        if case .glob = part.kind { shape += "*" }
      }
    }
    return each(of: operands) { terms in
      var whole = Cases(question.apply(.path, to: []))
      for term in terms where isPlain {
        whole = each(of: [whole, segments(term)]) { join($0[0], with: $0[1]) }
      }
      return isPlain ? whole : composed(shape, of: terms)
    }
  }

  /// Returns an uninterpreted path, a function of its parts.
  private func composed(_ shape: String, of terms: [Term]) -> Cases {
    let act = Act.compose(Text(shape))
    let isPath = question.isType(of: question.apply(.value(act), to: terms), in: .path)
    return computed(act, of: terms, when: isPath)
  }

  private func join(_ head: Term, with tail: Term) -> Cases {
    guard let one = plainSegments(head), let other = plainSegments(tail) else {
      return composed("/+", of: [head, tail])
    }
    return Cases(question.apply(.path, to: one + other))
  }

  /// Returns the segments of a literal path.
  func plainSegments(_ term: Term) -> [Term]? {
    if case .path(let path)? = question.value(of: term) {
      return path.segments.map { question.text($0.plainText ?? Text()) }
    }
    if case .apply(.path, let segments) = question[term] { return segments }
    return nil
  }

  /// Converts an interpolated value to a path.
  private func segments(_ term: Term) -> Cases {
    var found = Cases(term, when: question.isType(of: term, in: .path))
    let isText = question.isType(of: term, in: .string)
    if isText != .no { found = found + Cases(question.apply(.path, to: [term]), when: isText) }
    let isPrinted = question.isType(of: term, in: [.null, .bool, .int, .float])
    if isPrinted != .no {
      let text = question.apply(.value(.builtin(.string)), to: [term])
      found = found + Cases(question.apply(.path, to: [text]), when: isPrinted)
    }
    return found
  }

  // MARK: Match blocks

  /// A step of the path that match blocks are compared with: a segment, the unknown document ID of
  /// a query, or the unknown levels between an ancestor and a collection group.
  private enum Step {
    case term(Term), anyDocument, anyRun
  }

  /// An allow statement whose match block can match the path.
  struct Statement {
    var allow: AllowID
    /// The condition under which the block matches.
    var applies: Prop
    var frame: Frame
  }

  /// Returns the statements for the method whose blocks can match, in evaluation order.
  func statements() -> [Statement] {
    var found: [Statement] = []
    let steps = steps
    for block in rules.blocksInOrder where rules.matches[block.index].isReachable {
      guard let (applies, captures) = apply(rules.matches[block.index], to: steps) else { continue }
      for allow in rules.ruleset[block].allows
      where rules.methods[allow.index].contains(scene.method) {
        let frame = Frame(captures: captures, seesDocument: false)
        found.append(Statement(allow: allow, applies: applies, frame: frame))
      }
    }
    return found
  }

  /// Returns the rails of a statement's condition.
  func rails(of statement: Statement) -> Rails {
    guard let condition = rules.ruleset[statement.allow].condition else {
      return total(.yes)
    }
    return rails(of: condition.root, in: statement.frame)
  }

  /// The steps in front of every document path: the database root.
  private var root: [Step] { rules.database.root.map { .term(question.text($0)) } }

  private var steps: [Step] {
    let segments = scene.segments.map { Step.term($0) }
    switch kind.access {
    case .document, .namedQuery: return root + segments
    case .query: return root + segments.dropLast() + [.anyDocument]
    case .group(let below):
      return root + segments[..<below] + [.anyRun, segments[segments.count - 2], .anyDocument]
    }
  }

  /// Returns the condition under which a pattern matches a path, and the values of its captures;
  /// nil if it cannot match.
  private func apply(_ match: MatchFacts, to path: [Step]) -> (Prop, [Cases])? {
    let pattern = match.pattern
    var applies: [Prop] = []
    var captures: [Cases] = []
    /// Compares steps of the pattern with steps of the path; false if they cannot match.
    func bind(_ steps: ArraySlice<PatternStep>, to path: ArraySlice<Step>) -> Bool {
      for (step, actual) in zip(steps, path) {
        switch (step, actual) {
        case (.literal(let text), .term(let term)):
          applies.append(question.same(term, question.text(text)))
        case (.capture, .term(let term)): captures.append(Cases(term))
        case (.capture, .anyDocument): captures.append(.error)
        case (.literal, .anyDocument), (_, .anyRun), (.glob, _): return false
        }
      }
      return true
    }
    let glob = pattern.firstIndex { step in
      if case .glob = step { return true }
      return false
    }
    if let glob {
      // Steps after the glob of an outer block and steps after it in an inner block are compared
      // with the same path steps (Docs/Fidelity.md §1).
      let inner = glob + 1 + match.overlap
      let run = path.count - glob - (pattern.count - inner)
      guard run >= (rules.ruleset.version == .one ? 1 : 0),
        bind(pattern[..<glob], to: path[..<glob])
      else { return nil }
      captures.append(self.run(path[glob..<(glob + run)]))
      guard bind(pattern[(glob + 1)..<inner], to: path[(glob + run)...]),
        bind(pattern[inner...], to: path[(glob + run)...])
      else { return nil }
    } else {
      guard pattern.count == path.count, bind(pattern[...], to: path[...]) else { return nil }
    }
    // A capture without a single segment shows the outer capture of the same name.
    for slot in captures.indices where captures[slot].cases.isEmpty {
      if let outer = match.hiddenCapture(by: slot) { captures[slot] = captures[outer] }
    }
    let prop = question.all(applies)
    return prop == .no ? nil : (prop, captures)
  }

  /// Returns the value of `{name=**}`. In a query it is an unknown path; in version 1 it is an
  /// error there.
  private func run(_ steps: ArraySlice<Step>) -> Cases {
    for step in steps {
      guard case .term = step else {
        return rules.ruleset.version == .one
          ? .error : Cases(question.unknown(.run(steps.startIndex, steps.endIndex), of: .path))
      }
    }
    return Cases(part(steps.indices))
  }

  /// Returns the path of these steps of the document's path, counted from the first one. If the
  /// kind stands for all longer paths it is an unknown path.
  func part(_ steps: Range<Int>) -> Term {
    if kind.isOpen, scene.number == home.number {
      return question.unknown(.part(steps.lowerBound, steps.upperBound), of: .path)
    }
    let all = rules.database.root.map { question.text($0) } + scene.segments
    return question.apply(.path, to: Array(all[steps]))
  }

  /// The frame of the claim's conditions: captures of the enclosing match block, and the claim's
  /// wildcards.
  var claimFrame: Frame {
    var captures: [Cases] = []
    let path = root + scene.segments.map { Step.term($0) }
    if let block = stated.owner {
      let match = rules.matches[block.index]
      let isOpen = match.pattern.contains { step in
        if case .glob = step { return true }
        return false
      }
      captures = apply(match, to: isOpen ? path : Array(path.prefix(match.pattern.count)))?.1 ?? []
      while captures.count < match.captures.count { captures.append(.error) }
    }
    var locals: [Cases] = []
    var rest = scene.segments[...]
    let steps = stated.claim.path.steps
    for (place, step) in steps.enumerated() {
      switch step {
      case .literal: rest = rest.dropFirst()
      case .capture: locals.append(rest.popFirst().map { Cases($0) } ?? .error)
      case .glob:
        let run = rest.count - (steps.count - place - 1)
        let first = path.count - rest.count
        locals.append(Cases(part(first..<(first + run))))
        rest = rest.dropFirst(run)
      }
    }
    return Frame(captures: captures, locals: locals, seesDocument: true)
  }
}
