import Testing

/// Limits of the proofs are in the strategy files, so that nobody has to search for them.
@Suite struct ProofLimitTests {
  /// The files with the limits of the proofs.
  private static let strategies = [
    "Sources/RulesSolver/Problem/SearchStrategy.swift",
    "Sources/RulesEncoding/Cases/EncodingStrategy.swift",
    "Sources/RulesProof/Strategy/Strategy.swift",
  ]

  /// The other numbers there: no limits, or limits that a format, Firestore or the checker sets.
  private static let numbers = [
    "RulesEncoding/Compiler/Compiler+Limits.swift greatestLookups": "Firestore's limit",
    "RulesEncoding/Compiler/Compiler+Variables.swift openParent": "the number of an unknown",
    "RulesEncoding/Compiler/Compiler+Variables.swift unknownsOfAWrite": "the numbers of unknowns",
    "RulesEncoding/Compiler/Cost.swift greatest": "sums stop there",
    "RulesEncoding/Compiler/LeastCost.swift greatest": "sums stop there",
    "RulesProof/Goals/Goal.swift firstFurtherVariable": "the numbers of variables",
    "RulesProof/Requests/RequestSentence.swift conditionText": "the width of a name",
    "RulesProof/Requests/RequestSentence.swift namedFields": "the width of a name",
    "RulesProof/SMT/ScriptPattern.swift greatestSet": "what solvers read",
    "RulesProof/Sequences/SequenceSearch.swift greatestRank": "the last of some ranks",
    "RulesSolver/Search/ModelCache.swift greatestCount": "the bits of a word",
    "RulesSolver/Terms/TermHashing.swift constantHash": "the start of a hash",
    "RulesSolver/Theory/Theory+Differences.swift zero": "the number of a node",
    "RulesSolver/Theory/Theory.swift greatestSize": "no value is larger",
    "RulesVerify/Check/GroundTexts.swift greatestEffort": "the checker refuses more",
    "RulesVerify/Check/ProofChecker.swift greatestEffort": "the checker refuses more",
    "RulesVerify/Check/ProofChecker.swift greatestTexts": "the checker refuses more",
    "RulesVerify/Check/ValueRule.swift greatestSize": "no value is larger",
    "RulesVerify/Encode/Cases.swift greatestCount": "the checker takes more for unknown",
    "RulesVerify/Encode/Encoder+Lookups.swift greatestWrites": "the checker leaves more open",
    "RulesVerify/Encode/Encoder.swift greatestEffort": "the checker refuses more",
    "RulesVerify/Encode/Encoder.swift greatestSize": "the checker refuses more",
    "RulesVerify/Question/ConstantText.swift greatestDepth": "no document is deeper",
  ]

  @Test func limitsOfTheProofsStandInTheStrategyFiles() throws {
    let pattern = try Regex(#"static (?:let|var) (\w+)(?:: \w+)?(?: = -?[0-9]|: Int \{ [0-9])"#)
    let wing = ["RulesSolver/", "RulesEncoding/", "RulesProof/", "RulesVerify/"].map {
      "Sources/" + $0
    }
    var found: [String] = []
    for source in ArchitectureTests.sources
    where wing.contains(where: { source.path.hasPrefix($0) }) {
      for line in source.lines where !line.contains("rawValue") && !line.contains("UInt8") {
        guard !Self.strategies.contains(source.path), let match = line.firstMatch(of: pattern),
          let name = match.output[1].substring
        else { continue }
        found.append("\(source.path.dropFirst("Sources/".count)) \(name)")
      }
    }
    #expect(found.sorted() == Self.numbers.keys.sorted())
  }
}
