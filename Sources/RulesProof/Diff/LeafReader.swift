import RulesEval
import RulesLang

/// Recognizes the meaning of an expression in a condition.
struct LeafReader {
  private let rules: Checked
  private let path: String
  private let method: Method
  private let known = KnownTexts()

  /// A cache of quoted texts, since arguments may be nested in each other. It keeps their scopes alive.
  private final class KnownTexts {
    struct Key: Hashable {
      var id: ExprID
      var scope: ObjectIdentifier
    }

    var texts: [Key: (text: String, scope: OutlineScope)] = [:]
  }

  init(_ rules: Checked, path: String, method: Method) {
    self.rules = rules
    self.path = path
    self.method = method
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
    let names = chain(place)
    if let names, names.count == 1, names[0].hasPrefix("{") {
      return path.hasSuffix("/" + names[0]) || !path.split(separator: "/").contains(names[0][...])
        ? DiffPhrase.owner : "`\(names[0])`"
    }
    return "`\(text(place))`"
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
    case "keys" where isAny && chain(at(map, in: receiver)) == ["request", "resource", "data"]:
      return .content(only: listed, others: "no \(listed)")
    case "affectedKeys" where method == .update && isDocumentDiff(at(map, in: receiver)):
      return names.isEmpty
        ? .fields(only: "no field", others: "fields")
        : .fields(only: "only \(listed)", others: "fields other than \(listed)")
    case "keys" where chain(at(map, in: receiver)) == ["request", "resource", "data"]:
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

  /// Returns the names of a member chain such as `request.auth.uid`, a capture as `{name}`; nil for
  /// other expressions.
  private func chain(_ place: Place) -> [String]? {
    let place = resolved(place)
    switch rules.ruleset[place.id].kind {
    case .variable(let name):
      if case .capture = rules.binding(place.id) { return ["{\(String(name.text))}"] }
      return [String(name.text)]
    case .member(let base, let name):
      return chain(at(base, in: place)).map { $0 + [String(name.text)] }
    default: return nil
    }
  }

  // MARK: Text

  /// Maximum bytes of an argument that replaces its parameter in a quotation.
  private static let greatestInsert = 60

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
      if replacement.utf8.count <= Self.greatestInsert {
        inserts.append((rules.ruleset[place.id].range, replacement))
      }
      return
    }
    rules.ruleset[place.id].forEachOperand {
      collect(Place(id: $0, scope: place.scope), into: &inserts)
    }
  }

  private func source(from start: UInt32, to end: UInt32) -> String {
    rules.ruleset.source.string(SourceRange(start: start, end: end))
  }
}
