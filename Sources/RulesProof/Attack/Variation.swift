import RulesEval
import RulesLang

/// A mutation: the one difference of a request from its base.
struct Variation {
  /// The mutated part.
  enum Slot {
    /// The client.
    case client
    /// A claim of the token, by number of its name.
    case claim(Int)
    /// A field of the stored document.
    case before(Int)
    /// A field of the written document.
    case after(Int)
    /// A field of both, unchanged by the write.
    case both(Int)
  }

  /// The mutated part.
  var slot: Slot
  /// The replacement.
  var choice: MutationTable.Choice
}

extension Variation.Slot {
  /// Returns all parts that can be mutated in requests of a method, each once.
  static func all(for method: Method, from table: MutationTable) -> [Variation.Slot] {
    let fields = 0..<table.fieldCount
    let claims = (table.fieldCount..<table.names.count).map { Self.claim($0) }
    let documents: [Variation.Slot] =
      switch method {
      case .get, .list, .delete: fields.map { .before($0) }
      case .create: fields.map { .after($0) }
      case .update: fields.flatMap { [.after($0), .before($0), .both($0)] }
      }
    // The client matters in nearly every condition, so its parts are interleaved with the fields.
    var spots: [Variation.Slot] = []
    let clients = [Self.client] + claims
    for (place, slot) in documents.enumerated() {
      if place.isMultiple(of: 4) { spots.append(clients[place / 4 % clients.count]) }
      spots.append(slot)
    }
    let missing = clients.dropFirst((documents.count + 3) / 4)
    return spots + missing
  }
}

extension BaseRequest {
  /// True if the mutation applies: the part exists, and differs from the replacement.
  func canVary(by variation: Variation, from table: MutationTable) -> Bool {
    func differs(_ old: Value?) -> Bool {
      Value.differ(candidate.value(of: variation.choice, table), from: old)
    }
    switch variation.slot {
    case .client:
      guard case .client(let number) = variation.choice else { return false }
      return candidate.principal != nil || table.clients[number] != nil
    case .claim(let name):
      return candidate.principal.map { differs($0.token[table.names[name]]) } ?? false
    case .before(let name):
      guard let before = candidate.before, !candidate.isFiltered(table.names[name]) else {
        return false
      }
      return differs(before[table.names[name]])
    case .after(let name): return candidate.after.map { differs($0[table.names[name]]) } ?? false
    case .both(let name):
      guard let before = candidate.before, let after = candidate.after else { return false }
      return differs(before[table.names[name]]) || differs(after[table.names[name]])
    }
  }
}

extension CandidateRequest {
  /// Returns the request with a mutation.
  func varied(by variation: Variation, from table: MutationTable) -> CandidateRequest {
    var copy = self
    let value = value(of: variation.choice, table)
    switch variation.slot {
    case .client:
      if case .client(let number) = variation.choice { copy.principal = table.clients[number] }
    case .claim(let name): copy.principal?.token[table.names[name]] = value
    case .before(let name): copy.before?[table.names[name]] = value
    case .after(let name): copy.after?[table.names[name]] = value
    case .both(let name):
      copy.before?[table.names[name]] = value
      copy.after?[table.names[name]] = value
    }
    return copy
  }

  fileprivate func value(of choice: MutationTable.Choice, _ table: MutationTable) -> Value? {
    switch choice {
    case .value(let number): table.values[number]
    case .uid: .string(uid)
    case .segment: .string(path.id)
    case .missing, .client: nil
    }
  }

  /// The client's user ID, or a default for a signed-out client.
  var uid: Text {
    if case .string(let text) = principal?.uid { return text }
    return "u1"
  }

  /// True if a filter of the query constrains the field.
  func isFiltered(_ name: Text) -> Bool { filters.contains { $0.field.names.first == name } }
}

extension Value {
  fileprivate static func differ(_ one: Value?, from other: Value?) -> Bool {
    switch (one, other) {
    case (.none, .none): false
    case (.some(let one), .some(let other)): !Value.areIdentical(one, other)
    case (.none, .some), (.some, .none): true
    }
  }
}
