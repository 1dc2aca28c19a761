import RulesLang

/// The lint for a field name that occurs once, and nearly so elsewhere.
enum MisspeltField {
  /// The lint.
  static let lint = Lint(
    "misspelt-field", level: .on(.warning),
    summary: "a field name that occurs once, and almost the same elsewhere",
    reason: """
      Rules do not declare the fields of documents, so a misspelt name is a field that no document has.
      Reading it is an error, and the condition does not grant. In a list of fields that may change, it
      forbids the intended field. A name counts as misspelt if it occurs once in the file, together with another
      name that is one typing error away. Names that differ in their first or last letter or in a digit
      count as different fields; so do two names in one list, two that one statement checks alike, or that
      differ as `payer` and `payee` do.
      """,
    avoid: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.fcmToken is string
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['fcmTokn']);
        allow create: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.fcmToken is string;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.fcmToken is string
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['fcmToken']);
        allow create: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.fcmToken is string;
      }
      """,
    find: { subject in
      let mentions = subject.fieldMentions
      var places: [Text: [SourceRange]] = [:]
      for mention in mentions { places[mention.name, default: []].append(mention.range) }
      let pairs = subject.fieldsInTheirOwnRight
      return mentions.compactMap { mention -> Diagnostic? in
        guard places[mention.name]?.count == 1 else { return nil }
        let name = String(mention.name)
        let near = places.filter { other, ranges in
          // If both occur once, the later one is reported.
          (ranges.count > 1 || ranges[0].start < mention.range.start)
            && isSlip(name, of: String(other)) && !isRole(name, of: String(other))
            && !pairs.contains(FieldPair(mention.name, other))
        }
        // The one that is written most often was meant; of several the first in the file.
        let meant = near.max { one, other in
          one.value.count != other.value.count
            ? one.value.count < other.value.count : one.value[0].start > other.value[0].start
        }
        guard let meant, let first = meant.value.first else { return nil }
        // A field in a list of names is in quotes, which stay.
        let quote = subject.rules.source.string(mention.range).prefix { $0 == "'" || $0 == "\"" }
        return Diagnostic.finding(
          "the field `\(name)` is spelled like this only here", at: mention.range
        ).suggesting(String(meant.key))
          .fixing(with: quote + String(meant.key) + quote)
          .relating(first, as: "another name here")
          .noting("reading a field that a document does not have is an error, and does not grant")
      }
    })

  /// True if the names are of two opposite roles, such as `employer` and `employee`.
  private static func isRole(_ name: String, of other: String) -> Bool {
    let (one, two) = (Array(name.utf8), Array(other.utf8))
    guard one.count == two.count, let place = one.indices.first(where: { one[$0] != two[$0] }),
      place > 0, one[place - 1] == UInt8(ascii: "e")
    else { return false }
    return Set([one[place], two[place]]) == [UInt8(ascii: "r"), UInt8(ascii: "e")]
  }

  /// Minimum characters of a checked name; shorter ones are similar to too many.
  private static let shortest = 6

  /// True if one name is a probable misspelling of the other: a letter too many, too few, wrong or exchanged
  /// with its neighbour, inside of it; or letters in the other case.
  private static func isSlip(_ name: String, of other: String) -> Bool {
    let (one, two) = (Array(name.utf8), Array(other.utf8))
    guard one != two, min(one.count, two.count) >= shortest, one.first == two.first,
      one.last == two.last
    else { return false }
    guard Spelling.isOneEdit(from: name, to: other) else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return one.filter { digits.contains($0) } == two.filter { digits.contains($0) }
  }
}

extension LintSubject {
  /// An occurrence of a document field's name.
  struct FieldMention: Sendable {
    /// The name.
    var name: Text
    /// The range, with its quotes.
    var range: SourceRange
  }

  /// All occurrences of field names, in the order of the text: members of values that are not records, and
  /// strings that are searched among the keys of a map.
  var fieldMentions: [FieldMention] {
    var found: [FieldMention] = []
    for id in allNodes {
      switch rules[id].kind {
      case .member(let base, let name):
        if record(base) == nil, !isLookup(base), name.text != "data" {
          found.append(FieldMention(name: name.text, range: name.range))
        }
      case .method(_, let name, let arguments):
        if ["hasOnly", "hasAll", "hasAny"].contains(name.text) {
          found += arguments.flatMap { quoted(inside: $0) }
        } else if name.text == "get", let key = arguments.first {
          found += quoted(inside: key)
        }
      case .index(_, let key): found += quoted(inside: key)
      case .binary(.in, let key, _): found += quoted(inside: key)
      case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
        .conditional, .slice, .call, .invalid:
        continue
      }
    }
    return found.sorted { $0.range.start < $1.range.start }
  }

  /// Returns the string literal that an expression is, or those in the list literal that it is, if they can
  /// be field names.
  private func quoted(inside id: ExprID) -> [FieldMention] {
    switch rules[rules.unparenthesized(id)].kind {
    case .literal(.string(let text)):
      return [FieldMention(name: text, range: rules[id].range)]
    case .list(let elements): return elements.flatMap { quoted(inside: $0) }
    case .method(let list, let name, _) where name.text == "toSet": return quoted(inside: list)
    case .literal, .variable, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .index, .slice, .call, .member, .method, .invalid:
      return []
    }
  }
}

/// Two field names that are both meant.
private struct FieldPair: Hashable {
  private let names: Set<Text>

  init(_ one: Text, _ other: Text) { names = [one, other] }
}

extension LintSubject {
  /// Pairs of names that occur in one list, or for which one condition makes the same check.
  fileprivate var fieldsInTheirOwnRight: Set<FieldPair> {
    var found: Set<FieldPair> = []
    func add(_ names: [Text]) {
      for (index, one) in names.enumerated() {
        for other in names[..<index] where one != other { found.insert(FieldPair(one, other)) }
      }
    }
    for id in allNodes {
      // Longer lists would make very many pairs.
      if case .list(let elements) = rules[id].kind, elements.count <= 64 {
        add(elements.compactMap { quoted(inside: $0).first?.name })
      }
    }
    for condition in conditions {
      var checks: [InlinedTerms.Node: [Text]] = [:]
      for term in condition.terms {
        guard let (check, name) = terms.fieldCheck(term) else { continue }
        checks[check, default: []].append(name)
      }
      for names in checks.values where names.count <= 64 { add(names) }
    }
    return found
  }
}

extension InlinedTerms {
  /// Returns a term's check of one field, and the field's name: equal checks of two fields of one document
  /// have equal nodes.
  fileprivate func fieldCheck(_ term: Term) -> (Node, Text)? {
    switch self[term] {
    case .isType(let value, let word):
      guard case .member(let data, let name) = self[value] else { return nil }
      return (.isType(data, word), name)
    case .binary(let symbol, let one, let other):
      for (value, rest) in [(one, other), (other, one)] {
        if case .member(let data, let name) = self[value], isData(data) {
          return (.binary(symbol, data, rest), name)
        }
      }
      return nil
    default: return nil
    }
  }

  private func isData(_ term: Term) -> Bool {
    isStoredData(term) || isWrittenData(term) || isMember(term, "data") { _ in true }
  }
}
