extension String {
  /// True if a non-empty text occurs in this one, compared by bytes. Embedded Swift has no such search.
  func mentions(_ part: String) -> Bool {
    let (whole, wanted) = (Array(utf8), Array(part.utf8))
    guard let last = wanted.isEmpty ? nil : whole.count - wanted.count, last >= 0 else {
      return false
    }
    return (0...last).contains { whole[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}
