import RulesEncoding
import RulesEval
import RulesLang

// Captures are named as in the row's path, by their positions: the files, and the blocks of one file,
// may call the same segment differently, and different segments the same.

/// Recognizes the meaning of an expression in a condition.
struct LeafReader {
  private let compiler: Compiler
  /// The segments of the row's path, as written.
  private let path: [String]
  private var rules: Checked { compiler.rules }
  private var method: Method { compiler.scene.scenario.method }
  private let known = KnownTexts()

  /// A cache of quoted texts, since arguments may be nested in each other. It keeps their scopes alive.
  private final class KnownTexts {
    struct Key: Hashable {
      var id: ExprID
      var scope: ObjectIdentifier
    }

    var texts: [Key: (text: String, scope: OutlineScope)] = [:]
  }

  /// Reads expressions that a compiler encodes, for the documents of a path.
  init(_ compiler: Compiler, path: String) {
    self.compiler = compiler
    self.path = path.split(separator: "/").map { String($0) }
  }

  /// An expression with the scope of its names.
  private struct Place {
    var id: ExprID
    var scope: OutlineScope
  }

  /// Returns the meaning of an expression; a quotation if it is not recognized.
  func phrase(of id: ExprID, in scope: OutlineScope) -> DiffPhrase {
    let place = resolved(Place(id: id, scope: scope))
    let known: DiffPhrase?
    switch rules.ruleset[place.id].kind {
    case .binary(.equal, let left, let right):
      let (one, other) = (at(left, in: place), at(right, in: place))
      known = comparison(of: one, with: other) ?? comparison(of: other, with: one)
    case .binary(.notEqual, let left, let right):
      let (one, other) = (at(left, in: place), at(right, in: place))
      known = difference(of: one, from: other) ?? difference(of: other, from: one)
    case .binary(.in, let left, let right):
      known =
        chain(at(left, in: place)) == ["request", "auth", "uid"]
        ? .user("in `\(text(at(right, in: place)))`") : nil
    case .method(let receiver, let name, let arguments)
    where name.text == "hasOnly" || name.text == "hasAny":
      let isAny = name.text == "hasAny"
      known = arguments.first.flatMap {
        fields(of: at(receiver, in: place), among: at($0, in: place), isAny: isAny)
      }
    default: known = nil
    }
    return known ?? .other(text(place))
  }

  /// The source of an expression on one line, with short arguments in place of a function's parameters.
  func text(of id: ExprID, in scope: OutlineScope) -> String { text(Place(id: id, scope: scope)) }

  // MARK: Users

  private func comparison(of one: Place, with other: Place) -> DiffPhrase? {
    let names = chain(one)
    if names == ["request", "auth"], isNull(other) { return .signedIn(false) }
    if names == ["request", "auth", "uid"] { return isNull(other) ? nil : .user(user(other)) }
    if let names, names.count > 3, names[...2] == ["request", "auth", "token"] {
      let claim = names[3...].joined(separator: ".")
      return .claim("the claim `\(claim) == \(text(other))`")
    }
    return nil
  }

  /// Recognizes `request.auth != null`. Other inequalities are quoted: an error makes neither an
  /// inequality nor its equality true.
  private func difference(of one: Place, from other: Place) -> DiffPhrase? {
    chain(one) == ["request", "auth"] && isNull(other) ? .signedIn(true) : nil
  }

  private func user(_ place: Place) -> String {
    guard let segment = segment(of: place) else { return "`\(text(place))`" }
    guard let written = written(segment) else {
      return "named by segment \(segment + 1) of the path"
    }
    if !written.hasPrefix("{") { return "`'\(written)'`" }
    return segment == compiler.scene.segments.count - 1 ? DiffPhrase.owner : "`\(written)`"
  }

  /// Returns the index of the path's segment that an expression stands for; nil if it is not a capture
  /// of one segment.
  private func segment(of place: Place) -> Int? {
    let place = resolved(place)
    guard case .capture(let slot) = rules.binding(place.id),
      Int(slot) < place.scope.frame.captures.count
    else { return nil }
    let value = place.scope.frame.captures[Int(slot)]
    return compiler.scene.segments.firstIndex { Cases($0) == value }
  }

  /// Returns the segment of the row's path at an index of the documents' paths; nil if it belongs to
  /// a glob.
  private func written(_ segment: Int) -> String? {
    let left = compiler.scene.segments.count - segment
    let glob = path.firstIndex { $0.hasSuffix("=**}") } ?? path.count
    if segment < glob { return path[segment] }
    return left < path.count - glob ? path[path.count - left] : nil
  }

  private func isNull(_ place: Place) -> Bool {
    if case .literal(.null) = rules.ruleset[place.id].kind { return true }
    return false
  }

  // MARK: Fields

  private func fields(
    of receiver: Place, among list: Place, isAny: Bool
  ) -> DiffPhrase? {
    guard case .list(let elements) = rules.ruleset[list.id].kind,
      case .method(let map, let name, _) = rules.ruleset[receiver.id].kind
    else { return nil }
    var names: [String] = []
    for element in elements {
      guard case .literal(.string(let name)) = rules.ruleset[element].kind else { return nil }
      names.append("`\(String(name))`")
    }
    let listed = names.joined(separator: isAny ? " or " : ", ")
    if isAny, names.isEmpty { return nil }
    switch name.text {
    case "affectedKeys" where isAny && method == .update && isDocumentDiff(at(map, in: receiver)):
      return .fields(only: listed, others: "only fields other than \(listed)")
    case "affectedKeys" where method == .update && isDocumentDiff(at(map, in: receiver)):
      return names.isEmpty
        ? .fields(only: "no field", others: "fields")
        : .fields(only: "only \(listed)", others: "fields other than \(listed)")
    case "keys"
    where [.create, .update].contains(method)
      && chain(at(map, in: receiver)) == ["request", "resource", "data"]:
      if isAny { return .content(only: listed, others: "no \(listed)") }
      return names.isEmpty
        ? .content(only: "no fields", others: "fields")
        : .content(only: "no fields but \(listed)", others: "fields other than \(listed)")
    default: return nil
    }
  }

  private func isDocumentDiff(_ place: Place) -> Bool {
    guard case .method(let after, let name, let arguments) = rules.ruleset[place.id].kind,
      name.text == "diff", let before = arguments.first
    else { return false }
    return chain(at(after, in: place)) == ["request", "resource", "data"]
      && chain(at(before, in: place)) == ["resource", "data"]
  }

  // MARK: Names

  private func at(_ id: ExprID, in place: Place) -> Place {
    resolved(Place(id: id, scope: place.scope))
  }

  /// Follows parentheses, parameters and `let` names to the expression that they stand for.
  private func resolved(_ place: Place) -> Place {
    var place = place
    while true {
      place.id = rules.ruleset.unparenthesized(place.id)
      guard case .local(let slot) = rules.binding(place.id),
        Int(slot) < place.scope.locals.count
      else { return place }
      let local = place.scope.locals[Int(slot)]
      place = Place(id: local.id, scope: local.scope)
    }
  }

  /// Returns the names of a member chain such as `request.auth.uid`; nil for other expressions.
  private func chain(_ place: Place) -> [String]? {
    let place = resolved(place)
    switch rules.ruleset[place.id].kind {
    case .variable(let name):
      if case .capture = rules.binding(place.id) { return nil }
      return [String(name.text)]
    case .member(let base, let name):
      return chain(at(base, in: place)).map { $0 + [String(name.text)] }
    default: return nil
    }
  }

  // MARK: Text

  private func text(_ place: Place) -> String {
    let key = KnownTexts.Key(id: place.id, scope: ObjectIdentifier(place.scope))
    if let known = known.texts[key] { return known.text }
    let text = assembled(place)
    known.texts[key] = (text, place.scope)
    return text
  }

  private func assembled(_ place: Place) -> String {
    let range = rules.ruleset[place.id].range
    var inserts: [(range: SourceRange, text: String)] = []
    collect(place, into: &inserts)
    inserts.sort { $0.range.start < $1.range.start }
    var text = ""
    var start = range.start
    for insert in inserts where insert.range.start >= start {
      text += source(from: start, to: insert.range.start) + insert.text
      start = insert.range.end
    }
    text += source(from: start, to: range.end)
    return text.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
      .joined(separator: " ")
  }

  private func collect(
    _ place: Place, into inserts: inout [(range: SourceRange, text: String)]
  ) {
    if case .local(let slot) = rules.binding(place.id), Int(slot) < place.scope.locals.count {
      let local = place.scope.locals[Int(slot)]
      let replacement = text(Place(id: local.id, scope: local.scope))
      if replacement.utf8.count <= Strategy.phraseText {
        inserts.append((rules.ruleset[place.id].range, replacement))
      }
      return
    }
    if let written = segment(of: place).flatMap({ written($0) }), written.hasPrefix("{") {
      inserts.append((rules.ruleset[place.id].range, String(written.dropFirst().dropLast())))
    }
    rules.ruleset[place.id].forEachOperand {
      collect(Place(id: $0, scope: place.scope), into: &inserts)
    }
  }

  private func source(from start: UInt32, to end: UInt32) -> String {
    rules.ruleset.source.string(SourceRange(start: start, end: end))
  }
}
