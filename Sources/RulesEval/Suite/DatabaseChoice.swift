public import RulesLang

/// The rule for a suite's databases: the command line overrides the suite, and the suite firebase.json.
public struct DatabaseChoice: Sendable {
  /// The databases that rules are deployed to, or the reason why these are unknown.
  public enum Deployed: Sendable {
    case to([DatabaseName])
    case unknown(String)
  }

  /// The database named on the command line; nil if none is.
  public var named: DatabaseName?
  /// The databases that a suite's rules are deployed to; `(default)` alone if none is configured.
  public var deployed: @Sendable (_ rules: Text?) -> Deployed

  /// Creates a choice.
  public init(named: DatabaseName?, deployed: @escaping @Sendable (Text?) -> Deployed) {
    self.named = named
    self.deployed = deployed
  }

  /// Returns the databases of a suite.
  func databases(of suite: JSON) -> Deployed {
    if let name = named ?? suite.namedDatabase { return .to([name]) }
    return deployed(suite.namedRules)
  }
}
