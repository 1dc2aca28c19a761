import RulesEval
import RulesLang

/// The contents of a small world's documents.
enum SmallWorldKind {
  /// A field that names a user or a role.
  case names
  /// A field that lists them.
  case lists
  /// A number, an int or a float, or null.
  case numbers
  /// Two fields.
  case pairs

  /// Draws one of the kinds.
  init(_ dice: inout Dice) {
    self = dice.pick([.names, .names, .names, .lists, .numbers, .pairs])
  }

  /// The possible contents of a document.
  var contents: [MapValue] {
    switch self {
    case .names: texts.map { MapValue([("f", .string($0))]) } + [MapValue()]
    case .lists:
      [["a"], ["a", "b"], ["b", "r"]].map { (all: [Text]) in
        MapValue([("f", .list(all.map { .string($0) }))])
      } + [MapValue()]
    case .numbers:
      [
        MapValue([("f", .int(1))]), MapValue([("f", .float(1))]), MapValue([("f", .null)]),
        MapValue(),
      ]
    case .pairs:
      [
        MapValue([("f", .string("a")), ("g", .string("r"))]), MapValue([("g", .string("a"))]),
        MapValue([("f", .string("r"))]), MapValue([("f", .string("a"))]),
      ]
    }
  }

  private var texts: [Text] { ["a", "b", "r"] }

  /// Returns the rules for documents with such contents.
  func translated(_ text: String) -> String {
    switch self {
    case .names: return text
    case .pairs: return text.replacing("data.f == 'r'", with: "data.g == 'r'")
    case .numbers:
      return [
        (".f == 'r'", ".f == 1"), (".f != 'r'", ".f != 1.0"), (".f == 'b'", ".f > 0.5"),
        ("mine().f is string", "mine().f is int"),
      ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    case .lists:
      return [
        (".f == request.auth.uid", ".f.hasAny([request.auth.uid])"),
        (".f == 'r'", ".f.hasAny(['r'])"), (".f != 'r'", ".f.hasOnly(['a', 'b'])"),
        (".f == 'b'", ".f.hasAny(['b'])"), ("$(mine().f)", "$(mine().f[0])"),
        ("$(resource.data.f)", "$(resource.data.f[0])"),
        ("mine().f is string", "mine().f is list"),
      ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
  }
}
