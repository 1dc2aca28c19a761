import RulesEval
import RulesLang
import RulesVerify

/// The reference semantics of the checker's terms and facts: their values for one request, against which the
/// checker's encoder is tested.
///
/// Uninterpreted terms are unknown, and so is what depends on them (Kleene logic).
struct QuestionInterpretation {
  /// The question of which propositions are interpreted.
  let question: Question
  private let request: Request
  private let environment: Environment
  private let before: Documents
  private let document: DocumentPath
  private let database: DatabaseName
  /// The strings that the key sets of the question name.
  private let keys: Set<Text>
  /// For a kind of request that stands for longer paths, too: its number of segments, and the index of
  /// the one that stands for the further segments of longer paths, which nothing sees.
  private let open: (count: Int, cut: Int)?
  /// The values of the terms so far; nil inside for an unknown one.
  private var values: [Value??]

  /// Interprets a request to a document; nil if the evaluator does not decide it.
  init?(
    _ question: Question, naming keys: Set<Text>, _ request: Request, on documents: Documents,
    of document: DocumentPath, in database: DatabaseName, open: (count: Int, cut: Int)? = nil
  ) {
    guard let environment = Environment(request, on: documents, in: database) else { return nil }
    self.question = question
    self.keys = keys
    self.request = request
    self.environment = environment
    self.document = document
    self.database = database
    self.open = open
    before = documents
    values = Array(repeating: .none, count: question.forms.count)
  }

  /// Returns the truth of each node; nil if unknown.
  mutating func propositions() -> [Bool?] {
    var holds = Array(repeating: Bool?.some(true), count: question.facts.count)
    for node in 1..<holds.count {
      if let fact = question.facts[node] {
        holds[node] = self.holds(fact)
        continue
      }
      for part in question.parts[node] where holds[node] != false {
        guard let isTrue = holds[part.node] else {
          holds[node] = nil
          continue
        }
        if isTrue == part.isDenied { holds[node] = false }
      }
    }
    return holds
  }

  private mutating func holds(_ fact: Fact) -> Bool? {
    switch fact {
    case .same(let one, let other):
      // A value that is no constant has no identity.
      guard let left = value(one), let right = value(other), left.isPlain, right.isPlain else {
        return nil
      }
      return Identity(of: left) == Identity(of: right)
    case .type(let term, let type): return value(term).map { $0.type == type }
    case .most(let term, let scale, let number):
      return value(term).map { value in value.count(in: scale).map { $0 <= number } ?? false }
    case .float(let term, let bound):
      guard let value = value(term) else { return nil }
      if case .float(let number) = value { return bound.includes(number) }
      return false
    case .difference(let one, let other, let scale, let number):
      guard let first = value(one), let second = value(other) else { return nil }
      guard let left = first.count(in: scale), let right = second.count(in: scale) else {
        return false
      }
      return left - right <= number
    case .matches(let term, let source):
      guard let value = value(term) else { return nil }
      guard case .string(let text) = value, let pattern = try? Pattern(source) else { return false }
      return pattern.matches(text)
    }
  }

  // MARK: Terms

  /// Returns the value of a term; nil if unknown.
  mutating func value(_ term: Term) -> Value? {
    if let known = values[term.index] { return known }
    let value = computed(term)
    values[term.index] = .some(value)
    return value
  }

  private mutating func computed(_ term: Term) -> Value? {
    switch question[term] {
    case .constant: return question.value(of: term)
    case .unknown(let unknown): return self.value(of: unknown)
    case .apply(let functor, let arguments):
      var known: [Value] = []
      for argument in arguments {
        guard let value = self.value(argument) else { return nil }
        known.append(value)
      }
      if Self.isFree(functor) || Self.isOfConstants(functor) && !known.allSatisfy({ $0.isPlain }) {
        return nil
      }
      if case .plus(let scale, let steps) = functor {
        guard let count = known[0].count(in: scale) else {
          return Self.anything(question.types(of: term))
        }
        // Out of range, the term stands for no value.
        return scale.value(count + Int128(steps))
      }
      return self.value(functor, known) ?? Self.anything(question.types(of: term))
    }
  }

  /// True for functors that a request does not determine: lookups at computed paths, paths of computed parts.
  private static func isFree(_ functor: Functor) -> Bool {
    switch functor {
    case .value(.builtin(let builtin)), .defined(.builtin(let builtin)): builtin.isLookup
    case .value(.compose): true
    case .defined(.compose(let shape)): shape != "light"
    default: false
    }
  }

  /// True for functors whose value is only defined on constants.
  private static func isOfConstants(_ functor: Functor) -> Bool {
    switch functor {
    case .field, .element, .size, .path, .only, .member, .odd, .close, .alike, .precedes, .has: true
    case .plus, .list, .record, .document, .data, .value, .defined, .exists, .unnamed, .unnamedKey:
      false
    }
  }

  /// Returns an arbitrary value of the types, for terms that are not defined on this request. No such value
  /// may be inside itself.
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

  private func value(of unknown: Unknown) -> Value? {
    let principal = request.principal ?? Principal(uid: "nobody")
    switch unknown {
    case .segment(let place):
      if isFurther(place) { return .string(Self.furtherSegment) }
      return .string(document.segments[place + further(at: place)])
    case .part(let start, let end):
      let root = DatabaseName.rootCount
      let last = end + further(at: end - root)
      return .path(PathValue(plain: Array(document.fullSegments(in: database)[start..<last])))
    case .uid: return principal.uid
    case .token: return .map(principal.token)
    case .time: return .timestamp(request.time)
    case .before: return .map(before[document] ?? MapValue())
    case .after: return .map(environment.after[document] ?? MapValue())
    case .promise: return environment.promise
    case .limit: return query?["limit"] ?? .null
    case .offset: return query?["offset"] ?? .int(0)
    case .query: return .map(query ?? MapValue())
    case .request(-1): return environment.resource ?? .map(MapValue())
    case .request(0): return environment.request
    case .signedOut: return .bool(request.principal == nil)
    case .stored: return .bool(before[document] != nil)
    case .request, .run, .named: return nil
    }
  }

  /// `request.query`; nil for requests other than queries.
  private var query: MapValue? {
    if case .map(let map) = environment.request, case .map(let query)? = map["query"] {
      return query
    }
    return nil
  }

  /// The value of the segment that stands for further ones: no path that conditions look up has it.
  private static let furtherSegment: Text = "further segments"

  /// True for the segment that stands for the further ones of this longer path.
  private func isFurther(_ place: Int) -> Bool {
    guard let open else { return false }
    return place == open.cut && document.segments.count > open.count
  }

  /// Returns the number of segments, beyond those of the kind, before an index of the kind's path.
  private func further(at place: Int) -> Int {
    guard let open, place > open.cut else { return 0 }
    return document.segments.count - open.count
  }

  /// Returns the value of an application; nil if it is not defined.
  private func value(_ functor: Functor, _ values: [Value]) -> Value? {
    switch functor {
    case .document(let isAfter):
      let isOwn = values.indices.contains { place in
        guard case .string(let text) = values[place] else { return false }
        return isFurther(place) && text == Self.furtherSegment
      }
      return .list([.bool(isAfter)] + (isOwn ? document.segments.map { .string($0) } : values))
    case .data: return stored(values[0]).map { .map($0) }
    case .exists: return .bool(stored(values[0]) != nil)
    case .unnamedKey:
      guard case .map(let map) = values[0] else { return .bool(false) }
      return .bool(map.keys.contains { !keys.contains($0) })
    case .unnamed(let fate): return .bool(hasUnnamed(fate, values))
    case .defined(.compose): return .bool(!Value.areTooHeavy(values))
    case .value(let act): return Self.value(act, values)
    case .defined(let act): return .bool(Self.value(act, values) != nil)
    case .only, .member, .odd, .close, .alike, .precedes, .has:
      return functor.value(of: values) ?? .bool(false)
    case .list: return .list(values)
    case .record(let names): return .map(MapValue(Array(zip(names, values))))
    case .field, .element, .size, .path, .plus: return functor.value(of: values)
    }
  }

  /// Returns what the evaluator computes, also for values that no constant can be; nil for an error.
  private static func value(_ act: Act, _ values: [Value]) -> Value? {
    switch act {
    case .builtin(let builtin):
      let receiver = Builtins.entry(builtin).receiver
      if let receiver, values[0].type != receiver { return nil }
      return try? PureFunctions.call(
        builtin, on: receiver == nil ? nil : values[0],
        with: receiver == nil ? values : Array(values.dropFirst()))
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
    return (isAfter ? environment.after : before)[path]
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

extension QuestionInterpretation {
  /// Returns a proposition with the values of its terms, for messages.
  mutating func describe(_ prop: Prop) -> String {
    let sign = prop.isDenied ? "!" : ""
    if let fact = question.facts[prop.node] {
      var text = sign + "\(fact)"
      for term in fact.terms {
        text += " " + question.definition(of: term) { $0.index } + "="
        text += value(term).map { ValueText.short($0) } ?? "?"
      }
      return text
    }
    var parts: [String] = []
    for part in question.parts[prop.node] { parts.append(describe(part)) }
    return sign + "(" + parts.joined(separator: " & ") + ")"
  }
}
