/// A file with rules.
public struct RulesFile: Sendable, Equatable {
  /// The name in issues and reports; nil if the upload has none.
  public var name: String?
  /// The text.
  public var content: String

  /// Creates a file.
  public init(name: String?, content: String) {
    self.name = name
    self.content = content
  }

  /// The rules of a database without rules: everything is allowed.
  static let open = RulesFile(
    name: "OPEN_RULES",
    content: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /{document=**} {
            allow read, write: if true;
          }
        }
      }

      """)
}
