/// Variables of Realtime Database rules, of Cloud Storage and of other languages that authors of rules look
/// for.
enum ForeignVariable {
  /// Returns the code to write instead of a variable that this language does not have; nil for names without
  /// a known equivalent.
  static func help(for name: String) -> String? {
    switch name {
    case "auth", "user", "currentUser": "who asks is `request.auth`, and its ID `request.auth.uid`"
    case "data": "the stored document is `resource.data`"
    case "newData": "the document as it would be written is `request.resource.data`"
    case "now": "the time of the request is `request.time`"
    case "undefined", "nil", "None":
      "write `null`; a field that is missing is asked for by `'key' in map`"
    default: nil
    }
  }
}
