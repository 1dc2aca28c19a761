/// The name and version of this program.
package enum Product {
  /// The name.
  package static let name = "rules-check"
  /// The version.
  package static let version = "0.1.0"
}
