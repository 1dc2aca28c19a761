import RulesLang

/// The lint for letting strangers store texts, lists and maps of any size.
enum UnboundedValue {
  /// The lint.
  static let lint = Lint(
    "unbounded-value", level: .off,
    summary: "strangers can store strings and lists of any size",
    reason: """
      A document holds up to 1 MiB, and a client that can create one can fill it: you pay for the storage,
      and every reader loads it. Reported for creates that check no claim and no stored document, so that
      anyone with an account can make any number of them: for each field that is a string, a list, a map
      or bytes of any size, and for creates that do not restrict the fields. Meant for strict reviews; off
      unless a level turns it on.
      """,
    avoid: """
      match /messages/{id} {
        allow create: if request.auth != null
                      && request.resource.data.keys().hasOnly(['text'])
                      && request.resource.data.text is string;
      }
      """,
    prefer: """
      match /messages/{id} {
        allow create: if request.auth != null
                      && request.resource.data.keys().hasOnly(['text'])
                      && request.resource.data.text is string
                      && request.resource.data.text.size() < 1000;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow in
        guard let fields = StrangersData.of(allow, in: subject),
          !fields.unbounded.isEmpty || fields.areOpen
        else { return nil }
        let names = fields.unbounded.map { "`\(String($0))`" }
        let what =
          (names.isEmpty ? [] : [names.listed + " of any size"])
          + (fields.areOpen ? ["any further fields"] : [])
        return Diagnostic.finding(
          "strangers can store \(what.listed)", at: subject.operations(allow),
          help: names.isEmpty
            ? "say which fields there are: `request.resource.data.keys().hasOnly([…])`"
            : "bound them: `request.resource.data.\(String(fields.unbounded[0])).size() < 1000`")
      }
    })
}

/// The lint for letting strangers store a field of any type.
enum UntypedField {
  /// The lint.
  static let lint = Lint(
    "untyped-field", level: .off,
    summary: "strangers can store a field of any type",
    reason: """
      A field that is only listed can be a string, a number, or a map of 1 MiB; apps that expect a string
      fail when they read it. Reported for creates that check no claim and no stored document, for each
      field whose value nothing checks. Meant for strict reviews; off unless a level turns it on.
      """,
    avoid: """
      match /messages/{id} {
        allow create: if request.auth != null
                      && request.resource.data.keys().hasOnly(['text', 'likes'])
                      && request.resource.data.text is string
                      && request.resource.data.text.size() < 1000;
      }
      """,
    prefer: """
      match /messages/{id} {
        allow create: if request.auth != null
                      && request.resource.data.keys().hasOnly(['text', 'likes'])
                      && request.resource.data.text is string
                      && request.resource.data.text.size() < 1000
                      && request.resource.data.likes == 0;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow in
        guard let fields = StrangersData.of(allow, in: subject), !fields.untyped.isEmpty else {
          return nil
        }
        let names = fields.untyped.map { "`\(String($0))`" }.listed
        return Diagnostic.finding(
          "strangers can store anything as \(names)", at: subject.operations(allow),
          help: "say what it is: `request.resource.data.\(String(fields.untyped[0])) is string`")
      }
    })
}

/// The conditions of a create on the data of clients that need nothing but an account.
private struct StrangersData {
  /// The fields that can be texts, lists, maps or bytes of any size.
  var unbounded: [Text] = []
  /// The fields that may exist, without any condition on their value.
  var untyped: [Text] = []
  /// True if fields without any mention may exist.
  var areOpen = false

  /// Returns the conditions of a statement; nil if strangers cannot create documents by it.
  static func of(_ allow: AllowID, in subject: LintSubject) -> StrangersData? {
    guard subject.possibleMethods(allow).contains(.create) else { return nil }
    let terms = subject.terms
    var found: StrangersData?
    for parts in terms.alternatives(of: subject.conditions[allow.index].root)
    where !parts.contains(where: { terms.asksForPrivilege($0) || terms.isError($0, for: .create) })
    {
      var data = found ?? StrangersData()
      data.add(parts, terms)
      found = data
    }
    return found
  }

  private mutating func add(_ parts: [InlinedTerms.Term], _ terms: InlinedTerms) {
    var names: [Text] = []
    for name in parts.flatMap({ terms.writtenFields(in: $0).names + terms.listedFields(in: $0) })
    where !names.contains(name) {
      names.append(name)
    }
    func isLeftOpen(_ field: Text?) -> Bool {
      parts.allSatisfy { WrittenField.isLeftOpen(field, by: $0, in: terms) }
    }
    areOpen = areOpen || isLeftOpen(nil)
    for name in names where isLeftOpen(name) {
      let types = parts.flatMap { terms.types(of: name, in: $0) }
      if types.isEmpty {
        if !untyped.contains(name) { untyped.append(name) }
      } else if types.contains(where: { [.string, .list, .map, .bytes].contains($0) }) {
        if !unbounded.contains(name) { unbounded.append(name) }
      }
    }
  }
}

extension InlinedTerms {
  /// Returns the field names that lists allow in the written data.
  fileprivate func listedFields(in root: Term) -> [Text] {
    terms(in: root).reversed().flatMap { term -> [Text] in
      guard case .method(let keys, "hasOnly", let arguments) = self[term],
        case .method(let data, "keys", _) = self[keys], isWrittenData(data),
        let list = arguments.first, case .list(let elements) = self[list]
      else { return [] }
      return elements.compactMap { text($0) }
    }
  }

  /// Returns the types for which a field of the written data is tested.
  fileprivate func types(of field: Text, in root: Term) -> [TypeWord] {
    terms(in: root).compactMap { term in
      guard case .isType(let value, let word) = self[term],
        case .member(let data, field) = self[value], isWrittenData(data)
      else { return nil }
      return word
    }
  }
}
