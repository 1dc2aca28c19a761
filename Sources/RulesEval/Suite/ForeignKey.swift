/// Keys of other test formats that are often written into suites.
enum ForeignKey {
  /// Returns the key to write instead of one that an object of a suite does not have; nil for keys without a
  /// known equivalent. `what` is the object's name in messages.
  static func help(for key: String, in what: String) -> String? {
    switch what {
    case "a suite":
      switch key {
      case "firestore", "hosting", "functions":
        "`check` takes a firebase.json; `test` without a file finds the suites of its rules"
      case "auth": "name users under \"users\", and say \"as\" in each test"
      default: nil
      }
    case "a test", "a step":
      switch key {
      case "auth", "user", "uid": "the client is \"as\""
      case "read": "a request is \"get\" or \"list\""
      case "write": "a request is \"create\", \"update\", \"delete\" or \"set\""
      case "path": "the path belongs to the method, as in \"get\": \"/users/alice\""
      case "resource", "before": "stored documents are \"documents\""
      case "description" where what == "a test": "the text of a test is its \"name\""
      case "allow", "deny", "expected", "expectation": "write \"expect\": \"allow\" or \"deny\""
      default: nil
      }
    default: nil
    }
  }
}
