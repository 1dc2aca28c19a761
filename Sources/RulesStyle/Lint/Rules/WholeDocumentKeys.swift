import RulesLang

/// The lint for checking the keys of the whole document where the changed ones are meant.
enum WholeDocumentKeys {
  static let lint = Lint(
    "whole-document-keys", level: .on(.warning),
    summary: "`keys()` of an update are those of the whole document",
    reason: """
      `request.resource.data` is the whole document as it will be after the write, not only the data that
      the client sends. So `keys().hasOnly([…])` refuses an update of an allowed field if the document
      has other fields, and lets every listed field change. `diff(resource.data).affectedKeys()` has the
      fields that an update changes. Not reported if a create checks the same list, because the list then
      describes the whole document.
      """,
    avoid: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.keys().hasOnly(['fcmToken']);
      }
      """,
    prefer: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['fcmToken']);
      }
      """,
    find: { subject in
      let described = subject.allows.filter {
        subject.checked.methods[$0.index].contains(.create)
      }.flatMap { subject.nodes(of: $0) }.compactMap { keysList(at: $0, in: subject) }
      var seen: Set<ExprID> = []
      return subject.allows.filter {
        subject.checked.methods[$0.index] == MethodSet(.update)
      }.flatMap { subject.nodes(of: $0) }.compactMap { id -> Diagnostic? in
        guard let list = keysList(at: id, in: subject), !described.contains(list),
          seen.insert(id).inserted
        else { return nil }
        return Diagnostic.finding(
          "these are the keys of the whole document, not of what the update changes",
          at: subject.rules[id].range,
          help: "`request.resource.data.diff(resource.data).affectedKeys().hasOnly(…)`"
        ).noting("a document with any other field can then not be updated at all")
      }
    })

  /// Returns the texts of the list in `request.resource.data.keys().hasOnly(list)`.
  private static func keysList(at id: ExprID, in subject: LintSubject) -> [Text]? {
    guard case .method(var receiver, let name, let arguments) = subject.rules[id].kind,
      name.text == "hasOnly", arguments.count == 1
    else { return nil }
    if case .method(let list, let word, _) = subject.rules[receiver].kind, word.text == "toSet" {
      receiver = list
    }
    guard case .method(let data, let keys, _) = subject.rules[receiver].kind, keys.text == "keys",
      case .member(let resource, let word) = subject.rules[data].kind, word.text == "data",
      subject.isMember(resource, named: "resource", of: .request)
    else { return nil }
    return subject.words(subject.rules[arguments[0]].range)
  }
}
