import RulesLang

/// The keys of `request`, made once for all requests.
enum RequestNames {
  static let auth: Text = "auth"
  static let method: Text = "method"
  static let time: Text = "time"
  static let headers: Text = "headers"
  static let inTransaction: Text = "inTransaction"
  static let path: Text = "path"
  static let fields: Text = "fields"
  static let resource: Text = "resource"
  static let transforms: Text = "transforms"
  static let writeFields: Text = "writeFields"
  static let readFields: Text = "readFields"
  static let autoID: Text = "autoId"
  static let data: Text = "data"
  static let id: Text = "id"
  static let query: Text = "query"
  static let name: Text = "__name__"
  static let uid: Text = "uid"
  static let token: Text = "token"
  static let sub: Text = "sub"
  static let userID: Text = "user_id"
  static let firebase: Text = "firebase"
  static let signInProvider: Text = "sign_in_provider"
  /// Keys of `request.query`.
  static let distinct: Text = "distinct"
  static let selectOnlyKeys: Text = "selectOnlyKeys"
  static let groupBy: Text = "groupBy"
  static let kind: Text = "kind"
  static let ancestor: Text = "ancestor"
  static let parent: Text = "parent"
  static let orderBy: Text = "orderBy"
  static let limit: Text = "limit"
  static let offset: Text = "offset"
  static let allDescendants: Text = "allDescendants"
  /// The values of `request.method`, by method.
  static let methods = Method.allCases.map { Text($0.word) }
}
