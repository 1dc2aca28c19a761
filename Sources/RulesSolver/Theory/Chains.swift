/// For each term a sequence of things, which grow and shrink at their ends in the order of a log.
///
/// All sequences share their storage, so that most of them, which are empty, cost eight bytes.
package struct Chains<Element> {
  private struct Ends {
    var first: Int32
    var last: Int32
  }

  private struct Link {
    var element: Element
    var previous: Int32
    var next: Int32 = -1
  }

  /// By term.
  private var ends: [Ends]
  private var links: [Link] = []

  /// Makes empty sequences.
  package init(count: Int) { ends = Array(repeating: Ends(first: -1, last: -1), count: count) }

  /// Adds something to the end of the sequence of a term.
  package mutating func append(_ element: Element, to term: Int) {
    let place = Int32(links.count)
    let last = ends[term].last
    links.append(Link(element: element, previous: last))
    if last < 0 { ends[term].first = place } else { links[Int(last)].next = place }
    ends[term].last = place
  }

  /// Takes away the last of a term's sequence, which must be what was added last of all.
  package mutating func removeLast(of term: Int) {
    let previous = links.removeLast().previous
    ends[term].last = previous
    if previous < 0 { ends[term].first = -1 } else { links[Int(previous)].next = -1 }
  }

  /// The sequence of a term.
  package subscript(_ term: Int) -> Chain { Chain(chains: self, place: ends[term].first) }

  /// One sequence.
  package struct Chain: Sequence, IteratorProtocol {
    fileprivate let chains: Chains
    fileprivate var place: Int32

    /// The next of it.
    package mutating func next() -> Element? {
      if place < 0 { return nil }
      let link = chains.links[Int(place)]
      place = link.next
      return link.element
    }
  }
}

/// The applications in which the terms of each class occur, by leader. Classes are joined and parted
/// again in the reverse order.
package struct Uses {
  private struct Ends {
    var first: Int32
    var last: Int32
  }

  private struct Link {
    var use: TermID
    var next: Int32
  }

  /// By leader.
  private var ends: [Ends]
  private var links: [Link] = []

  /// Makes empty sequences.
  package init(count: Int) { ends = Array(repeating: Ends(first: -1, last: -1), count: count) }

  /// Adds an application to those of a term that is in no class with others.
  package mutating func append(_ use: TermID, to term: Int) {
    let place = Int32(links.count)
    links.append(Link(use: use, next: -1))
    if ends[term].last < 0 {
      ends[term].first = place
    } else {
      links[Int(ends[term].last)].next = place
    }
    ends[term].last = place
  }

  /// Puts the sequence of a class behind that of another. What this gives undoes it.
  package mutating func join(_ small: Int, to large: Int) -> Int32 {
    let last = ends[large].last
    if ends[small].first >= 0 {
      if last < 0 {
        ends[large].first = ends[small].first
      } else {
        links[Int(last)].next = ends[small].first
      }
      ends[large].last = ends[small].last
    }
    return last
  }

  /// Parts what `join` has put together.
  package mutating func part(_ large: Int, at last: Int32) {
    ends[large].last = last
    if last < 0 { ends[large].first = -1 } else { links[Int(last)].next = -1 }
  }

  /// The applications of a class that was joined to none since, or was so as the last one.
  package subscript(_ leader: Int) -> Sequence { Sequence(uses: self, place: ends[leader].first) }

  /// The applications of one class.
  package struct Sequence: Swift.Sequence, IteratorProtocol {
    fileprivate let uses: Uses
    fileprivate var place: Int32

    /// The next of them.
    package mutating func next() -> TermID? {
      if place < 0 { return nil }
      let link = uses.links[Int(place)]
      place = link.next
      return link.use
    }
  }
}
