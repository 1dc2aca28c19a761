import RulesLang

// Parts of conditions about the document that a request writes, and about the client.

extension InlinedTerms {
  /// Returns the fields of the written data that a term names, in order, and true if it reads the written
  /// data at all.
  func writtenFields(in term: Term) -> (names: [Text], areRead: Bool) {
    var names: [Text] = []
    var areRead = false
    for each in terms(in: term).reversed() {
      switch self[each] {
      case .member(let data, let name) where isWrittenData(data): names.append(name)
      case .index(let data, let key) where isWrittenData(data):
        names += [text(key)].compactMap { $0 }
      case .binary(.in, let key, let data) where readsWritten(data):
        names += [text(key)].compactMap { $0 }
      case .method(let data, let name, let arguments) where readsWritten(data):
        if name == "get" { names += arguments.prefix(1).compactMap { text($0) } }
        if name == "hasAll", let list = arguments.first, case .list(let keys) = self[list] {
          names += keys.compactMap { text($0) }
        }
      default: break
      }
      if isWrittenData(each) { areRead = true }
    }
    var seen: Set<Text> = []
    return (names.filter { seen.insert($0).inserted }, areRead)
  }

  /// True if a term is the written data or its keys.
  private func readsWritten(_ term: Term) -> Bool {
    if case .method(let data, "keys", _) = self[term] { return isWrittenData(data) }
    return isWrittenData(term)
  }

  /// True if a term is a certain set of keys in which the written and the stored data differ.
  func isDifference(_ term: Term, _ name: Text) -> Bool {
    guard case .method(let diff, name, _) = self[term],
      case .method(let one, "diff", let others) = self[diff], others.count == 1
    else { return false }
    return isWrittenData(one) && isStoredData(others[0])
      || isStoredData(one) && isWrittenData(others[0])
  }

  /// Returns the texts in a list or set literal; nil for other terms, and if something else is in it.
  func names(in term: Term) -> [Text]? {
    switch self[term] {
    case .list(let elements):
      let names = elements.compactMap { text($0) }
      return names.count == elements.count ? names : nil
    case .method(let inner, "toSet", let arguments) where arguments.isEmpty:
      return names(in: inner)
    default: return nil
    }
  }

  /// True if a term depends only on the written data.
  func isAboutWrittenDataAlone(_ root: Term) -> Bool {
    var isRead = false
    for term in terms(in: root) {
      switch self[term] {
      case .resource, .capture, .run, .builtin, .opaque: return false
      case .member(let base, let name) where self[base] == .request:
        if name != "resource" { return false }
      case .member where isWrittenData(term): isRead = true
      case .literal, .request, .list, .map, .path, .not, .negate, .binary, .isType, .conditional,
        .member, .index, .slice, .method:
        continue
      }
    }
    return isRead
  }

  /// True if a conjunct demands more of the client than an account of its own: a claim, a stored document, or
  /// one certain ID.
  func asksForPrivilege(_ root: Term) -> Bool {
    var comparesClient = false
    var isTied = false
    for term in terms(in: root) {
      switch self[term] {
      case .builtin(let builtin, _) where builtin.isLookup: return true
      case .member(let base, "token") where isAuth(base): return true
      case .opaque: return true
      case .resource, .capture, .run: isTied = true
      default: break
      }
      if isWritten(term) { isTied = true }
      if isClient(term) { comparesClient = true }
    }
    return comparesClient && !isTied
  }

  /// Returns the alternatives of a condition (its disjunctive normal form), each as a list of conjuncts. A
  /// disjunction about the written data alone counts as one conjunct. At most 64 alternatives are made, more
  /// than anyone reads; the rest stays together.
  func alternatives(of root: Term) -> [[Term]] {
    var found: [[Term]] = []
    var open: [(done: [Term], rest: [Term])] = [([], [root])]
    while var way = open.popLast() {
      while let next = way.rest.popLast() {
        switch self[next] {
        case .binary(.and, let left, let right): way.rest += [right, left]
        case .binary(.or, let left, let right)
        where found.count + open.count < 64 && !isAboutWrittenDataAlone(next):
          open.append((way.done, way.rest + [right]))
          way.rest.append(left)
        default: way.done.append(next)
        }
      }
      found.append(way.done)
    }
    return found
  }

  /// True if a conjunct holds for no request of a method: it ends in an error, or demands another method.
  func isImpossible(_ part: Term, for method: Method) -> Bool {
    isError(part, for: method) || names(of: part).map { !$0.contains(method) } ?? false
  }

  /// Returns the methods that a conjunct demands; nil if it demands something else.
  private func names(of part: Term) -> [Method]? {
    func isMethod(_ term: Term) -> Bool { isMember(term, "method") { $0 == .request } }
    func methods(_ names: [Term]) -> [Method] {
      Method.allCases.filter { method in names.contains { text($0) == Text(method.word) } }
    }
    switch self[part] {
    case .binary(.equal, let one, let other):
      if isMethod(one) { return methods([other]) }
      return isMethod(other) ? methods([one]) : nil
    case .binary(.in, let key, let list):
      guard isMethod(key), case .list(let elements) = self[list] else { return nil }
      return methods(elements)
    case .binary(.or, let one, let other):
      guard let left = names(of: one), let right = names(of: other) else { return nil }
      return left + right
    default: return nil
    }
  }

  /// True if a conjunct ends in an error for every request of a method, because it compares something absent.
  func isError(_ part: Term, for method: Method) -> Bool {
    let operands =
      switch self[part] {
      case .binary(let symbol, let one, let other) where symbol != .and && symbol != .or:
        [one, other]
      case .isType(let operand, _): [operand]
      default: [Term]()
      }
    return operands.contains { operand in
      var base = operand
      while case .member(let inner, _) = self[base] {
        switch method {
        case .create: if isStoredData(base) { return true }
        case .get, .list, .delete: if isWrittenData(base) { return true }
        case .update: return false
        }
        base = inner
      }
      return false
    }
  }

  /// Returns the bool that a condition certainly is if the captures at some indices have these values; nil if
  /// it depends on more.
  func constant(_ root: Term, where names: [Int: Text]) -> Bool? {
    var known: [Term: Bool] = [:]
    func name(_ term: Term) -> Text? {
      if case .capture(let place) = self[term] { names[place] } else { text(term) }
    }
    func joined(_ one: Term, _ other: Term, deciding: Bool) -> Bool? {
      if known[one] == deciding || known[other] == deciding { return deciding }
      return known[one] == nil || known[other] == nil ? nil : !deciding
    }
    for term in terms(in: root).reversed() {
      switch self[term] {
      case .literal(.bool(let value)): known[term] = value
      case .not(let operand): known[term] = known[operand].map { !$0 }
      case .binary(.equal, let one, let other):
        if let one = name(one), let other = name(other) { known[term] = one == other }
      case .binary(.notEqual, let one, let other):
        if let one = name(one), let other = name(other) { known[term] = one != other }
      case .binary(.in, let key, let list):
        guard let key = name(key), case .list(let elements) = self[list] else { continue }
        let texts = elements.compactMap { name($0) }
        if texts.count == elements.count { known[term] = texts.contains(key) }
      case .binary(.and, let one, let other): known[term] = joined(one, other, deciding: false)
      case .binary(.or, let one, let other): known[term] = joined(one, other, deciding: true)
      default: continue
      }
    }
    return known[root]
  }
}
