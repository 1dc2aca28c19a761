/// Undoable multimap from terms to elements: appended in any order, removed in the reverse order.
///
/// All sequences share one array of linked entries, so an empty sequence costs eight bytes.
package struct UndoableMultimap<Element> {
  private struct Ends {
    var first: Int32
    var last: Int32
  }

  private struct Link {
    var element: Element
    var previous: Int32
    var next: Int32 = -1
  }

  /// The first and last link of each term.
  private var ends: [Ends]
  private var links: [Link] = []

  /// Creates `count` empty sequences.
  package init(count: Int) { ends = Array(repeating: Ends(first: -1, last: -1), count: count) }

  /// Appends an element to the sequence of a term.
  package mutating func append(_ element: Element, to term: Int) {
    let place = Int32(links.count)
    let last = ends[term].last
    links.append(Link(element: element, previous: last))
    if last < 0 { ends[term].first = place } else { links[Int(last)].next = place }
    ends[term].last = place
  }

  /// Removes the last element of a term's sequence.
  ///
  /// - Requires: It is the element that was appended last of all.
  package mutating func removeLast(of term: Int) {
    let previous = links.removeLast().previous
    ends[term].last = previous
    if previous < 0 { ends[term].first = -1 } else { links[Int(previous)].next = -1 }
  }

  /// Returns the sequence of a term.
  package subscript(_ term: Int) -> Chain { Chain(chains: self, place: ends[term].first) }

  /// The sequence of one term.
  package struct Chain: Sequence, IteratorProtocol {
    fileprivate let chains: UndoableMultimap
    fileprivate var place: Int32

    /// Returns the next element.
    package mutating func next() -> Element? {
      if place < 0 { return nil }
      let link = chains.links[Int(place)]
      place = link.next
      return link.element
    }
  }
}

/// Use lists: for each class leader, the applications that have a member of the class as an
/// argument. Joins are undone in the reverse order.
package struct Uses {
  private struct Ends {
    var first: Int32
    var last: Int32
  }

  private struct Link {
    var use: TermID
    var next: Int32
  }

  /// The first and last link of each leader.
  private var ends: [Ends]
  private var links: [Link] = []

  /// Creates `count` empty lists.
  package init(count: Int) { ends = Array(repeating: Ends(first: -1, last: -1), count: count) }

  /// Adds an application to the use list of a term.
  ///
  /// - Requires: The term is alone in its class.
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

  /// Appends the list of `small` to that of `large`.
  ///
  /// - Returns: The argument `last` with which `part` undoes this.
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

  /// Undoes a `join`.
  package mutating func part(_ large: Int, at last: Int32) {
    ends[large].last = last
    if last < 0 { ends[large].first = -1 } else { links[Int(last)].next = -1 }
  }

  /// Returns the use list of a class. Right after a join, the list of the smaller class is still its own part
  /// only; later joins extend it.
  package subscript(_ leader: Int) -> Sequence { Sequence(uses: self, place: ends[leader].first) }

  /// The use list of one class.
  package struct Sequence: Swift.Sequence, IteratorProtocol {
    fileprivate let uses: Uses
    fileprivate var place: Int32

    /// Returns the next application.
    package mutating func next() -> TermID? {
      if place < 0 { return nil }
      let link = uses.links[Int(place)]
      place = link.next
      return link.use
    }
  }
}
