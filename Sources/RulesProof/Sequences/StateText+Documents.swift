import RulesEncoding
import RulesEval
import RulesLang

// Documents in a condition on a state: the claim's own and those that are looked up.

extension StateText {
  /// Writes a member access to `request`, a document or another value.
  mutating func member(
    _ base: ExprID, _ name: Text, at id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> String {
    if account != nil, let chain = authChain(id, in: frame) {
      return try accountText(chain, at: id)
    }
    if isRequest(base, in: frame) {
      if name == "auth" { return "request.auth" }
      guard name == "time", leavesOut else { throw .request(rules.ruleset[id].range) }
      // The later request has its own time, so the passing of time is left out.
      leftOut = leftOut ?? rules.ruleset[id].range
      return "request.time"
    }
    if isResource(base, in: frame) {
      guard name == "data" else { throw unfollowed("this part of `resource`", at: id) }
      return try ownData(at: id)
    }
    var (inner, around) = resolved(base, in: frame)
    while let opened = opened(inner, in: around) {
      try pay(inner)
      (inner, around) = resolved(opened.0, in: opened.1)
    }
    if isResource(inner, in: around) || isRequest(inner, in: around) {
      return try member(inner, name, at: id, in: around)
    }
    if case .builtin(.get) = rules.binding(inner),
      case .call(_, let arguments) = rules.ruleset[inner].kind, arguments.count == 1
    {
      guard name == "data" else { throw unfollowed("this part of a document", at: id) }
      return try lookup(.get, of: arguments[0], in: around) + ".data"
    }
    return try text(base, in: frame) + "." + String(name)
  }

  /// Writes a comparison of a document with null; nil for other comparisons.
  mutating func existence(
    _ op: BinaryOperator, _ left: ExprID, _ right: ExprID, at id: ExprID, in frame: StateFrame,
    isWhole: Bool
  ) throws(StateObstacle) -> String? {
    guard op == .equal || op == .notEqual else { return nil }
    if account != nil {
      let sides = [(left, right), (right, left)]
      let isSignedIn = sides.contains { auth, null in
        isNull(null, in: frame) && authChain(auth, in: frame)?.isAuth == true
      }
      if isSignedIn {
        // An account is signed in; conditions true of signed-out clients only are not followed.
        guard op == .notEqual, isWhole else { throw unfollowed("who is not signed in", at: id) }
        return "true"
      }
    }
    if isNull(right, in: frame), let found = try whole(left, op, isWhole: isWhole, in: frame) {
      return found
    }
    if isNull(left, in: frame), let found = try whole(right, op, isWhole: isWhole, in: frame) {
      return found
    }
    guard
      isResource(left, in: frame) && isNull(right, in: frame)
        || isNull(left, in: frame) && isResource(right, in: frame)
    else { return nil }
    isAboutOwn = true
    let isThere = op == .notEqual
    let state = state(of: nil)
    if home == .own {
      return "(\(state == .before ? "resource" : "request.resource") \(op.symbol) null)"
    }
    let test = (state == .before ? "exists(" : "existsAfter(") + (try ownPath(at: nil)) + ")"
    return isThere ? test : "(!\(test))"
  }

  /// Writes `get(…) != null` as a test of the document's data; nil for other expressions. For a
  /// missing document `get` is an error, or null for the request's own, so this is only followed
  /// where errors and false are alike.
  private mutating func whole(
    _ id: ExprID, _ op: BinaryOperator, isWhole: Bool, in frame: StateFrame
  ) throws(StateObstacle) -> String? {
    var (id, frame) = resolved(id, in: frame)
    while let opened = opened(id, in: frame) { (id, frame) = resolved(opened.0, in: opened.1) }
    guard case .builtin(.get) = rules.binding(id),
      case .call(_, let arguments) = rules.ruleset[id].kind, arguments.count == 1
    else { return nil }
    guard op == .notEqual, isWhole else { throw unfollowed("a document as a whole", at: id) }
    return "(" + (try lookup(.get, of: arguments[0], in: frame)) + ".data != null)"
  }

  private mutating func ownData(at id: ExprID) throws(StateObstacle) -> String {
    isAboutOwn = true
    let state = state(of: nil)
    if home == .own { return state == .before ? "resource.data" : "request.resource.data" }
    return (state == .before ? "get(" : "getAfter(") + (try ownPath(at: id)) + ").data"
  }

  private mutating func ownPath(at id: ExprID?) throws(StateObstacle) -> String {
    var text = rules.database.rulesText
    for step in path.steps {
      switch step {
      case .literal(let literal): text += "/$(\(literal.literal))"
      case .capture(let name):
        variables.insert(name)
        text += "/$(\(String(name)))"
      case .glob:
        throw .other(
          OpenReason(
            "a document of any depth is not analysed across requests",
            at: id.map { rules.ruleset[$0].range }))
      }
    }
    return text
  }

  /// Writes a call of a built-in.
  mutating func call(
    _ callee: Callee, with arguments: [ExprID], at id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> String {
    guard case .builtin(let builtin) = rules.binding(id) else { throw unfollowed("a call", at: id) }
    switch builtin {
    case .exists:
      guard arguments.count == 1 else { throw unfollowed("a call", at: id) }
      return try lookup(.exists, of: arguments[0], in: frame)
    case .get: throw unfollowed("a document as a whole", at: id)
    case .getAfter, .existsAfter:
      throw .other(
        OpenReason(
          "a condition on the document after the request is not analysed across requests",
          at: rules.ruleset[id].range))
    default:
      let name: String =
        switch callee {
        case .plain(let name): String(name.text)
        case .namespaced(let space, let name): "\(String(space.text)).\(String(name.text))"
        }
      return name + "(" + (try list(arguments, in: frame)) + ")"
    }
  }

  private mutating func lookup(
    _ builtin: Builtin, of path: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> String {
    let (id, _) = resolved(path, in: frame)
    var steps: [LookedUpDocument.Step] = []
    var text = rules.database.rulesText
    for (place, segment) in try segments(of: path, in: frame).enumerated() {
      if place < DatabaseName.rootCount {
        guard isRoot(segment.step, at: place) else {
          throw unfollowed("a lookup in a database", at: id)
        }
      } else {
        steps.append(segment.step)
        text += "/$(\(segment.text))"
      }
    }
    guard !steps.isEmpty, steps.count.isMultiple(of: 2) else {
      throw unfollowed("a lookup of a path that is not a document path", at: id)
    }
    let document = steps == ownSteps ? nil : LookedUpDocument(steps: steps)
    let state = state(of: document)
    if let document {
      if !documents.contains(document) { documents.append(document) }
    } else {
      isAboutOwn = true
      // The result of `get`, of which `data` is read.
      if home == .own, builtin == .get { return state == .before ? "resource" : "request.resource" }
    }
    let name =
      switch (builtin, state) {
      case (.get, .before): "get"
      case (.get, .after): "getAfter"
      case (_, .before): "exists"
      case (_, .after): "existsAfter"
      }
    return "\(name)(\(text))"
  }

  private var ownSteps: [LookedUpDocument.Step]? {
    var steps: [LookedUpDocument.Step] = []
    for step in path.steps {
      switch step {
      case .literal(let text): steps.append(.literal(text))
      case .capture(let name): steps.append(.variable(name))
      case .glob: return nil
      }
    }
    return steps
  }

  private func isRoot(_ step: LookedUpDocument.Step, at place: Int) -> Bool {
    guard case .literal(let text) = step else { return false }
    return text == rules.database.root[place]
  }

  /// Returns an interpolated segment of a path.
  mutating func interpolation(
    _ id: ExprID, in frame: StateFrame
  ) throws(StateObstacle) -> Segment {
    let (id, frame) = resolved(id, in: frame)
    if let (body, inner) = opened(id, in: frame) { return try interpolation(body, in: inner) }
    switch rules.ruleset[id].kind {
    case .literal(.string(let text)): return Segment(step: .literal(text), text: text.literal)
    case .variable(let name):
      let text = try variable(name.text, at: id, in: frame)
      if case .capture(let slot) = rules.binding(id), let step = captures[Int(slot)] {
        return Segment(step: step, text: text)
      }
      return Segment(step: .variable(Text(text)), text: text)
    case .binary(.add, _, _): return try concatenated(id, in: frame)
    case .member, .index: break
    case .method(_, let name, _):
      if name.text == "get" { break }
      let text = try text(id, in: frame)
      return Segment(step: speaksOfState(id, in: frame, depth: 0) ? .value : .text, text: text)
    default: throw unfollowed("a computed segment of a path", at: id)
    }
    switch origin(of: id, in: frame) {
    case .later:
      if keepsStored {
        guard leavesOut else { throw .request(rules.ruleset[id].range) }
        // The string may be stored data, and a change of it is left out.
        leftOut = leftOut ?? rules.ruleset[id].range
      }
      let shown = chain(id, in: frame)
      uses.later += 1
      if !requestTexts.contains(shown) { requestTexts.append(shown) }
      let name = laterName(requestTexts.firstIndex(of: shown) ?? 0)
      variables.insert(name)
      return Segment(step: .later(name), text: String(name))
    case .auth:
      if account != nil {
        let name = try accountSegment(id, in: frame)
        return Segment(step: .variable(name), text: String(name))
      }
      let text = try text(id, in: frame)
      return Segment(step: text == "request.auth.uid" ? .uid : .text, text: text)
    case .document: return Segment(step: .value, text: try text(id, in: frame))
    case nil: throw unfollowed("a computed segment of a path", at: id)
    }
  }

  /// Returns the variable for a string of the later request, distinct from the claim's variables.
  func laterName(_ number: Int) -> Text {
    var name = Text("later\(number)")
    while path.variables.contains(name) { name = name + Text("_") }
    return name
  }

  private enum Origin {
    case auth, document, later
  }

  /// Returns the text of a member chain of the later request.
  private func chain(_ id: ExprID, in frame: StateFrame) -> String {
    var (id, frame) = resolved(id, in: frame)
    var names = ""
    while true {
      if let opened = opened(id, in: frame) { (id, frame) = resolved(opened.0, in: opened.1) }
      switch rules.ruleset[id].kind {
      case .member(let base, let name):
        names = "." + String(name.text) + names
        (id, frame) = resolved(base, in: frame)
      case .index(let base, let key):
        names = "[\(key.index)]" + names
        (id, frame) = resolved(base, in: frame)
      case .method(let base, let name, _):
        names = ".\(String(name.text))(\(id.index))" + names
        (id, frame) = resolved(base, in: frame)
      default: return "request" + names
      }
    }
  }

  /// Returns the origin of a member chain.
  private func origin(of id: ExprID, in frame: StateFrame) -> Origin? {
    var (id, frame) = resolved(id, in: frame)
    while true {
      if let opened = opened(id, in: frame) { (id, frame) = resolved(opened.0, in: opened.1) }
      switch rules.ruleset[id].kind {
      case .member(let base, let name):
        if isRequest(base, in: frame) {
          return name.text == "auth" ? .auth : name.text == "resource" ? .later : nil
        }
        if isResource(base, in: frame) { return name.text == "data" ? .document : nil }
        (id, frame) = resolved(base, in: frame)
      case .index(let base, let key):
        guard isPlain([key]) else { return nil }
        (id, frame) = resolved(base, in: frame)
      case .method(let base, let name, let keys):
        guard name.text == "get", isPlain(keys) else { return nil }
        (id, frame) = resolved(base, in: frame)
      case .call: return rules.binding(id) == .builtin(.get) ? .document : nil
      default: return nil
      }
    }
  }

  /// True if all keys and defaults are string literals.
  private func isPlain(_ keys: [ExprID]) -> Bool {
    keys.allSatisfy { id in
      guard case .literal(.string) = rules.ruleset[rules.ruleset.unparenthesized(id)].kind else {
        return false
      }
      return true
    }
  }
}
