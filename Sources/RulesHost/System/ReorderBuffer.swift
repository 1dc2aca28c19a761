/// A reorder buffer: takes numbered elements in any order and gives them in the order of their numbers,
/// which begin with 0 and have no gaps.
package struct ReorderBuffer<Element> {
  private var early: [Int: Element] = [:]
  private var next = 0

  /// Creates an empty buffer; the first element is number 0.
  package init() {}

  /// Adds an element and returns the elements that are now due, in order.
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
