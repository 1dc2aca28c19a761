// Finding and replacing parts of texts. The standard library's own way needs its library for regular
// expressions, which takes longer to load than most commands to run.

extension StringProtocol {
  /// Where a part stands first; nil if it does not, or if it is empty.
  func firstRange(of part: String) -> Range<Index>? {
    let (text, wanted) = (utf8, part.utf8)
    guard let first = wanted.first else { return nil }
    var start = text.startIndex
    while let place = text[start...].firstIndex(of: first) {
      if text[place...].starts(with: wanted) {
        return place..<text.index(place, offsetBy: wanted.count)
      }
      start = text.index(after: place)
    }
    return nil
  }

  /// Whether a part stands in the text; the empty one does.
  func contains(_ part: String) -> Bool { part.isEmpty || firstRange(of: part) != nil }

  /// The text with one part put in the place of another, wherever that stands.
  func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while let place = rest.firstRange(of: part) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
