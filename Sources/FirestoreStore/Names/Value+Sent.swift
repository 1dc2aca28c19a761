import RulesEval
import RulesLang

// Checks of all values in requests, whether or not they are stored: operands of filters, cursors, and
// elements that transforms add and remove (Docs/Emulator.md, Values).

extension Value {
  /// Throws if a value cannot be in a request: coordinates out of range, a vector without numbers or with too
  /// many, a reserved field name, or a reference that is not to a document. The depth of requests is limited.
  ///
  /// - Parameter id: The database of the request; references within its project do not name the project.
  func checkSent(in id: DatabaseID) throws(Refusal) {
    switch self {
    case .latlng(let point): try point.checkOnGlobe()
    case .list(let elements): for element in elements { try element.checkSent(in: id) }
    case .map(let map): try map.checkSent(in: id)
    case .path(let path): try path.checkReference(in: id)
    case .vector(let numbers):
      if let words = Refusal.vectorProblem(numbers) { throw .invalidArgument(words) }
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .mapDiff,
      .constraint:
      return
    }
  }
}

extension MapValue {
  fileprivate func checkSent(in id: DatabaseID) throws(Refusal) {
    for (name, value) in self {
      if name.isReserved {
        throw .invalidArgument("field name '\(Refusal.quoting(name))' is reserved.")
      }
      try value.checkSent(in: id)
    }
  }

  /// Throws if a value in a document's data cannot be in a request. The names of the top-level fields are not
  /// checked.
  func checkValues(in id: DatabaseID) throws(Refusal) {
    for (_, value) in self { try value.checkSent(in: id) }
  }
}

extension LatLng {
  fileprivate func checkOnGlobe() throws(Refusal) {
    if !(-90...90).contains(latitude) { throw .outside("latitude", latitude, limit: 90) }
    if !(-180...180).contains(longitude) { throw .outside("longitude", longitude, limit: 180) }
  }
}

extension PathValue {
  /// Throws unless the path, as received, is a reference to a document.
  fileprivate func checkReference(in id: DatabaseID) throws(Refusal) {
    var texts = segments.map { segment in
      if case .plain(let text) = segment { text } else { Text() }
    }
    if texts.first == "databases" { texts = ["projects", id.project] + texts }
    var bytes: [UInt8] = []
    for (place, text) in texts.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: "/")) }
      bytes += text.bytes
    }
    let name = Text(wellFormed: bytes)
    if texts.count == 4 {
      throw .invalidArgument("Non-document resource reference value not supported.")
    }
    if texts.count > 4, texts[4] != "documents" {
      throw .invalidArgument("Resource \"\(Refusal.quoting(name))\" is not recognized.")
    }
    var reader = NameReader(name, kind: .reference)
    _ = try reader.readDatabase()
    try reader.readPath().checkNames()
  }
}
