import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The reference semantics of terms and atoms: their values for one request, against which the
/// compiler's propositions are checked.
///
/// Uninterpreted terms are unknown, and so is what depends on them (Kleene logic).
struct Interpretation {
  let candidate: CandidateRequest
  let compiler: Compiler
  private let environment: Environment
  private let after: Documents
  private var values: [TermID: Value?] = [:]

  /// Interprets a request; nil if the evaluator does not decide it.
  init?(of candidate: CandidateRequest, in compiler: Compiler) {
    self.candidate = candidate
    self.compiler = compiler
    guard
      let environment = Environment(
        candidate.request, on: candidate.documents, in: compiler.rules.database)
    else { return nil }
    self.environment = environment
    after = environment.after
  }

  /// Returns the truth of each node; nil if unknown.
  mutating func propositions() -> [Bool?] {
    let graph = compiler.problem.graph
    var holds = Array(repeating: Bool?.some(true), count: graph.count)
    for node in 1..<graph.count {
      if let atom = graph.atoms[node] {
        holds[node] = self.holds(atom)
        continue
      }
      for child in graph.children(of: node) where holds[node] != false {
        guard let part = holds[Int(child.node)] else {
          holds[node] = nil
          continue
        }
        if part == child.isNegated { holds[node] = false }
      }
    }
    return holds
  }

  // MARK: Atoms

  private mutating func holds(_ atom: Atom) -> Bool? {
    var known: [Value] = []
    for term in atom.terms {
      guard let value = value(term) else { return nil }
      known.append(value)
    }
    switch atom {
    case .same: return ConstantKey(of: known[0]) == ConstantKey(of: known[1])
    case .type(_, let type): return known[0].type == type
    case .atMost(_, let domain, let bound):
      return known[0].count(in: domain).map { $0 <= bound } ?? false
    case .floatAtMost(_, let bound): return bound.includes(known[0])
    case .difference(_, _, let domain, let bound):
      guard let one = known[0].count(in: domain), let other = known[1].count(in: domain)
      else { return false }
      return one - other <= bound
    case .matches(_, let pattern):
      guard case .string(let text) = known[0] else { return false }
      return compiler.problem.patterns.matches(pattern, text: text)
    }
  }

  // MARK: Terms

  /// Returns the value of a term; nil if unknown.
  mutating func value(_ term: TermID) -> Value? {
    if let known = values[term] { return known }
    let value = computed(term)
    values[term] = .some(value)
    return value
  }

  private mutating func computed(_ term: TermID) -> Value? {
    switch compiler.problem.terms[term] {
    case .constant: return compiler.problem.terms.value(of: term)
    case .variable(let variable): return self.value(variable)
    case .apply(let op, let arguments):
      var known: [Value] = []
      for argument in arguments {
        guard let value = self.value(argument) else { return nil }
        known.append(value)
      }
      if case .partlyNamed = op { return nil }
      return self.value(of: op, arguments: arguments, values: known)
        ?? Self.anything(compiler.problem.terms.types(of: term))
    }
  }

  /// Returns an arbitrary value of the types, for terms that are not defined on this request.
  private static func anything(_ types: TypeSet) -> Value {
    for type in types.types {
      switch type {
      case .null: return .null
      case .bool: return .bool(false)
      case .int: return .int(0)
      case .float: return .float(0.5)
      case .string: return .string("?")
      case .map: return .map(MapValue())
      case .list: return .list([])
      case .timestamp: return .timestamp(.epoch)
      case .duration: return .duration(.zero)
      case .bytes: return .bytes([])
      default: continue
      }
    }
    return .null
  }

  private func value(_ variable: RequestVariable) -> Value? {
    let principal = candidate.principal ?? Principal(uid: "nobody")
    switch variable {
    case .segment(let place): return .string(candidate.path.segments[place])
    case .uid: return principal.uid
    case .token: return .map(principal.token)
    case .time: return .timestamp(candidate.time)
    case .before: return .map(candidate.documents[candidate.path] ?? MapValue())
    case .after: return .map(after[candidate.path] ?? MapValue())
    case .promise: return environment.promise
    case .limit: return candidate.limit.map { .int($0) } ?? .null
    case .offset: return .int(candidate.offset)
    case .flag(.signedOut): return .bool(candidate.principal == nil)
    case .flag(.stored): return .bool(candidate.documents[candidate.path] != nil)
    case .flag(.defined), .unknown: return nil
    }
  }

  private func documents(_ snapshot: Snapshot) -> Documents {
    snapshot == .before ? candidate.documents : after
  }

  private func value(of op: Operator, arguments: [TermID], values: [Value]) -> Value? {
    switch op {
    case .field:
      if case .map(let map) = values[0], case .string(let key) = values[1] { return map[key] }
      return nil
    case .element:
      if case .list(let elements) = values[0], case .int(let place) = values[1],
        elements.indices.contains(Int(place))
      {
        return elements[Int(place)]
      }
      return nil
    case .document(let snapshot):
      return .list([.bool(snapshot == .before)] + values)
    case .data: return stored(values[0]).map { .map($0) }
    case .plus(let domain, let steps): return values[0].shifted(by: steps, domain)
    case .path:
      return .path(
        PathValue(plain: values.map { if case .string(let text) = $0 { text } else { Text() } }))
    case .size, .builtin, .operation, .negate: return Facts.value(of: op, values)
    case .witness(let builtin): return Self.witness(of: builtin, values)
    case .has:
      if case .map(let map) = values[0], case .string(let key) = values[1] {
        return .bool(map.contains(key))
      }
      return .bool(false)
    case .exists: return .bool(stored(values[0]) != nil)
    case .onlyElements:
      guard case .list(let elements) = values[0], case .list(let allowed) = values[1] else {
        return .bool(false)
      }
      return .bool(
        elements.allSatisfy { one in allowed.contains { Value.areMembers(one, $0) } })
    case .unnamed(let fate): return .bool(unnamedCount(with: [fate], in: values) > 0)
    case .unnamedKey: return .bool(unnamedCount(values[0]) > 0)
    case .unnamedFew(let code): return .bool(isFew(code, in: values))
    case .definedBuiltin(.getAfter):
      return .bool(
        candidate.others.contains { $0.isDeleted && Self.path(of: values[0]) == $0.path })
    case .definedBuiltin(.constraintHasAny):
      let result = try? PureFunctions.call(.constraintHasAny, on: values[0], with: [values[1]])
      if case .bool(true) = result { return .bool(true) }
      return .bool(false)
    case .definedOperation(.in):
      return .bool((try? PureFunctions.collection(values[0], contains: values[1])) == true)
    case .definedOperation(let op) where values.contains(where: { $0.type == .constraint }):
      let result = try? PureFunctions.apply(op, to: values[0], and: values[1])
      if case .bool(true) = result { return .bool(true) }
      return .bool(false)
    case .foreign, .partlyNamed: return nil
    case .odd, .close, .nearly, .member, .definedBuiltin, .definedOperation, .precedes:
      return .bool(Facts.truth(of: op, values) ?? false)
    }
  }

  /// Returns the witness of a list operation: a common element, or an element that the other list
  /// lacks; nil if there is none.
  private static func witness(of builtin: Builtin, _ values: [Value]) -> Value? {
    guard case .list(let first) = values[0], case .list(let second) = values[1] else { return nil }
    func isIn(_ list: [Value], _ element: Value) -> Bool {
      list.contains { Value.areMembers($0, element) }
    }
    switch builtin {
    case .listHasAny: return second.first { isIn(first, $0) }
    // A value that is unequal to itself is in no list.
    case .listHasAll: return second.first { isIn(second, $0) && !isIn(first, $0) }
    case .listHasOnly: return first.first { isIn(first, $0) && !isIn(second, $0) }
    default: return nil
    }
  }

  private func stored(_ document: Value) -> MapValue? {
    guard case .list(let parts) = document, case .bool(let isBefore) = parts[0],
      let path = Self.path(of: document)
    else { return nil }
    return documents(isBefore ? .before : .after)[path]
  }

  private static func path(of document: Value) -> DocumentPath? {
    guard case .list(let parts) = document else { return nil }
    return DocumentPath(
      parts.dropFirst().map { if case .string(let text) = $0 { text } else { Text() } })
  }

  // MARK: Unnamed keys

  private func isNamed(_ key: Text) -> Bool {
    compiler.keys.contains { term in
      if case .string(let name) = compiler.problem.terms.value(of: term) { return name == key }
      return false
    }
  }

  private func unnamedCount(_ map: Value) -> Int {
    guard case .map(let map) = map else { return 0 }
    return map.filter { !isNamed($0.0) }.count
  }

  private func unnamedCount(with fates: Set<KeyFate>, in maps: [Value]) -> Int {
    guard case .map(let after) = maps[0], case .map(let before) = maps[1] else { return 0 }
    var count = 0
    let keys = Set(after.map { $0.0 } + before.map { $0.0 }).filter { !isNamed($0) }
    for key in keys {
      let fate: KeyFate
      switch (after[key], before[key]) {
      case (.some(let new), .some(let old)):
        fate = (try? Value.areSetEqual(new, old)) == true ? .kept : .changed
      case (.some, .none): fate = .added
      default: fate = .removed
      }
      if fates.contains(fate) { count += 1 }
    }
    return count
  }

  private func isFew(_ code: Int, in maps: [Value]) -> Bool {
    let count = code / 16
    let fates = Set(KeyFate.allCases.filter { code & (1 << Int($0.rawValue)) != 0 })
    return (maps.count == 1 ? unnamedCount(maps[0]) : unnamedCount(with: fates, in: maps)) < count
  }
}
