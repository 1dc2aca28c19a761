import RulesLang

// Queries and claims.

extension SuiteSchema {
  /// The schema of a query.
  static var query: JSONText {
    let unseen = SuiteReader.invisibleKeys.map {
      ($0, JSONText.object([("description", .string("Has no effect: rules do not see it."))]))
    }
    let unmodelled = SuiteReader.unmodelledKeys.map {
      ($0, JSONText.object([("description", .string("Not supported: a test with it fails."))]))
    }
    let order = JSONSchema.list(
      "A field, and asc or desc.", of: JSONSchema.type("string", "A field path, or a direction."))
    return JSONSchema.object(
      "The filters, order and limits of a query.",
      keys: SuiteReader.queryKeys + SuiteReader.invisibleKeys + SuiteReader.unmodelledKeys,
      about: [
        (
          "where",
          JSONSchema.list("All of these hold.", of: JSONSchema.reference("condition"))
        ),
        (
          "orderBy",
          JSONSchema.list(
            "The order of the results.",
            of: JSONSchema.either(
              "A field, or a field and asc or desc.",
              [JSONSchema.type("string", "A field path."), order]))
        ),
        ("limit", JSONSchema.type("integer", "The greatest number of documents.")),
        ("offset", JSONSchema.type("integer", "The number of documents to skip.")),
      ] + unseen + unmodelled)
  }

  /// The schema of a query's condition: a comparison, or a composite.
  static var condition: JSONText {
    func all(_ what: String) -> JSONText {
      JSONSchema.list(what, of: JSONSchema.reference("condition"))
    }
    let comparison = JSONText.object([
      ("description", .string("A field, a comparison and a value.")), ("type", .string("array")),
      ("minItems", .int(3)), ("maxItems", .int(3)),
      (
        "prefixItems",
        .array([
          JSONSchema.type("string", "The field path."),
          JSONSchema.word("The comparison.", among: SuiteReader.comparisons.map { $0.0 }),
        ])
      ),
    ])
    return JSONSchema.either(
      "A condition of a query.",
      [
        comparison,
        JSONSchema.object(
          "Several conditions.", keys: SuiteReader.conditionKeys,
          about: [("or", all("One of these holds.")), ("and", all("All of these hold."))]),
      ])
  }

  /// The schema of a claim.
  static var claim: JSONText {
    JSONSchema.object(
      "A claim about all requests.", keys: SuiteReader.claimKeys, required: ["path"],
      about: [
        ("name", JSONSchema.type("string", "The name to show; by default the claim.")),
        ("database", JSONSchema.type("string", "The database; by default that of the suite.")),
        (
          "path",
          JSONSchema.type(
            "string", "The documents: \"/users/{uid}\". Conditions can use the wildcards.")
        ),
        ("methods", JSONSchema.reference("methods")),
        (
          "writes",
          JSONSchema.either(
            "Only requests that add, change or remove one of these fields.",
            [
              JSONSchema.type("string", "A field path."),
              JSONSchema.list("Field paths.", of: JSONSchema.type("string", "A field path.")),
            ])
        ),
        ("given", JSONSchema.type("string", "Only requests for which this condition is true.")),
        ("onlyIf", JSONSchema.type("string", "Every allowed request satisfies this condition.")),
        (
          "alwaysIf",
          JSONSchema.type(
            "string",
            "Every request that satisfies this condition is allowed.")
        ),
        ("never", constant(true, "Nothing in scope is allowed.")),
        ("errors", constant(false, "No condition ends in an error.")),
        (
          "keeps",
          JSONSchema.type(
            "string",
            "After every allowed create and update the document satisfies this condition on "
              + "`resource`, if it did so before or is new.")
        ),
        (
          "through",
          JSONSchema.either(
            "The claim also holds after this many allowed requests of the same client.",
            [
              JSONSchema.word("Unlimited requests.", among: ["any"]),
              JSONSchema.type("integer", "At most this many requests."),
            ])
        ),
        (
          "expect",
          JSONSchema.word(
            "The expected verdict; by default proved.",
            among: Claim.Expectation.allCases.map { $0.word })
        ),
      ], and: [JSONSchema.exactlyOne(of: SuiteReader.obligations)])
  }

  /// The schema of a claim's methods: a word, or several.
  static var methods: JSONText {
    let word = JSONSchema.word("A method.", among: Operation.words)
    return JSONSchema.either(
      "The methods of the claim; by default all.",
      [word, JSONSchema.list("Methods.", of: word, minimum: 1)])
  }

  private static func constant(_ flag: Bool, _ what: String) -> JSONText {
    .object([("description", .string(what)), ("const", .bool(flag))])
  }
}
