/// Small rules that cost much: what doubles, what multiplies, and what is hard for any search.
enum HostileRules {
  /// The inside of the root block, by name.
  static let all: [String: String] = [
    "absorbed errors": statement("zz || " + many(20, " || ") { _ in "false" } + " || true"),
    "values": doubling("return x;", "F(x) + F(x + 1)", "F(resource.data.a) == 3"),
    "conditions": doubling("return x == 1;", "F(x) && F(x + 1)", "F(resource.data.a)"),
    "texts": doubling("return x;", "F(x) + 'a' + F(x)", "F(resource.data.a) == 'b'"),
    "lists": doubling("return x;", "[F(x), F(x)]", "F(resource.data.a) == resource.data.b"),
    "questions": doubling(
      "return x;", "resource.data.q == x ? F(x.a) : F(x.b)",
      "F(resource.data.a) == resource.data.b"),
    "lets": doubling(
      "return x;", "F(x.a) == F(x.b)", "F(resource.data.a)"),
    "pigeons": statement(pigeons(10, 9)),
    "circle": statement(
      "(" + many(60, " && ") { "resource.data.n\($0) < resource.data.n\($0 + 1)" } + ") && ("
        + many(61, " && ") { "resource.data.n\($0) is int" }
        + ") && resource.data.n60 < resource.data.n0"),
    "lookups": statement(
      many(40, " || ") {
        "get(/databases/$(database)/documents/u/$(resource.data.k\($0))).data.a == \($0)"
      }),
    "patterns": statement(
      many(16, " && ") { "!resource.data.s.matches('.*a.{\($0 / 3)}[b-z].*')" }),
    "statements": "match /c/{id} { "
      + many(300, " ") { "allow get: if resource.data.f\($0) == request.auth.uid;" } + " }",
  ]

  private static func statement(_ condition: String) -> String {
    "match /c/{id} { allow get: if \(condition); }"
  }

  private static func many(_ count: Int, _ mark: String, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: mark)
  }

  private static func doubling(_ first: String, _ next: String, _ use: String) -> String {
    var text = "match /c/{id} { function f0(x) { \(first) } "
    for number in 1...14 {
      let body = next.split(separator: "F", omittingEmptySubsequences: false)
        .joined(separator: "f\(number - 1)")
      text += "function f\(number)(x) { return \(body); } "
    }
    let condition = use.split(separator: "F", omittingEmptySubsequences: false)
      .joined(separator: "f14")
    return text + "allow get: if \(condition); }"
  }

  /// So many different values in fewer places.
  private static func pigeons(_ count: Int, _ holes: Int) -> String {
    let places = many(holes, ", ") { "\($0)" }
    let inside = many(count, " && ") { "resource.data.p\($0) in [\(places)]" }
    var pairs: [String] = []
    for one in 0..<count {
      for other in 0..<one { pairs.append("resource.data.p\(one) != resource.data.p\(other)") }
    }
    return inside + " && " + pairs.joined(separator: " && ")
  }
}
