import RulesEncoding
import RulesEval
import RulesLang

/// The fixed request of each method on which expressions are evaluated, with a field of each type.
enum PinnedRequest {
  private static let before = MapValue([
    ("n", .int(1)), ("z", .int(0)), ("f", .float(1.5)), ("one", .float(1)), ("nan", .float(.nan)),
    ("mz", .float(-0.0)), ("s", .string("a")), ("e", .string("")), ("b", .bool(true)),
    ("nul", .null), ("l", .list([.int(1), .string("a"), .int(2)])), ("le", .list([])),
    ("ls", .list([.string("a"), .string("n")])),
    ("m", .map(MapValue([("k", .int(1)), ("a", .map(MapValue([("b", .int(2))])))]))),
    ("by", .bytes([0x61, 0x62])), ("ts", .timestamp(.epoch)),
    ("geo", .latlng(LatLng(latitude: 1, longitude: 2))),
    ("ref", .path(DocumentPath(["t", "a"]).value(in: .standard))), ("vec", .vector([1.5, -2])),
    ("big", .int(.max)), ("other", .int(7)),
  ])

  private static var after: MapValue {
    var map = before
    map["n"] = .float(1)
    map["s"] = .string("b")
    map["l"] = .list([.int(2)])
    map["new"] = .bool(false)
    map["e"] = nil
    return map
  }

  /// Returns the request of a method.
  static func candidate(_ method: Method) -> CandidateRequest {
    let path = DocumentPath(["c", "a"])
    var claims = MapValue()
    claims["email"] = .string("a")
    var candidate = CandidateRequest(
      method: method, access: method == .list ? .query : .document, path: path,
      principal: Principal(uid: "a", claims: claims), time: .epoch)
    switch method {
    case .get, .delete: candidate.before = before
    case .create: candidate.after = after
    case .update: (candidate.before, candidate.after) = (before, after)
    case .list:
      candidate.before = before
      candidate.limit = 10
      candidate.filters = [
        CandidateRequest.Filter(field: FieldPath(["n"]), comparison: .equal, value: .int(1)),
        CandidateRequest.Filter(field: FieldPath(["s"]), comparison: .equal, value: .string("a")),
        CandidateRequest.Filter(field: FieldPath(["f"]), comparison: .greater, value: .float(1)),
        CandidateRequest.Filter(
          field: FieldPath(["ls"]), comparison: .arrayContains, value: .string("a")),
      ]
    }
    let other = MapValue([("x", .int(1)), ("m", .map(MapValue([("k", .int(2))])))])
    candidate.others = [
      CandidateRequest.Other(path: DocumentPath(["t", "a"]), before: other, after: other)
    ]
    return candidate
  }
}
