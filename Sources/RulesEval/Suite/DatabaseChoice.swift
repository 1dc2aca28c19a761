public import RulesLang

/// The source of a suite's databases. The command line goes before the suite, and the suite before
/// firebase.json.
public struct DatabaseChoice: Sendable {
  /// The databases that rules are deployed to, or why that cannot be found out.
  public enum Deployed: Sendable {
    case to([DatabaseName])
    case unknown(String)
  }

  /// The database that is asked for, whatever suites say; nil if none is.
  public var named: DatabaseName?
  /// The databases of the rules that a suite names; `(default)` alone if nobody says anything.
  public var deployed: @Sendable (_ rules: Text?) -> Deployed

  /// Makes a choice.
  public init(named: DatabaseName?, deployed: @escaping @Sendable (Text?) -> Deployed) {
    self.named = named
    self.deployed = deployed
  }

  /// The databases that a suite is about.
  func databases(of suite: JSON) -> Deployed {
    if let name = named ?? suite.namedDatabase { return .to([name]) }
    return deployed(suite.namedRules)
  }
}
