import RulesEval
import RulesLang

/// The setting in which expressions are evaluated: a request to the document `a` of a collection, its stored
/// data, and the names in scope.
struct Setting {
  /// Returns the test of a suite, without its path.
  var request: @Sendable (_ collection: String) -> [(String, JSONText)]
  /// The stored data of the document; nil if it is missing.
  var stored: JSONText?
  /// The names in scope.
  var scope: Scope

  /// The documents for lookups.
  static let lookedUp: [(path: String, data: JSONText)] = [
    ("/t/a", .object([("x", .int(1)), ("o", .string("u1")), ("m", .object([("k", .int(2))]))])),
    ("/t/b", .object([("x", .number("1.0")), ("l", .array([.int(1), .string("a")]))])),
    ("/users/u1", .object([("role", .string("admin")), ("n", .int(3))])),
  ]

  /// Functions that expressions can call, as source.
  static let functions = """
    function same(x) { return x; }
    function first(x, y) { return x; }
    function either(x, y) { let z = y; return x || z; }
    function both(x, y) { let z = x; return z && y; }
    function sized(x) { return x.size(); }
    """

  /// Every setting.
  static let all: [Setting] = [
    read(signedIn: true), read(signedIn: true), read(signedIn: false), missing(), create(),
    update(),
    delete(), list(equalities: true), list(equalities: false),
  ]

  // MARK: Stored documents

  private static let fields: [(name: String, data: JSONText, type: ValueType)] = [
    ("n", .int(1), .int), ("z", .int(0), .int), ("big", .number("9007199254740993"), .int),
    ("f", .number("1.5"), .float), ("one", .number("1.0"), .float),
    ("nan", .object([("$float", .string("NaN"))]), .float),
    ("inf", .object([("$float", .string("-Infinity"))]), .float), ("s", .string("abc"), .string),
    ("e", .string(""), .string), ("uni", .string("\u{E9}\u{1F600}"), .string),
    ("b", .bool(true), .bool), ("bf", .bool(false), .bool), ("nul", .null, .null),
    ("l", .array([.int(1), .int(2), .int(2), .int(3)]), .list), ("le", .array([]), .list),
    ("ls", .array([.string("a"), .string("b")]), .list),
    ("m", .object([("k", .int(1)), ("a", .object([("b", .int(2))]))]), .map),
    ("me", .object([]), .map), ("by", .object([("$bytes", .string("AP9hYmM="))]), .bytes),
    ("ts", .object([("$timestamp", .string("2020-02-29T12:34:56.789123Z"))]), .timestamp),
    ("geo", .object([("$latlng", .array([.number("10.5"), .number("-20.25")]))]), .latlng),
    ("ref", .object([("$ref", .string("/t/a"))]), .path),
    ("vec", .object([("$vector", .array([.number("1.5"), .number("-2.0")]))]), .vector),
    ("pair", .object([("$vector", .array([.number("1.0"), .number("2.0")]))]), .vector),
    ("pairs", .array([.int(1), .number("2.0")]), .list),
    ("deep", .object([("k", .object([("$vector", .array([.number("1.0")]))]))]), .map),
  ]

  private static let data = JSONText.object(fields.map { ($0.name, $0.data) })

  // MARK: Scopes

  private static func scope(signedIn: Bool) -> Scope {
    var scope = Scope()
    scope.lookups = [
      "/databases/(default)/documents/t/a", "/databases/$(database)/documents/t/b",
      "/databases/$(database)/documents/users/$('u' + '1')", "request.path",
      "/databases/(default)/documents/t/none",
    ]
    scope.add("database", as: .string)
    scope.add("request.method", as: .string)
    scope.add("request.time", as: .timestamp)
    scope.add("request.headers", as: .map)
    scope.add("request.inTransaction", as: .bool)
    scope.add("request.auth.uid", as: .string, isSure: signedIn)
    scope.add("request.auth.token", as: .map, isSure: signedIn)
    scope.add("request.auth.token.admin", as: .bool, isSure: signedIn)
    scope.add("request.auth.token.level", as: .int, isSure: signedIn)
    scope.add("request.auth.token.missing", as: .string, isSure: false)
    scope.add("request.auth", as: signedIn ? .map : .null)
    scope.routines = [
      Scope.Routine(name: "same", parameters: [.int], result: .int),
      Scope.Routine(name: "same", parameters: [.list], result: .list),
      Scope.Routine(name: "first", parameters: [.string, .map], result: .string),
      Scope.Routine(name: "first", parameters: [.bool, .bool], result: .bool),
      Scope.Routine(name: "either", parameters: [.bool, .bool], result: .bool),
      Scope.Routine(name: "both", parameters: [.bool, .bool], result: .bool),
      Scope.Routine(name: "sized", parameters: [.list], result: .int),
    ]
    return scope
  }

  private static func addFields(of base: String, to scope: inout Scope) {
    for field in fields { scope.add("\(base).\(field.name)", as: field.type, isSure: false) }
    scope.add(base, as: .map, isSure: false)
    scope.add("\(base)['n']", as: .int, isSure: false)
    scope.add("\(base).m.k", as: .int, isSure: false)
    scope.add("\(base).missing", as: .int, isSure: false)
    scope.add("\(base).nul", as: .string, isSure: false)
  }

  private static func principal(_ signedIn: Bool) -> [(String, JSONText)] {
    guard signedIn else { return [] }
    let token = JSONText.object([
      ("admin", .bool(true)), ("level", .number("2.0")), ("groups", .array([.string("a")])),
    ])
    return [("as", .object([("uid", .string("u1")), ("token", token)]))]
  }

  // MARK: Reads

  private static func read(signedIn: Bool) -> Setting {
    var scope = scope(signedIn: signedIn)
    addFields(of: "resource.data", to: &scope)
    scope.add("request.path", as: .path)
    scope.add("resource.__name__", as: .path, isSure: false)
    scope.add("resource.id", as: .string, isSure: false)
    scope.add("id", as: .string)
    scope.add("resource", as: .map, isSure: false)
    scope.add("request", as: .map, isSure: false)
    return Setting(
      request: { principal(signedIn) + [("get", .string("/\($0)/a"))] }, stored: data, scope: scope)
  }

  private static func missing() -> Setting {
    var scope = scope(signedIn: true)
    scope.add("resource", as: .null, isSure: false)
    scope.add("get(request.path)", as: .null, isSure: false)
    scope.add("value(request.path)", as: .map, isSure: false)
    scope.add("resource.data", as: .map, isSure: false)
    scope.add("request.path", as: .path)
    return Setting(
      request: { principal(true) + [("get", .string("/\($0)/a"))] }, stored: nil, scope: scope)
  }

  /// Returns a query with two filters on fields that expressions read, some of them equalities.
  private static func list(equalities: Bool) -> Setting {
    var scope = scope(signedIn: true)
    let filters: [(String, String, JSONText)] =
      equalities
      ? [("n", "==", .int(1)), ("s", "==", .string("abc")), ("ls", "array-contains", .string("a"))]
      : [("n", ">", .int(1)), ("f", "<=", .number("1.5")), ("ls", "array-contains", .int(1))]
    scope.add("resource.data.n", as: equalities ? .int : .constraint, isSure: false)
    scope.add("resource.data.s", as: .string, isSure: false)
    scope.add("resource.data.f", as: equalities ? .int : .constraint, isSure: false)
    scope.add("resource.data.ls", as: .constraint, isSure: false)
    scope.add("resource.data", as: .map, isSure: false)
    scope.add("id", as: .string, isSure: false)
    scope.add("resource", as: .map, isSure: false)
    scope.add("request.query", as: .map)
    scope.add("request.query.limit", as: .int)
    let conditions = JSONText.array(filters.map { .array([.string($0.0), .string($0.1), $0.2]) })
    return Setting(
      request: { collection in
        principal(true) + [
          ("list", .string("/\(collection)")),
          ("query", .object([("where", conditions), ("limit", .int(10))])),
        ]
      }, stored: data, scope: scope)
  }

  // MARK: Writes

  private static let pending = JSONText.object([
    ("n", .int(2)), ("s", .string("abc")), ("m.k", .number("1.0")),
    ("z", .object([("$increment", .int(1))])), ("at", .object([("$serverTimestamp", .bool(true))])),
    ("ls", .object([("$arrayUnion", .array([.string("c")]))])),
    ("e", .object([("$delete", .bool(true))])),
  ])

  private static func create() -> Setting {
    var scope = scope(signedIn: true)
    addFields(of: "request.resource.data", to: &scope)
    scope.add("resource", as: .null, isSure: false)
    scope.add("request.resource", as: .map, isSure: false)
    return Setting(
      request: { principal(true) + [("create", .string("/\($0)/a")), ("data", data)] },
      stored: nil, scope: scope)
  }

  private static func update() -> Setting {
    var scope = scope(signedIn: true)
    addFields(of: "resource.data", to: &scope)
    for (name, type) in [
      ("n", ValueType.int), ("s", .string), ("z", .int), ("ls", .list), ("at", .timestamp),
      ("m", .map), ("m.k", .float), ("l", .list),
    ] {
      scope.add("request.resource.data.\(name)", as: type, isSure: false)
    }
    scope.add("request.resource.data", as: .map, isSure: false)
    scope.add("getAfter(request.path).data", as: .map, isSure: false)
    scope.add("request.transforms", as: .list)
    scope.add("request.resource.data.diff(resource.data)", as: .mapDiff, isSure: false)
    return Setting(
      request: { principal(true) + [("update", .string("/\($0)/a")), ("data", pending)] },
      stored: data, scope: scope)
  }

  private static func delete() -> Setting {
    var scope = scope(signedIn: true)
    addFields(of: "resource.data", to: &scope)
    scope.add("request.resource", as: .null, isSure: false)
    return Setting(
      request: { principal(true) + [("delete", .string("/\($0)/a"))] }, stored: data, scope: scope)
  }
}
