import RulesEval
import RulesLang

// Collects the fields, owners and roles in the statements of a path. Conditions are walked with
// functions inlined; each expression is abstracted to one of few relevant kinds, or "other". A
// missed name costs a row or column of the matrix, never the correctness of a cell, which the
// prover decides.

/// The fields, owners and roles in the statements of a path.
struct Mentions {
  /// The fields of the documents, sorted.
  private(set) var fields: [Text] = []
  /// The wildcards of the path that are compared with `request.auth.uid`, in path order.
  private(set) var owners: [Text] = []
  /// The roles, in order of occurrence.
  private(set) var roles: [Role] = []
  /// The relations to documents that name clients, in order of occurrence.
  private(set) var relations: [Relation] = []

  /// Collects the mentions of a path's statements.
  init(of audited: AuditedPath, in rules: Checked) {
    var finder = MentionFinder(rules)
    for (allow, captures) in audited.statements(in: rules) {
      guard let condition = rules.ruleset[allow].condition else { continue }
      let frame = MentionFinder.Frame(
        captures: captures.map { MentionFinder.Thing($0) },
        document: MentionFinder.Thing(audited.path.steps.last))
      guard captures.contains(where: { $0?.text != nil }) else {
        finder.walk(condition.root, in: frame, isCondition: true)
        continue
      }
      // A condition with path literals may exclude all documents of this path.
      var trial = finder
      let thing = trial.walk(condition.root, in: frame, isCondition: true)
      if thing != .constant(.bool(false)) { finder = trial }
    }
    fields = finder.fields.sorted(by: Text.precedesByCodePoint)
    owners = audited.path.steps.compactMap { $0.name }.filter { finder.owners.contains($0) }
    roles = finder.roles
    // A lookup at the request's own path is the stored document.
    let own = audited.path.steps.compactMap { step -> Relation.Step? in
      switch step {
      case .literal(let text): .literal(text)
      case .capture(let name): .wildcard(name)
      case .glob: nil
      }
    }
    for relation in finder.relations {
      let isOwn = relation.document == own && own.count == audited.path.steps.count
      let known = isOwn && relation.kind != .existence ? relation.ofOwnDocument : relation
      if !relations.contains(known) { relations.append(known) }
    }
  }
}

/// Walks conditions and collects mentions.
struct MentionFinder {
  /// The abstract value of an expression.
  indirect enum Thing: Hashable {
    case other
    case request, auth, uid, token
    /// `request.auth.token.a.b`.
    case claim([Text])
    /// `resource` or `request.resource`.
    case snapshot
    /// The data of a snapshot.
    case data
    /// A field of the data.
    case field(Text)
    /// A document path; another document, its data, and a field of it.
    case path([Relation.Step])
    case document([Relation.Step])
    case otherData([Relation.Step])
    case otherField([Relation.Step], Text)
    case difference
    /// Keys of the data or of a difference.
    case keys
    case wildcard(Text)
    case constant(Literal)
    case constants([Literal])
  }

  /// The abstract values of the names in scope.
  struct Frame: Hashable {
    var captures: [Thing]
    var locals: [Thing] = []
    /// The document ID.
    var document: Thing
  }

  private struct Call: Hashable {
    var function: FunctionID
    var frame: Frame
    var isCondition: Bool
  }

  private let rules: Checked
  private var calls: [Call: Thing] = [:]
  private(set) var fields: Set<Text> = []
  private(set) var owners: Set<Text> = []
  private(set) var roles: [Role] = []
  private(set) var relations: [Relation] = []

  init(_ rules: Checked) { self.rules = rules }

  /// Walks an expression.
  ///
  /// - Parameter isCondition: True if it is used as a bool.
  @discardableResult
  mutating func walk(_ id: ExprID, in frame: Frame, isCondition: Bool = false) -> Thing {
    let thing = visit(rules.ruleset.unparenthesized(id), in: frame, isCondition: isCondition)
    if isCondition, case .claim(let names) = thing { add(Role(claim: names, test: .isTrue)) }
    return thing
  }

  private mutating func visit(_ id: ExprID, in frame: Frame, isCondition: Bool) -> Thing {
    switch rules.ruleset[id].kind {
    case .literal(let literal): return .constant(literal)
    case .variable: return variable(id, in: frame)
    case .member(let base, let name):
      return member(of: walk(base, in: frame), named: name.text, in: frame)
    case .index(let base, let key):
      let (base, key) = (walk(base, in: frame), walk(key, in: frame))
      guard case .constant(.string(let name)) = key else { return .other }
      return member(of: base, named: name, in: frame)
    case .list(let elements): return list(elements.map { walk($0, in: frame) })
    case .not(let operand):
      let thing = walk(operand, in: frame, isCondition: true)
      return thing.bool.map { .constant(.bool(!$0)) } ?? .other
    case .binary(let op, let left, let right):
      return binary(op, left: left, right: right, in: frame)
    case .conditional(let condition, let one, let other):
      walk(condition, in: frame, isCondition: true)
      let (first, second) =
        (
          walk(one, in: frame, isCondition: isCondition),
          walk(other, in: frame, isCondition: isCondition)
        )
      return first == second ? first : .other
    case .call(_, let arguments):
      return call(
        id, with: arguments.map { walk($0, in: frame) }, in: frame, isCondition: isCondition)
    case .path(let parts): return path(parts, in: frame)
    case .method(let receiver, let name, let arguments):
      return method(
        name.text, on: walk(receiver, in: frame), with: arguments.map { walk($0, in: frame) })
    default:
      for operand in rules.ruleset[id].operands { walk(operand, in: frame) }
      return .other
    }
  }

  private func variable(_ id: ExprID, in frame: Frame) -> Thing {
    switch rules.binding(id) {
    case .request: .request
    case .resource: .snapshot
    case .local(let slot): frame.locals[Int(slot)]
    case .capture(let slot):
      Int(slot) < frame.captures.count ? frame.captures[Int(slot)] : .other
    case .none, .unknownVariable, .function, .builtin, .unknownFunction: .other
    }
  }

  private mutating func member(of base: Thing, named name: Text, in frame: Frame) -> Thing {
    switch (base, name) {
    case (.request, "auth"): return .auth
    case (.request, "resource"): return .snapshot
    case (.auth, "uid"), (.token, "sub"), (.token, "user_id"): return .uid
    case (.auth, "token"): return .token
    case (.token, _): return .claim([name])
    case (.claim(let names), _): return .claim(names + [name])
    case (.snapshot, "data"): return .data
    case (.snapshot, "id"): return frame.document
    case (.data, _):
      fields.insert(name)
      return .field(name)
    case (.document(let path), "data"): return .otherData(path)
    case (.otherData(let path), _): return .otherField(path, name)
    default: return .other
    }
  }

  /// Returns a document path below the root, if it consists of literals, wildcards and the user ID.
  private mutating func path(_ parts: [PathPart], in frame: Frame) -> Thing {
    var steps: [Relation.Step] = []
    var isPlain = true
    for (place, part) in parts.enumerated() {
      switch part.kind {
      case .literal(let text): steps.append(.literal(text))
      case .interpolation(let id):
        switch walk(id, in: frame) {
        case .uid: steps.append(.uid)
        case .wildcard(let name): steps.append(.wildcard(name))
        case .constant(.string(let text)): steps.append(.literal(text))
        default:
          isPlain = isPlain && place < DatabaseName.rootCount
          steps.append(.uid)
        }
      case .capture, .glob: isPlain = false
      }
    }
    let inner = Array(steps.dropFirst(DatabaseName.rootCount))
    return isPlain && !inner.isEmpty && inner.count.isMultiple(of: 2) ? .path(inner) : .other
  }

  private func list(_ elements: [Thing]) -> Thing {
    var literals: [Literal] = []
    for element in elements {
      guard case .constant(let literal) = element else { return .other }
      literals.append(literal)
    }
    return .constants(literals)
  }

  private mutating func binary(
    _ op: BinaryOperator, left: ExprID, right: ExprID, in frame: Frame
  ) -> Thing {
    let isLogic = op == .and || op == .or
    let one = walk(left, in: frame, isCondition: isLogic)
    let other = walk(right, in: frame, isCondition: isLogic)
    switch op {
    case .equal, .notEqual:
      noteEquality(of: one, and: other)
      noteEquality(of: other, and: one)
    case .in: noteMembership(of: one, in: other)
    default: break
    }
    return known(op, one, other).map { .constant(.bool($0)) } ?? .other
  }

  /// Returns the result of an operator if it depends on literals only; else nil.
  private func known(_ op: BinaryOperator, _ one: Thing, _ other: Thing) -> Bool? {
    switch op {
    case .and:
      if one.bool == false || other.bool == false { return false }
      return one.bool == true ? other.bool : nil
    case .or:
      if one.bool == true || other.bool == true { return true }
      return one.bool == false ? other.bool : nil
    case .equal, .notEqual:
      guard let left = one.text, let right = other.text else { return nil }
      return (left == right) == (op == .equal)
    default: return nil
    }
  }

  private mutating func call(
    _ id: ExprID, with arguments: [Thing], in frame: Frame, isCondition: Bool
  ) -> Thing {
    guard case .function(let function) = rules.binding(id) else {
      guard case .builtin(let builtin) = rules.binding(id), case .path(let path)? = arguments.first
      else { return .other }
      if builtin == .get { return .document(path) }
      if builtin == .exists, path.contains(.uid) { add(.existence, field: Text(), of: path) }
      return .other
    }
    var inner = Frame(captures: frame.captures, locals: arguments, document: frame.document)
    let key = Call(function: function, frame: inner, isCondition: isCondition)
    if let known = calls[key] { return known }
    let body = rules.enter(function, arguments: arguments.count, &inner) { value, inner in
      inner.locals.append(walk(value.root, in: inner))
    }
    guard let body else { return .other }
    let result = walk(body.root, in: inner, isCondition: isCondition)
    calls[key] = result
    return result
  }
}

extension MentionFinder {
  private mutating func method(_ name: Text, on receiver: Thing, with arguments: [Thing]) -> Thing {
    let argument = arguments.first ?? .other
    switch (receiver, name) {
    case (.constant(.string(let text)), "matches"):
      let pattern = argument.text.flatMap { try? Pattern($0) }
      return pattern.map { .constant(.bool($0.matches(text))) } ?? .other
    case (.data, "get"), (.token, "get"), (.claim, "get"), (.otherData, "get"):
      return get(argument.names, from: receiver)
    case (.data, "diff"): return .difference
    case (.data, "keys"), (.difference, _): return .keys
    case (.keys, _):
      addFields(argument.literals)
      return .keys
    case (.constants(let literals), "toSet"): return .constants(literals)
    case (.constants(let literals), _):
      if argument == .keys { addFields(literals) }
      return argument == .keys ? .keys : .constants(literals + argument.literals)
    case (.claim(let names), "hasAny"), (.claim(let names), "hasAll"),
      (.claim(let names), "hasOnly"):
      for literal in argument.literals { add(Role(claim: names, test: .lists(literal))) }
      return .other
    default: return .other
    }
  }

  private mutating func get(_ names: [Text], from receiver: Thing) -> Thing {
    guard let first = names.first else { return .other }
    switch receiver {
    case .token: return .claim(names)
    case .claim(let outer): return .claim(outer + names)
    case .data:
      fields.insert(first)
      return names.count == 1 ? .field(first) : .other
    case .otherData(let path): return names.count == 1 ? .otherField(path, first) : .other
    default: return .other
    }
  }

  private mutating func noteEquality(of one: Thing, and other: Thing) {
    switch (one, other) {
    case (.uid, .wildcard(let name)): owners.insert(name)
    case (.uid, .field(let name)): add(.owner, field: name, of: nil)
    case (.uid, .otherField(let path, let name)): add(.owner, field: name, of: path)
    case (.otherField(let path, let name), .constant(let literal)):
      addRole(literal, field: name, of: path)
    case (.claim(let names), .constant(.bool)): add(Role(claim: names, test: .isTrue))
    case (.claim(let names), .constant(let literal)):
      add(Role(claim: names, test: .equals(literal)))
    case (.keys, .constants(let literals)): addFields(literals)
    default: break
    }
  }

  private mutating func noteMembership(of element: Thing, in collection: Thing) {
    switch (element, collection) {
    case (.uid, .field(let name)): add(.member, field: name, of: nil)
    case (.uid, .otherField(let path, let name)): add(.member, field: name, of: path)
    case (.otherField(let path, let name), .constants(let literals)):
      for literal in literals { addRole(literal, field: name, of: path) }
    case (.claim(let names), .constants(let literals)):
      for literal in literals { add(Role(claim: names, test: .equals(literal))) }
    case (.constant(let literal), .claim(let names)):
      add(Role(claim: names, test: .contains(literal)))
    case (.constant(let literal), .data), (.constant(let literal), .keys): addFields([literal])
    default: break
    }
  }

  /// Adds a role given by another document, whose path must contain the client's user ID.
  private mutating func addRole(_ literal: Literal, field: Text, of path: [Relation.Step]) {
    switch literal {
    case .bool, .int, .string: break
    case .null, .float, .bytes: return
    }
    if path.contains(.uid) { add(.role(literal), field: field, of: path) }
  }

  private mutating func add(_ kind: Relation.Kind, field: Text, of document: [Relation.Step]?) {
    let relation = Relation(
      kind: kind, field: field, document: document, database: rules.database)
    if !relations.contains(relation) { relations.append(relation) }
  }

  private mutating func add(_ role: Role) {
    switch role.test {
    case .equals(let literal), .lists(let literal), .contains(let literal):
      switch literal {
      case .null, .bytes: return
      case .bool, .int, .float, .string: break
      }
    case .isTrue: break
    }
    if !roles.contains(role) { roles.append(role) }
  }

  private mutating func addFields(_ literals: [Literal]) {
    for case .string(let name) in literals { fields.insert(name) }
  }
}

extension MentionFinder.Thing {
  /// The literals that the abstract value stands for.
  fileprivate var literals: [Literal] {
    switch self {
    case .constant(let literal): [literal]
    case .constants(let literals): literals
    default: []
    }
  }

  /// Creates the abstract value of a path step.
  fileprivate init(_ step: ClaimPath.Step?) {
    self =
      switch step {
      case .literal(let text): .constant(.string(text))
      case .capture(let name), .glob(let name): .wildcard(name)
      case nil: .other
      }
  }

  /// The bool, if known.
  fileprivate var bool: Bool? {
    if case .constant(.bool(let value)) = self { return value }
    return nil
  }

  /// The string, if known.
  fileprivate var text: Text? {
    if case .constant(.string(let text)) = self { return text }
    return nil
  }

  /// The strings among the literals.
  fileprivate var names: [Text] {
    literals.compactMap { literal in
      if case .string(let name) = literal { return name }
      return nil
    }
  }
}
