/// Variables of Realtime Database rules, of Cloud Storage and of other languages that authors of rules look
/// for.
enum ForeignVariable {
  /// Returns the code to write instead of a variable that this language does not have, or that is not among
  /// the `known` ones; nil for names without a known equivalent.
  static func help(for name: String, among known: [String]) -> String? {
    switch name {
    case "auth", "user", "currentUser":
      "the client is `request.auth`, its user ID "
        + "`request.auth.uid`"
    case "data": "the stored document is `resource.data`"
    case "newData": "the document as it would be written is `request.resource.data`"
    case "now": "the time of the request is `request.time`"
    case "undefined", "nil", "None":
      "write `null`; test for a field with `'key' in map`"
    default: otherID(than: name, among: known).map { "the variable here is `\($0)`" }
    }
  }

  /// Returns the only known ID, in place of another ID.
  private static func otherID(than name: String, among known: [String]) -> String? {
    func isID(_ name: String) -> Bool { ["id", "Id", "ID"].contains { name.hasSuffix($0) } }
    let others = known.filter(isID)
    return isID(name) && others.count == 1 ? others[0] : nil
  }
}
