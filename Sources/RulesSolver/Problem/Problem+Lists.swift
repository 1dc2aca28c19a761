package import RulesEval
import RulesLang

// Axioms that relate elements, members, size and oddness of one list, for lists with several of
// these.
//
// Each positive fact, such as "x is in it", "it has an element at 2", "it is not `hasOnly` these"
// or "one is NaN", has a *witness*, an element of the list. A list of at most n elements cannot
// have n + 1 witnesses that are different elements.

/// The terms and bounds that conditions use of one list.
package struct ListQuestions {
  /// The elements at constant indices.
  package var elements: [Int64: TermID] = [:]
  /// The values whose membership is used.
  package var members: [TermID] = []
  /// The constant lists of its `hasOnly` comparisons.
  package var allowed: [(term: TermID, values: [Value])] = []
  /// True if "unequal to itself" is used.
  package var isOdd = false
  /// The maximum sizes that are used.
  package var bounds: Set<Int64> = []
  /// The exact sizes that are used.
  package var sizes: Set<Int64> = []
  /// The lists that it may be equal to.
  var copies: Set<TermID> = []

  /// True if anything about its elements is used.
  var asksForContents: Bool { !elements.isEmpty || !members.isEmpty || !allowed.isEmpty }
  /// True if nothing is used.
  package var isEmpty: Bool { !asksForContents && !isOdd && bounds.isEmpty && sizes.isEmpty }
}

extension Problem {
  /// Adds the axioms for all lists.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkLists() {
    let known = listQuestions()
    if !known.values.contains(where: { $0.asksForContents }) { return }
    let questions = shareContents(known) ? listQuestions() : known
    for list in questions.keys.sorted() {
      guard goesOn() else { return }
      guard var asked = questions[list], asked.asksForContents else { continue }
      for copy in asked.copies {
        asked.bounds.formUnion(questions[copy]?.bounds ?? [])
        asked.sizes.formUnion(questions[copy]?.sizes ?? [])
      }
      linkElements(of: list, asked)
      linkAllowed(of: list, asked)
      for copy in asked.copies.sorted() {
        link(list, asked: asked, to: copy, others: questions[copy])
      }
      let witnesses = witnesses(of: list, asked)
      if witnesses.isEmpty || witnesses.count > SearchStrategy.group { continue }
      for size in asked.bounds.union(asked.sizes).sorted() where size <= SearchStrategy.group / 2 {
        count(witnesses, in: list, asked: asked, size: Int(max(0, size)))
      }
    }
  }

  /// Creates the terms of each list for the lists that it may be equal to, so that congruence
  /// closure relates them. Copies of copies are not followed.
  ///
  /// - Returns: True if terms were created.
  private mutating func shareContents(_ questions: [TermID: ListQuestions]) -> Bool {
    let count = terms.count
    for list in questions.keys.sorted() {
      guard goesOn() else { break }
      guard let asked = questions[list], asked.copies.count <= SearchStrategy.group,
        asked.members.count + asked.elements.count <= SearchStrategy.group
      else { continue }
      for copy in asked.copies.sorted() {
        guard goesOn() else { break }
        guard terms.value(of: copy) == nil, let others = questions[copy], !others.isEmpty else {
          continue
        }
        for member in asked.members { _ = holds(.member, of: [copy, member]) }
        for (term, _) in asked.allowed { _ = holds(.onlyElements, of: [copy, term]) }
        for place in asked.elements.keys.sorted() {
          _ = terms.apply(
            .element, to: [copy, constant(.int(place))], types: terms.partTypes(of: copy))
        }
      }
    }
    return terms.count > count
  }

  /// Returns the uses of each term that may be a list.
  func listQuestions() -> [TermID: ListQuestions] {
    var found: [TermID: ListQuestions] = [:]
    var lists: [TermID: TermID] = [:]
    for index in 0..<terms.count {
      let term = TermID(index)
      guard case .apply(let op, let arguments) = terms[term] else { continue }
      let list = arguments[0]
      switch op {
      case .element:
        guard case .int(let place) = terms.value(of: arguments[1]), place >= 0 else { continue }
        found[list, default: ListQuestions()].elements[place] = term
      case .member: found[list, default: ListQuestions()].members.append(arguments[1])
      case .onlyElements:
        guard case .list(let values) = terms.value(of: arguments[1]) else { continue }
        found[list, default: ListQuestions()].allowed.append((arguments[1], values))
      case .size where terms.types(of: list).contains(.list):
        lists[term] = list
        if found[list] == nil { found[list] = ListQuestions() }
      case .odd where terms.types(of: list).contains(.list):
        found[list, default: ListQuestions()].isOdd = true
      default: continue
      }
    }
    if found.isEmpty { return found }
    for case let atom? in graph.atoms {
      switch atom {
      case .atMost(let term, .int, let bound):
        guard let list = lists[term], let bound = Int64(exactly: bound) else { continue }
        found[list]?.bounds.insert(bound)
      case .same(let one, let other):
        for (term, copy) in [(one, other), (other, one)] {
          if case .int(let size) = terms.value(of: copy), let list = lists[term] {
            found[list]?.sizes.insert(size)
          } else if terms.types(of: copy).contains(.list) {
            found[term]?.copies.insert(copy)
          }
        }
      case .atMost, .type, .floatAtMost, .difference, .matches: continue
      }
    }
    return found
  }

  // MARK: Sizes

  /// Returns "the term is a list with an element at this index".
  package mutating func reaches(_ list: TermID, place: Int64, asked: ListQuestions?) -> Ref {
    let size = terms.apply(.size, to: [list], types: .int)
    // An asserted exact size makes this true without a decision.
    var cases = [!atMost(size, in: .int, bound: Int128(place))]
    for known in (asked?.sizes ?? []).sorted() where known > place {
      cases.append(same(size, constant(.int(known))))
    }
    return graph.and(isType(of: list, in: .list), graph.or(cases))
  }

  /// Returns "the term is a list of at most `count` elements".
  private mutating func isShort(_ list: TermID, atMost count: Int, asked: ListQuestions) -> Ref {
    let size = terms.apply(.size, to: [list], types: .int)
    var cases: [Ref] = []
    if asked.bounds.contains(where: { $0 <= count }) || asked.sizes.isEmpty {
      cases.append(atMost(size, in: .int, bound: Int128(count)))
    }
    for known in asked.sizes.sorted() where known <= count {
      cases.append(same(size, constant(.int(known))))
    }
    return graph.and(isType(of: list, in: .list), graph.or(cases))
  }

  // MARK: Elements

  /// Adds: an element is a member, is among the values of `hasOnly`, and is odd only in an odd
  /// list.
  private mutating func linkElements(of list: TermID, _ asked: ListQuestions) {
    for member in asked.members where terms.types(of: member).contains(.list) {
      // A list does not contain itself.
      if terms.value(of: member) == nil {
        require(holds(.member, of: [list, member]), implies: !same(list, member))
      }
    }
    for (place, element) in asked.elements.sorted(by: { $0.key < $1.key }) {
      guard goesOn() else { return }
      if asked.members.isEmpty && asked.allowed.isEmpty && !asked.isOdd { continue }
      let isThere = reaches(list, place: place, asked: asked)
      for member in asked.members where member != element {
        require(
          graph.and(isThere, areMembers(element, member)),
          implies: holds(.member, of: [list, member]))
      }
      for (term, values) in asked.allowed {
        let only = holds(.onlyElements, of: [list, term])
        require(graph.and(isThere, only), implies: isAmong(element, values: values))
      }
      if asked.isOdd {
        let isOdd = !identical(element, element)
        require(graph.and(isThere, isOdd), implies: holds(.odd, of: [list]))
      }
    }
  }

  /// Adds extensionality: lists of equal length with the same elements are the same.
  private mutating func link(
    _ list: TermID, asked: ListQuestions, to copy: TermID, others: ListQuestions?
  ) {
    let count = Int64(asked.elements.count)
    var elements: [TermID] = []
    if case .list(let values) = terms.value(of: copy) {
      elements = values.map { constant($0) }
    } else if let others, list < copy {
      while let element = others.elements[Int64(elements.count)], elements.count < count {
        elements.append(element)
      }
    }
    if elements.isEmpty || Int64(elements.count) > count { return }
    var parts = [isType(of: list, in: .list), isType(of: copy, in: .list)]
    let size = constant(.int(Int64(elements.count)))
    for each in [list, copy] where terms.value(of: each) == nil {
      parts.append(same(terms.apply(.size, to: [each], types: .int), size))
    }
    for (place, element) in elements.enumerated() {
      guard let own = asked.elements[Int64(place)] else { return }
      parts.append(same(own, element))
    }
    require(graph.and(parts), implies: same(list, copy))
  }

  private mutating func isAmong(_ term: TermID, values: [Value]) -> Ref {
    var parts: [Ref] = []
    for value in values { parts.append(areMembers(term, constant(value))) }
    return graph.or(parts)
  }

  /// Adds axioms about `hasOnly`: such a list is empty or has one of the values; a list that also
  /// has other values has one of the others. Values whose membership is not used are not related to
  /// anything.
  private mutating func linkAllowed(of list: TermID, _ asked: ListQuestions) {
    let isList = isType(of: list, in: .list)
    for (term, values) in asked.allowed {
      guard goesOn(values.count) else { return }
      let only = holds(.onlyElements, of: [list, term])
      if let choices = choices(among: values, of: list, asked, except: [term]) {
        let size = terms.apply(.size, to: [list], types: .int)
        require(
          graph.and(isList, only), implies: graph.or(choices + [atMost(size, in: .int, bound: 0)]))
      }
      for (other, others) in asked.allowed where other != term {
        let rest = others.filter { value in
          !values.contains { Value.areMembers(value, $0) }
        }
        guard let choices = choices(among: rest, of: list, asked, except: [term, other]) else {
          continue
        }
        let both = graph.and(isList, holds(.onlyElements, of: [list, other]), !only)
        require(both, implies: graph.or(choices))
      }
    }
  }

  /// Returns literals of "the list has one of these values"; nil if it may have one whose
  /// membership is not used.
  private mutating func choices(
    among values: [Value], of list: TermID, _ asked: ListQuestions, except used: [TermID]
  ) -> [Ref]? {
    var choices: [Ref] = []
    for value in values {
      let constant = constant(value)
      // Another `hasOnly` comparison that lacks the value excludes it.
      let excluding = asked.allowed.filter { other in
        !used.contains(other.term) && !other.values.contains { Value.areMembers(value, $0) }
      }
      if asked.members.contains(constant) {
        choices.append(holds(.member, of: [list, constant]))
      } else if excluding.isEmpty {
        return nil
      } else {
        var parts: [Ref] = []
        for other in excluding { parts.append(!holds(.onlyElements, of: [list, other.term])) }
        choices.append(graph.and(parts))
      }
    }
    return choices
  }

  // MARK: Witnesses

  private enum Witness {
    case element(TermID)
    case member(TermID)
    case outside([Value])
    case odd
  }

  private mutating func witnesses(
    of list: TermID, _ asked: ListQuestions
  ) -> [(holds: Ref, kind: Witness)] {
    var found: [(holds: Ref, kind: Witness)] = []
    for (place, element) in asked.elements.sorted(by: { $0.key < $1.key })
    where place <= SearchStrategy.group / 2 {
      found.append((reaches(list, place: place, asked: asked), .element(element)))
    }
    for member in asked.members {
      found.append((holds(.member, of: [list, member]), .member(member)))
    }
    for (term, values) in asked.allowed {
      found.append((!holds(.onlyElements, of: [list, term]), .outside(values)))
    }
    if asked.isOdd { found.append((holds(.odd, of: [list]), .odd)) }
    return found
  }

  /// Adds the pigeonhole principle: of more witnesses than elements, two are the same element.
  private mutating func count(
    _ witnesses: [(holds: Ref, kind: Witness)], in list: TermID, asked: ListQuestions, size: Int
  ) {
    guard witnesses.count > size else { return }
    let isShort = isShort(list, atMost: size, asked: asked)
    for chosen in witnesses.indices.subsets(of: size + 1) {
      guard goesOn() else { return }
      var parts: [Ref] = []
      for (place, one) in chosen.enumerated() {
        for other in chosen[..<place] {
          parts.append(canBeOne(witnesses[other].kind, with: witnesses[one].kind))
        }
      }
      let all = graph.and(chosen.map { witnesses[$0].holds } + [isShort])
      require(all, implies: graph.or(parts))
    }
  }

  /// Returns "one element can be both witnesses".
  private mutating func canBeOne(_ one: Witness, with other: Witness) -> Ref {
    switch (one, other) {
    case (.element, .element), (.member, .odd), (.odd, .member): .no
    case (.element(let left), .member(let right)), (.member(let left), .element(let right)),
      (.member(let left), .member(let right)):
      areMembers(left, right)
    case (.element(let term), .outside(let values)), (.outside(let values), .element(let term)),
      (.member(let term), .outside(let values)), (.outside(let values), .member(let term)):
      !isAmong(term, values: values)
    case (.element(let term), .odd), (.odd, .element(let term)): !identical(term, term)
    case (.outside, .outside), (.outside, .odd), (.odd, .outside), (.odd, .odd): .yes
    }
  }
}

extension Range<Int> {
  /// Returns the subsets with `count` elements.
  package func subsets(of count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return flatMap { last in
      (lowerBound..<last).subsets(of: count - 1).map { $0 + [last] }
    }
  }
}
