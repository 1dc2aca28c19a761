/// What this is.
public enum Product {
  /// The name.
  public static let name = "rules-check"
  /// The version.
  public static let version = "0.1.0"
}
