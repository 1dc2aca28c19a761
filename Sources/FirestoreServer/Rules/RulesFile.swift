/// A file of rules.
public struct RulesFile: Sendable, Equatable {
  /// The name that issues and reports show; nil if the uploader gave none.
  public var name: String?
  /// The text.
  public var content: String

  /// Makes a file.
  public init(name: String?, content: String) {
    self.name = name
    self.content = content
  }

  /// The rules of a database that has none: everything is allowed.
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
