/// A reorder buffer: takes numbered elements in any order and gives them in the order of their numbers,
/// which begin with 0 and have no gaps.
package struct ReorderBuffer<Element> {
  private var early: [Int: Element] = [:]
  private var next = 0

  /// Nothing has come yet; the first that is due is number 0.
  package init() {}

  /// Takes one; those whose turn has come with it, in order.
  package mutating func take(_ element: Element, number: Int) -> [Element] {
    early[number] = element
    var due: [Element] = []
    while let element = early.removeValue(forKey: next) {
      due.append(element)
      next += 1
    }
    return due
  }
}

extension ReorderBuffer: Sendable where Element: Sendable {}
