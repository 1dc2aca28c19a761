import RulesLang

/// The lint for a question about redundant parts, or about what clients can make true, that could not be
/// decided.
public enum OpenQuestion {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "open-question", level: .on(.info),
    summary: "something that the proofs do not analyse, so some checks are undecided",
    reason: """
      Only what is proved is reported. Here a part of the rules could not be analysed, or the time was up.
      There may be redundant parts that are not reported, or ways for clients to give themselves access.
      `check --deep` then exits with 4 unless something worse was found.
      """,
    avoid: """
      match /notes/{note} {
        allow get: if hashing.md5(resource.data.key).toHexString() == 'AA' && resource.data.open == true;
      }
      """,
    prefer: """
      match /notes/{note} {
        allow get: if resource.data.key == 'a' && resource.data.open == true;
      }
      """)
}
