import RulesLang

@testable import RulesEval
@testable import RulesVerify

/// What the terms and facts of a checker's question are for one request: the definition that the
/// question is measured against.
struct QuestionWorld {
  let question: Question
  private let request: Request
  private let access: Access
  private let before: Documents
  private let after: Documents
  private let document: DocumentPath
  /// The keys that the rules name.
  private let keys: Set<Text>
  /// If the kind of request stands for longer paths, too: how many segments it has, and the place at
  /// which longer ones have more.
  private let open: (count: Int, cut: Int)?
  private var values: [Term: Value] = [:]
  /// Whether something was asked that a request alone does not say.
  private(set) var isUnsure = false

  /// The world of a request that comes down to one access of one document; nil if it does not.
  init?(
    _ question: Question, _ request: Request, _ documents: Documents, _ document: DocumentPath,
    rules: Checked, open: (count: Int, cut: Int)? = nil
  ) {
    guard
      let plan = try? Plan(
        request, on: documents, in: rules.database, profile: .emulator),
      let access = plan.accesses.first(where: { $0.document == document || $0.document == nil })
    else { return nil }
    self.question = question
    self.request = request
    self.access = access
    self.document = document
    self.open = open
    before = documents
    after = plan.lookups.after
    keys = Set(
      rules.ruleset.expressions.compactMap { expression in
        switch expression.kind {
        case .literal(.string(let text)): text
        case .member(_, let name): name.text
        default: nil
        }
      })
  }

  /// Whether each node of the question holds.
  mutating func nodes() -> [Bool] {
    var holds = Array(repeating: true, count: question.facts.count)
    for node in 1..<holds.count {
      if let fact = question.facts[node] {
        holds[node] = self.holds(fact)
      } else {
        holds[node] = question.parts[node].allSatisfy { holds[$0.node] != $0.isDenied }
      }
    }
    return holds
  }

  private mutating func holds(_ fact: Fact) -> Bool {
    switch fact {
    case .same(let one, let other): return isSame(value(one), value(other))
    case .type(let term, let type): return value(term).type == type
    case .most(let term, let scale, let number):
      return value(term).count(in: scale).map { $0 <= number } ?? false
    case .float(let term, let bound):
      guard case .float(let number) = value(term) else { return false }
      return bound.includes(number)
    case .difference(let one, let other, let scale, let number):
      guard let left = value(one).count(in: scale), let right = value(other).count(in: scale)
      else { return false }
      return left - right <= number
    case .matches(let term, let source):
      guard case .string(let text) = value(term), let pattern = try? Pattern(source) else {
        return false
      }
      return pattern.matches(text)
    }
  }

  private mutating func isSame(_ one: Value, _ other: Value) -> Bool {
    // Two of these are never compared by what they are.
    if !one.isPlain || !other.isPlain { isUnsure = true }
    return Identity(of: one) == Identity(of: other)
  }

  // MARK: Terms

  mutating func value(_ term: Term) -> Value {
    if let known = values[term] { return known }
    let value: Value
    switch question[term] {
    case .constant: value = question.value(of: term) ?? .null
    case .unknown(let unknown): value = self.value(of: unknown)
    case .apply(let functor, let arguments):
      let known = arguments.map { self.value($0) }
      value = self.value(functor, known) ?? Self.anything(question.types(of: term))
    }
    values[term] = value
    return value
  }

  /// A value for what nobody may ask about; not one that could be inside itself.
  private static func anything(_ types: TypeSet) -> Value {
    if types.contains(.string) { return .string("nothing") }
    switch types.types.first {
    case .int?: return .int(0)
    case .bool?: return .bool(false)
    case .map?: return .map(MapValue())
    case .list?: return .list([])
    case .timestamp?: return .timestamp(.epoch)
    case .duration?: return .duration(.zero)
    case .bytes?: return .bytes([])
    case .float?: return .float(0.5)
    case .path?: return .path(PathValue(plain: []))
    default: return .null
    }
  }

  private mutating func value(of unknown: Unknown) -> Value {
    let principal = request.principal ?? Principal(uid: "nobody")
    switch unknown {
    case .segment(let place): return .string(document.segments[place + further(at: place)])
    case .part(let start, let end):
      let root = DatabaseName.rootCount
      let last = end + further(at: end - root)
      return .path(PathValue(plain: Array(document.fullSegments(in: .standard)[start..<last])))
    case .uid: return principal.uid
    case .token: return .map(principal.token)
    case .time: return .timestamp(request.time)
    case .before: return .map(before[document] ?? MapValue())
    case .after: return .map(after[document] ?? MapValue())
    case .promise:
      if case .success(.map(let resource)) = access.resource { return resource["data"] ?? .null }
      return .map(MapValue())
    case .limit, .offset, .query:
      if case .map(let map) = access.request, case .map(let query)? = map["query"] {
        switch unknown {
        case .limit: return query["limit"] ?? .null
        case .offset: return query["offset"] ?? .int(0)
        default: return .map(query)
        }
      }
      return unknown == .query ? .map(MapValue()) : unknown == .limit ? .null : .int(0)
    case .request(-1):
      if case .success(let value) = access.resource { return value }
      return .map(MapValue())
    case .request(0): return access.request
    case .signedOut: return .bool(request.principal == nil)
    case .stored: return .bool(before[document] != nil)
    case .request, .run, .named:
      isUnsure = true
      return .null
    }
  }

  /// So many segments of the path, which the kind does not have, come before a place of it.
  private func further(at place: Int) -> Int {
    guard let open, place > open.cut else { return 0 }
    return document.segments.count - open.count
  }

  private mutating func value(_ functor: Functor, _ values: [Value]) -> Value? {
    switch functor {
    case .document(let isAfter):
      // No other document so deep is looked into.
      let isOwn = values.count == open?.count
      return .list([.bool(isAfter)] + (isOwn ? document.segments.map { .string($0) } : values))
    case .data: return stored(values[0]).map { .map($0) }
    case .exists: return .bool(stored(values[0]) != nil)
    case .plus(let scale, let steps):
      guard let count = values[0].count(in: scale) else { return nil }
      if let value = scale.value(count + Int128(steps)) { return value }
      isUnsure = true
      return nil
    case .unnamedKey:
      guard case .map(let map) = values[0] else { return .bool(false) }
      return .bool(map.keys.contains { !keys.contains($0) })
    case .unnamed(let fate): return .bool(hasUnnamed(fate, values))
    case .defined(.compose), .value(.compose):
      isUnsure = true
      return nil
    case .value(let act), .defined(let act):
      if case .builtin(.getAfter) = act { isUnsure = true }
      let value = self.value(act, values)
      if case .defined = functor { return .bool(value != nil) }
      return value
    case .only, .member, .odd, .close, .alike, .precedes, .has:
      return functor.value(of: values) ?? .bool(false)
    case .list: return .list(values)
    case .record(let names): return .map(MapValue(Array(zip(names, values))))
    case .field, .element, .size, .path: return functor.value(of: values)
    }
  }

  /// What the evaluator computes, also for values that no constant can be.
  private mutating func value(_ act: Act, _ values: [Value]) -> Value? {
    switch act {
    case .builtin(let builtin):
      if builtin.isLookup {
        isUnsure = true
        return nil
      }
      let hasReceiver = Builtins.entry(builtin).receiver != nil
      if hasReceiver, values[0].type != Builtins.entry(builtin).receiver { return nil }
      return try? PureFunctions.call(
        builtin, on: hasReceiver ? values[0] : nil,
        with: hasReceiver ? Array(values.dropFirst()) : values)
    case .binary(let op): return try? PureFunctions.apply(op, to: values[0], and: values[1])
    case .negate: return try? PureFunctions.negate(values[0])
    case .index: return try? PureFunctions.index(values[0], by: values[1])
    case .slice: return try? PureFunctions.slice(values[0], from: values[1], to: values[2])
    case .compose: return nil
    }
  }

  private func stored(_ document: Value) -> MapValue? {
    guard case .list(let parts) = document, case .bool(let isAfter)? = parts.first else {
      return nil
    }
    let path = DocumentPath(
      parts.dropFirst().map { if case .string(let text) = $0 { text } else { Text() } })
    return (isAfter ? after : before)[path]
  }

  private func hasUnnamed(_ fate: Fate, _ maps: [Value]) -> Bool {
    guard case .map(let after) = maps[0], case .map(let before) = maps[1] else { return false }
    let others = Set(after.keys + before.keys).subtracting(keys)
    return others.contains { key in
      switch (after[key], before[key]) {
      case (.some(let new), .some(let old)):
        let isKept = (try? Value.areSetEqual(new, old)) == true
        return fate == (isKept ? .kept : .changed)
      case (.some, .none): return fate == .added
      default: return fate == .removed
      }
    }
  }
}
