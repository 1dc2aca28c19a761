import RulesEval
import RulesLang

extension NearestSearch {
  /// Maximum limit (Docs/Emulator.md, Queries).
  static let greatestLimit: Int64 = 1000

  /// Throws the first mistake for which the search is refused.
  func check() throws(Refusal) {
    guard case .vector(let numbers) = vector else { throw .nearestVector }
    if let problem = Refusal.vectorProblem(numbers) { throw .invalidArgument(problem) }
    guard let limit, (1...Self.greatestLimit).contains(limit) else { throw .nearestLimit }
    for name in resultField?.names ?? [] where name.isReserved {
      throw .invalidArgument(
        "The distanceResultField.property.name \"\(Refusal.quoting(name))\" is reserved.")
    }
  }

  /// Returns the nearest documents, by distance. Documents without a vector of the same dimension in the
  /// field are left out.
  func nearest(of documents: [StoredDocument]) -> [StoredDocument] {
    guard case .vector(let target) = vector else { return [] }
    var found: [(document: StoredDocument, distance: Double)] = []
    for document in documents {
      guard case .vector(let own)? = document.data.value(at: field), own.count == target.count
      else { continue }
      let distance = distance(from: own, to: target)
      if let threshold, distance.isNaN || isFarther(distance, than: threshold) { continue }
      found.append((document, distance))
    }
    // Documents without a distance come last; ties keep the order of the query.
    let places = found.indices.sorted {
      let (one, other) = (found[$0].distance, found[$1].distance)
      if one.isNaN != other.isNaN { return other.isNaN }
      if isFarther(one, than: other) { return false }
      return isFarther(other, than: one) || $0 < $1
    }
    return places.prefix(Int(clamping: limit ?? 0)).map { place in
      var document = found[place].document
      if let resultField { document.data.set(.float(found[place].distance), at: resultField) }
      return document
    }
  }

  /// Returns true if a vector is farther than another by their measures; a smaller dot product is farther.
  private func isFarther(_ one: Double, than other: Double) -> Bool {
    switch measure {
    case .euclidean, .cosine: one > other
    case .dotProduct: one < other
    }
  }

  private func distance(from one: [Double], to other: [Double]) -> Double {
    switch measure {
    case .euclidean:
      return zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    case .cosine:
      let length = Self.product(one, one).squareRoot() * Self.product(other, other).squareRoot()
      return 1 - Self.product(one, other) / length
    case .dotProduct: return Self.product(one, other)
    }
  }

  private static func product(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
