import RulesLang

/// The conjuncts of an opening's condition, grouped by what makes them true, for a sentence.
struct AskedParts {
  private let opening: AccessMatrix.Opening
  /// Conjuncts that the client satisfies by the content of the request.
  private var chosen: [ResidualCondition] = []
  /// Conjuncts that depend on stored data and the path.
  private var given: [ResidualCondition] = []
  /// Conjuncts that depend on the time only.
  private var timed: [ResidualCondition] = []
  /// The other conjuncts: conditions on the account, or constants.
  private var own: [ResidualCondition] = []

  /// Groups the conjuncts of an opening's condition.
  init(of opening: AccessMatrix.Opening) {
    self.opening = opening
    for part in opening.alternative.residual.conjuncts {
      if part.reads.isChosen {
        chosen.append(part)
      } else if part.reads.isGiven {
        given.append(part)
      } else if part.isTimed {
        timed.append(part)
      } else {
        own.append(part)
      }
    }
  }

  /// True if stored data or the path restricts the documents.
  var isLimited: Bool { !given.isEmpty || !opening.alternative.remarks.isEmpty }

  /// True if the request names another document that must satisfy the rules.
  var isLookedUp: Bool { chosen.contains { $0.reads.contains(.others) } }

  /// The claims that the server must have set, such as `token.org`; nil if none.
  var claims: String? {
    let names = opening.claims.map { "token.\(String($0))" }
    return names.isEmpty ? nil : names.joined(separator: " and ") + " (any value)"
  }

  /// The documents and the condition: `every document where resource.data.locked == false`.
  var sentence: String {
    var parts: [String] = []
    if let place { parts.append("where \(place)") }
    if !chosen.isEmpty { parts.append("by sending data that satisfies: " + Self.text(chosen)) }
    if !timed.isEmpty {
      let time =
        opening.isNow ? "as long as the clock allows it" : "at another time than this report's"
      parts.append("\(time): " + Self.text(timed))
    }
    if !own.isEmpty {
      parts.append("with an account where: " + Self.text(own))
    }
    return documents + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }

  private var documents: String {
    switch opening.extent {
    case .all: "every document"
    case .withFields: "every document that has the fields that the rules name"
    case .ifTrue: chosen.isEmpty ? "every document" : "documents of others"
    }
  }

  /// The conditions on the documents, in words; nil if there are none.
  private var place: String? {
    let parts = (given.isEmpty ? [] : [Self.text(given)]) + opening.alternative.remarks
    return parts.isEmpty ? nil : parts.joined(separator: ", and ")
  }

  private static func text(_ parts: [ResidualCondition]) -> String {
    parts.count == 1 ? parts[0].text : ResidualCondition.all(parts).text
  }
}

extension AccessMatrix.Opening {
  /// True if the condition depends on the time.
  var isTimed: Bool { alternative.residual.conjuncts.contains { $0.isTimed } }

  /// True if one sentence describes both openings.
  func isLike(_ other: Self) -> Bool {
    extent == other.extent && isNow == other.isNow && claims == other.claims
      && alternative.residual == other.alternative.residual
      && alternative.remarks == other.alternative.remarks
  }
}

extension ResidualCondition {
  /// True if the condition reads the time, and neither the request's content nor stored data.
  var isTimed: Bool { reads.contains(.time) && !reads.isChosen && !reads.isGiven }
}
