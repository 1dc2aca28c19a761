import RulesEval
import RulesLang

/// Collects seeds for request generation from the text of conditions.
struct SeedReader {
  /// The seeds found so far.
  private(set) var seeds: RequestSeeds
  private let rules: Checked
  private var seen: Set<FunctionID> = []

  /// Starts with known seeds.
  init(_ rules: Checked, startingWith seeds: RequestSeeds) {
    self.rules = rules
    self.seeds = seeds
  }

  /// Reads the conditions of all statements that can match documents of a path.
  mutating func read(at path: [Text?]) {
    for allow in rules.ruleset.allows {
      guard let condition = allow.condition,
        rules.matches[allow.match.index].pattern.canFit(path, in: rules.database)
      else { continue }
      read(condition)
    }
  }

  /// Reads a function and its callees.
  mutating func read(_ function: FunctionID) {
    guard seen.insert(function).inserted else { return }
    for body in rules.ruleset[function].bodies { read(body) }
  }

  private mutating func read(_ body: Body) {
    for id in body.nodes { read(rules.ruleset[id], at: id) }
  }

  private mutating func read(_ node: Expression, at id: ExprID) {
    switch node.kind {
    case .member, .index:
      readName(id)
    case .binary(.in, let left, let right):
      link(right, contains: left)
      link(left, beside: right, isElement: true)
      readKey(left)
    case .binary(.and, _, _), .binary(.or, _, _): break
    case .binary(_, let left, let right):
      link(left, beside: right)
      link(right, beside: left)
    case .isType(let operand, let word):
      for name in names(of: operand) { seeds.note(name, beside: [.typed(word.accepts)]) }
    case .method(let receiver, let name, let arguments):
      readName(id)
      for argument in arguments {
        link(receiver, beside: argument)
        if name.text.asksForElements {
          link(receiver, contains: argument)
          linkValues(of: receiver, to: argument)
        }
      }
    case .list(let elements):
      let keys = elements.compactMap { text(of: $0) }
      if keys.count == elements.count {
        seeds.note(keys: keys)
        for key in keys { seeds.note(key, isClaim: false) }
      }
    case .call:
      switch rules.binding(id) {
      case .builtin(let builtin): if builtin.looksUp { seeds.noteLookup() }
      case .function(let function): read(function)
      case .none, .local, .capture, .request, .resource, .unknownVariable, .unknownFunction: break
      }
    case .literal(let literal): _ = seeds.constant(Value(literal))
    case .variable, .map, .path, .parenthesized, .not, .negate, .conditional, .slice, .invalid:
      break
    }
  }

  // MARK: Names

  /// Records a field or claim access: its name, base and kind.
  private mutating func readName(_ id: ExprID) {
    guard let (name, base) = ownName(id) else { return }
    let isClaim = isToken(base)
    seeds.note(name, isClaim: isClaim)
    for outer in names(of: base) where outer != name { seeds.note(name, of: outer) }
  }

  /// Records `'x' in m`: the string may be a key.
  private mutating func readKey(_ id: ExprID) {
    if let key = text(of: id) { seeds.note(key, isClaim: false) }
  }

  /// Returns the name and base of a member, index or `get` access.
  private func ownName(_ id: ExprID) -> (name: Text, base: ExprID)? {
    let id = rules.ruleset.unparenthesized(id)
    switch rules.ruleset[id].kind {
    case .member(let base, let name): return name.text.isRecordName ? nil : (name.text, base)
    case .index(let base, let key): return text(of: key).map { ($0, base) }
    case .method(let base, let method, let arguments):
      guard method.text == "get", let first = arguments.first else { return nil }
      if let key = text(of: first) { return (key, base) }
      guard case .list(let path) = rules.ruleset[rules.ruleset.unparenthesized(first)].kind,
        let last = path.last
      else { return nil }
      return text(of: last).map { ($0, base) }
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .slice, .call, .invalid:
      return nil
    }
  }

  /// True if an expression is the ID token or a part of it, judging by its text.
  private func isToken(_ id: ExprID) -> Bool {
    let id = rules.ruleset.unparenthesized(id)
    switch rules.ruleset[id].kind {
    case .member(let base, let name): return name.text == "token" || isToken(base)
    case .index(let base, _): return isToken(base)
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .slice, .call, .method, .invalid:
      return false
    }
  }

  /// Returns the names whose values determine an expression, judging by its text.
  private func names(of id: ExprID) -> [Text] {
    let id = rules.ruleset.unparenthesized(id)
    if let (name, _) = ownName(id) { return [name] }
    switch rules.ruleset[id].kind {
    case .member(let base, let name):
      if name.text == "uid" { return [RequestSeeds.uidName] }
      return name.text == "data" ? [] : names(of: base)
    case .index(let base, _), .negate(let base), .not(let base), .slice(let base, _, _),
      .method(let base, _, _):
      return names(of: base)
    case .binary(_, let left, let right): return names(of: left) + names(of: right)
    case .conditional(_, let one, let other):
      return names(of: one) + names(of: other)
    case .variable:
      if case .capture = rules.binding(id) { return [RequestSeeds.segmentName] }
      return []
    case .call(_, let arguments): return arguments.flatMap { names(of: $0) }
    case .literal, .list, .map, .path, .parenthesized, .isType, .invalid: return []
    }
  }

  private func text(of id: ExprID) -> Text? {
    guard case .literal(.string(let text)) = rules.ruleset[rules.ruleset.unparenthesized(id)].kind
    else { return nil }
    return text
  }

  // MARK: Links

  /// Records `right` as a comparison operand of the names in `left`. With `isElement`, the elements
  /// of a list literal are the operands.
  private mutating func link(
    _ left: ExprID, beside right: ExprID, isElement: Bool = false
  ) {
    let targets = names(of: left)
    if targets.isEmpty { return }
    var found = ingredients(of: right)
    if isElement,
      case .list(let elements) = rules.ruleset[rules.ruleset.unparenthesized(right)].kind
    {
      found = elements.flatMap { ingredients(of: $0) }
    }
    if isSize(left) { found = sizes(found) }
    for name in targets { seeds.note(name, beside: found) }
  }

  private mutating func link(_ whole: ExprID, contains part: ExprID) {
    let targets = names(of: whole)
    if targets.isEmpty { return }
    var found = ingredients(of: part)
    if case .list(let elements) = rules.ruleset[rules.ruleset.unparenthesized(part)].kind {
      found = elements.flatMap { ingredients(of: $0) }
    }
    for name in targets { seeds.note(name, contains: found) }
  }

  /// Records for `m.values().hasAny([3])` that `m` can be `{k: 3}`.
  private mutating func linkValues(of receiver: ExprID, to argument: ExprID) {
    let values = rules.ruleset.unparenthesized(receiver)
    guard case .method(let base, let method, _) = rules.ruleset[values].kind,
      method.text == "values", case .list(let elements)? = literal(argument)
    else { return }
    let found = elements.map { seeds.constant(.map(MapValue([("k", $0)]))) }
    for name in names(of: base) { seeds.note(name, beside: found) }
  }

  /// True if an expression is a size, or computed from one.
  private func isSize(_ id: ExprID) -> Bool {
    let id = rules.ruleset.unparenthesized(id)
    switch rules.ruleset[id].kind {
    case .method(_, let name, _): return name.text == "size"
    case .negate(let inner): return isSize(inner)
    case .binary(_, let left, let right): return isSize(left) || isSize(right)
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .isType, .conditional,
      .member, .index, .slice, .call, .invalid:
      return false
    }
  }

  private func sizes(_ found: [RequestSeeds.Ingredient]) -> [RequestSeeds.Ingredient] {
    var sizes: [RequestSeeds.Ingredient] = [.sized(0), .sized(1), .sized(2)]
    for case .constant(let place) in found {
      guard case .int(let number) = seeds.constants[place], (0...100).contains(number) else {
        continue
      }
      sizes += [.sized(Int(number)), .sized(Int(number) + 1)]
      if number > 0 { sizes.append(.sized(Int(number) - 1)) }
    }
    return sizes
  }

  // MARK: Ingredients

  /// Returns the possible values of an expression, judging by its text, without evaluation.
  private mutating func ingredients(of id: ExprID) -> [RequestSeeds.Ingredient] {
    let id = rules.ruleset.unparenthesized(id)
    if let value = literal(id) { return [seeds.constant(value)] }
    switch rules.ruleset[id].kind {
    case .member(_, let name):
      switch name.text {
      case "uid": return [.uid]
      case "time": return [.time]
      case "id": return [.segment]
      default: return name.text.isRecordName ? [] : [.field(name.text)]
      }
    case .variable:
      if case .capture = rules.binding(id) { return [.segment] }
      return []
    case .binary(_, let left, let right):
      return ingredients(of: left) + ingredients(of: right)
    case .conditional(_, let one, let other):
      return ingredients(of: one) + ingredients(of: other)
    case .list(let parts): return parts.flatMap { ingredients(of: $0) }
    case .index(let base, _), .negate(let base), .slice(let base, _, _):
      return ownName(id).map { [.field($0.name)] } ?? ingredients(of: base)
    case .method(let base, _, let arguments):
      var found: [RequestSeeds.Ingredient] = []
      if let (name, _) = ownName(id) { found.append(.field(name)) }
      found += ingredients(of: base)
      for argument in arguments { found += ingredients(of: argument) }
      return found
    case .call(_, let arguments): return arguments.flatMap { ingredients(of: $0) }
    case .literal, .map, .path, .parenthesized, .not, .isType, .invalid: return []
    }
  }

  /// Returns the value of a literal, or of a list or map of literals.
  private func literal(_ id: ExprID) -> Value? {
    let id = rules.ruleset.unparenthesized(id)
    switch rules.ruleset[id].kind {
    case .literal(let literal): return Value(literal)
    case .negate(let inner):
      switch literal(inner) {
      case .int(let number): return .int(0 &- number)
      case .float(let number): return .float(-number)
      default: return nil
      }
    case .list(let elements):
      let values = elements.compactMap { literal($0) }
      return values.count == elements.count ? .list(values) : nil
    case .map(let entries):
      var map = MapValue()
      for entry in entries {
        guard case .string(let key) = literal(entry.key),
          let value = literal(entry.value)
        else { return nil }
        map[key] = value
      }
      return .map(map)
    case .variable, .path, .parenthesized, .not, .binary, .isType, .conditional, .member, .index,
      .slice, .call, .method, .invalid:
      return nil
    }
  }
}

extension [PatternStep] {
  /// True if a block with this pattern can match documents of a path.
  fileprivate func canFit(_ path: [Text?], in database: DatabaseName) -> Bool {
    let path = database.root.map { Text?.some($0) } + path
    for (place, step) in enumerated() {
      if case .glob = step { return true }
      guard place < path.count else { return false }
      if case .literal(let text) = step, let own = path[place], own != text { return false }
    }
    return count == path.count
  }
}

extension Text {
  /// True for the names of members of `request` and `resource`.
  fileprivate var isRecordName: Bool {
    switch String(self) {
    case "auth", "uid", "token", "resource", "data", "time", "method", "path", "query", "id",
      "__name__":
      true
    default: false
    }
  }

  /// True if the method tests members of its receiver.
  fileprivate var asksForElements: Bool {
    switch String(self) {
    case "hasAny", "hasAll", "hasOnly", "concat", "removeAll", "union", "difference",
      "intersection":
      true
    default: false
    }
  }
}

extension Builtin {
  /// True for document lookups.
  fileprivate var looksUp: Bool {
    self == .get || self == .exists || self == .getAfter || self == .existsAfter
  }
}
