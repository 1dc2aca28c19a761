import RulesEval
import RulesLang

/// One thing in which a request differs from another one.
struct Variation {
  /// What is changed.
  enum Spot {
    /// Who asks.
    case client
    /// A claim of the token, by the number of its name.
    case claim(Int)
    /// A field of the document as it is stored.
    case before(Int)
    /// A field of the document as it is to be.
    case after(Int)
    /// A field of both, so that the write does not change it.
    case both(Int)
  }

  /// What is changed.
  var spot: Spot
  /// What it becomes.
  var choice: ChoiceTable.Choice
}

extension Variation.Spot {
  /// What can be changed in requests of a kind, each name once before any of them a second time.
  static func all(for method: Method, from table: ChoiceTable) -> [Variation.Spot] {
    let fields = 0..<table.fieldCount
    let claims = (table.fieldCount..<table.names.count).map { Self.claim($0) }
    let documents: [Variation.Spot] =
      switch method {
      case .get, .list, .delete: fields.map { .before($0) }
      case .create: fields.map { .after($0) }
      case .update: fields.flatMap { [.after($0), .before($0), .both($0)] }
      }
    // Who asks matters in nearly every condition, and so it comes between the fields.
    var spots: [Variation.Spot] = []
    let clients = [Self.client] + claims
    for (place, spot) in documents.enumerated() {
      if place.isMultiple(of: 4) { spots.append(clients[place / 4 % clients.count]) }
      spots.append(spot)
    }
    let missing = clients.dropFirst((documents.count + 3) / 4)
    return spots + missing
  }
}

extension BaseRequest {
  /// Whether one thing can be changed: the request has it, and it is not so already.
  func canVary(by variation: Variation, from table: ChoiceTable) -> Bool {
    func differs(_ old: Value?) -> Bool {
      Value.differ(draft.value(of: variation.choice, table), from: old)
    }
    switch variation.spot {
    case .client:
      guard case .client(let number) = variation.choice else { return false }
      return draft.principal != nil || table.clients[number] != nil
    case .claim(let name):
      return draft.principal.map { differs($0.token[table.names[name]]) } ?? false
    case .before(let name):
      guard let before = draft.before, !draft.isFiltered(table.names[name]) else { return false }
      return differs(before[table.names[name]])
    case .after(let name): return draft.after.map { differs($0[table.names[name]]) } ?? false
    case .both(let name):
      guard let before = draft.before, let after = draft.after else { return false }
      return differs(before[table.names[name]]) || differs(after[table.names[name]])
    }
  }
}

extension Draft {
  /// The request with one thing changed.
  func varied(by variation: Variation, from table: ChoiceTable) -> Draft {
    var copy = self
    let value = value(of: variation.choice, table)
    switch variation.spot {
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

  fileprivate func value(of choice: ChoiceTable.Choice, _ table: ChoiceTable) -> Value? {
    switch choice {
    case .value(let number): table.values[number]
    case .uid: .string(uid)
    case .segment: .string(path.id)
    case .missing, .client: nil
    }
  }

  /// The client's user ID, or one if nobody is signed in.
  var uid: Text {
    if case .string(let text) = principal?.uid { return text }
    return "u1"
  }

  /// Whether a query promises something of a field.
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
