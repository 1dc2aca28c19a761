/// A stable sort by index.
///
/// The standard library's sort is faster, but is specialised for each type of element: three kilobytes each
/// in a program for a page, a fortieth of all.
package enum StableOrder {
  /// Returns the indices of `count` elements, sorted; the order of equal elements is kept. O(n log n)
  /// comparisons.
  @inline(never)
  package static func of(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    var order = Array(0..<count)
    var merged = order
    var width = 1
    while width < count {
      for start in stride(from: 0, to: count, by: 2 * width) {
        let middle = min(start + width, count)
        var (left, right) = (start, middle)
        let end = min(middle + width, count)
        for place in start..<end {
          let takesRight = left == middle || right < end && precedes(order[right], order[left])
          merged[place] = order[takesRight ? right : left]
          if takesRight { right += 1 } else { left += 1 }
        }
      }
      swap(&order, &merged)
      width *= 2
    }
    return order
  }
}

#if hasFeature(Embedded)
  extension Array {
    /// Returns the elements, sorted.
    package func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
      StableOrder.of(count) { precedes(self[$0], self[$1]) }.map { self[$0] }
    }

    /// Sorts the elements.
    package mutating func sort(by precedes: (Element, Element) -> Bool) {
      self = sorted(by: precedes)
    }
  }

  extension Set {
    /// Returns the elements, sorted.
    package func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
      Array(self).sorted(by: precedes)
    }
  }

  extension Set where Element: Comparable {
    /// Returns the elements, sorted.
    package func sorted() -> [Element] { Array(self).sorted() }
  }

  extension Dictionary {
    /// Returns the keys with their values, sorted.
    package func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
      Array(self).sorted(by: precedes)
    }
  }

  extension Array where Element: Comparable {
    /// Returns the elements, sorted.
    package func sorted() -> [Element] { sorted { $0 < $1 } }

    /// Sorts the elements.
    package mutating func sort() { self = sorted() }
  }
#endif
